/* Whether accesses stay in the declared sections, and whether iterations depend on one another. */
#include <string.h>

#include "translate.h"

static struct place place_of(const struct loop *loop, const struct access *access)
{
    return source_place(loop->source, access->cursor);
}

static char *words_of(const struct loop *loop, const struct access *access)
{
    return source_text(loop->source, access->cursor);
}

/* ---- one access ---- */

static void refuse_section(const struct loop *loop, const struct access *access)
{
    const struct array *array = access->array;
    long length, offset;
    const char *verb = access->written ? "writes" : "reads";
    if (array->direction != DM_REGION_TO && array->direction != DM_REGION_SCRATCH &&
        polynomial_is_number(&access->offset, &offset))
        error_at(place_of(loop, access),
                 "the loop carries a dependence: iteration %s %s `%s`, which another iteration "
                 "writes; write the results to an array of their own",
                 loop->counter->name, verb, words_of(loop, access));
    if (polynomial_is_number(&array->length, &length) &&
        polynomial_is_number(&access->offset, &offset))
        error_at(place_of(loop, access),
                 "`%s` lies outside of the section of `%s`: element %ld of %ld; write a section "
                 "that holds it",
                 words_of(loop, access), array->name, offset, length);
    error_at(place_of(loop, access),
             "`%s` lies outside of the section of `%s`, which begins at %s and has %s elements; "
             "write a section that holds it",
             words_of(loop, access), array->name, expression_words(loop, &array->begin),
             expression_words(loop, &array->length));
}

static void refuse_move(const struct loop *loop, const struct access *access)
{
    error_at(
        place_of(loop, access),
        "`%s` does not move with the section of `%s`, which begins at %s: write a section that "
        "moves as the index does",
        words_of(loop, access), access->array->name, expression_words(loop, &access->array->begin));
}

static bool is_below(const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial one = polynomial_number(1), difference = polynomial_sum(b, a, -1);
    difference = polynomial_sum(&difference, &one, -1);
    return polynomial_not_negative(&difference);
}

/* Refuses an offset from low to high that leaves the section; under a condition only one that is
 * always outside. */
static void check_range_of(const struct loop *loop, const struct access *access,
                           const struct polynomial *low, const struct polynomial *high)
{
    const struct polynomial zero = {0}, *length = &access->array->length;
    struct polynomial beyond = polynomial_sum(high, length, -1);
    bool some = is_below(low, &zero) || polynomial_not_negative(&beyond);
    beyond = polynomial_sum(low, length, -1);
    bool all = is_below(high, &zero) || polynomial_not_negative(&beyond);
    if (all || (some && !access->conditional))
        refuse_section(loop, access);
}

/* Against 0 <= offset < length. */
static void check_section(struct loop *loop, struct access *access)
{
    const struct array *array = access->array;
    struct polynomial low, high;
    access->offset = polynomial_sum(&access->at, &array->begin, -1);
    bool bounded = expression_bounds(loop, &access->offset, &low, &high);
    if (bounded && (polynomial_holds(&low, loop->counter->symbol) ||
                    polynomial_holds(&high, loop->counter->symbol))) {
        if (!access->conditional)
            refuse_move(loop, access);
        bounded = false;
    }
    if (bounded && polynomial_not_negative(&low) && is_below(&high, &array->length))
        return;
    if (bounded)
        check_range_of(loop, access, &low, &high);
    warn_at(place_of(loop, access),
            "it cannot be shown that `%s` stays in the section of `%s`, which begins at %s and has "
            "%s elements: it is taken on trust",
            words_of(loop, access), array->name, expression_words(loop, &array->begin),
            expression_words(loop, &array->length));
}

/* The index of a pointer within its slice must not reach into the next one. */
static void check_rest(struct loop *loop, const struct access *access)
{
    struct polynomial low, high;
    const struct array *array = access->array;
    if (!array->pointer || array->split < 0 || access->index_count != 1)
        return;
    if (expression_bounds(loop, &access->rest, &low, &high) && polynomial_not_negative(&low) &&
        is_below(&high, &array->inner) && !polynomial_holds(&access->rest, loop->counter->symbol))
        return;
    if (polynomial_holds(&access->rest, loop->counter->symbol))
        error_at(
            place_of(loop, access),
            "`%s` does not move by whole slices of %s elements with `%s`: write the section of "
            "`%s` after its index, or declare it as `(*%s)[columns]`",
            words_of(loop, access), expression_words(loop, &array->inner), loop->counter->name,
            array->name, array->name);
    if (!access->conditional)
        warn_at(place_of(loop, access),
                "it cannot be shown that `%s` stays in one slice of %s elements: it is taken on "
                "trust",
                words_of(loop, access), expression_words(loop, &array->inner));
}

/* Threads that share a loop write different elements if the index holds its counter. */
static void check_race(struct loop *loop, const struct access *access)
{
    if (!access->written || access->array->sums)
        return;
    for (int c = 0; c < access->parallel_count; c++)
        if (!(access->mentioned >> c & 1) &&
            !expression_mentions(loop, &access->rest, access->counters[c]) &&
            !(access->array->split >= 0 &&
              expression_mentions(loop, &access->at, access->counters[c])))
            error_at(place_of(loop, access),
                     "all threads of the loop over `%s` write `%s`: write an index that holds "
                     "`%s`, or share another loop",
                     access->counters[c]->name, words_of(loop, access), access->counters[c]->name);
}

/* Whether the counters around a write run over all of a slice: their factors are 1, the first one's
 * extent, that times the next one's, ... */
static bool covers(const struct loop *loop, const struct access *access)
{
    const struct array *array = access->array;
    struct polynomial left = access->rest, size = polynomial_number(1), all = array->inner;
    struct polynomial one = polynomial_number(1);
    long number;
    if (access->conditional || access->partial || !access->written || access->rest.unknown)
        return false;
    if (array->split >= 0 && (!polynomial_equal(&array->unit, &one) || access->offset.count))
        return false;
    for (int d = 0; d < array->split; d++)
        all = polynomial_product(&all, &array->extents[d]);
    for (int c = 0; c < access->counter_count && left.count;) {
        const struct counter *counter = access->counters[access->counter_count - 1 - c++];
        struct polynomial factor, rest;
        if (!polynomial_linear(&left, counter->symbol, &factor, &rest) ||
            !polynomial_equal(&factor, &size) || counter->lower.count ||
            !polynomial_is_number(&counter->step, &number) || number != 1)
            continue;
        left = rest;
        size = polynomial_product(&size, &counter->end);
        c = 0;
    }
    (void)loop;
    return left.count == 0 && polynomial_equal(&size, &all);
}

static void check_sum(const struct loop *loop, const struct access *access)
{
    if (!access->array->sums || access->adds)
        return;
    error_at(place_of(loop, access),
             "`%s` is a sum over all iterations: only `%s[...] += value` is supported here",
             access->array->name, access->array->name);
}

void check_access(struct loop *loop, struct access *access)
{
    const struct array *array = access->array;
    if (access->written && array->direction == DM_REGION_TO)
        error_at(place_of(loop, access),
                 "`%s` is mapped `to`, but written here: map it `tofrom`, or `from` if all of it "
                 "is written",
                 array->name);
    if (array->split >= 0)
        check_section(loop, access);
    check_rest(loop, access);
    check_race(loop, access);
    check_sum(loop, access);
    access->covers = covers(loop, access);
}

/* ---- all of them ---- */

static void refuse_dependence(const struct loop *loop, const struct access *writes,
                              const struct access *reads)
{
    error_at(place_of(loop, reads),
             "the loop carries a dependence: `%s` is what another iteration writes as `%s` in line "
             "%u; move the write into a loop of its own before this one, or compute the value "
             "again",
             words_of(loop, reads), words_of(loop, writes), place_of(loop, writes).line);
}

/* An array on the device alone: later stages may read what earlier iterations have written. */
static void check_scratch(struct loop *loop, const struct access *writes,
                          const struct access *other)
{
    struct polynomial distance = polynomial_sum(&writes->offset, &other->offset, -1);
    long apart;
    if (distance.count == 0 && !distance.unknown)
        return;
    if (!other->written && polynomial_is_number(&distance, &apart) && apart > 0 &&
        writes->stage < other->stage) {
        loop->ordered = true;
        return;
    }
    if (writes->conditional || (other->written && other->conditional)) {
        if (writes->stage < other->stage && !other->written)
            warn_at(place_of(loop, writes),
                    "whether `%s` is read by other iterations hangs on the condition: it is taken "
                    "on trust that they are later ones",
                    words_of(loop, writes));
        loop->ordered = true;
        return;
    }
    refuse_dependence(loop, writes, other);
}

/* A whole array: what an iteration writes holds its counter, and it reads nothing else. */
static void check_whole(const struct loop *loop, const struct access *writes,
                        const struct access *other)
{
    struct polynomial distance = polynomial_sum(&writes->rest, &other->rest, -1), factor, rest;
    const struct array *array = writes->array;
    if (array->sums)
        return;
    if (!polynomial_linear(&writes->rest, loop->counter->symbol, &factor, &rest) ||
        factor.count == 0)
        error_at(place_of(loop, writes),
                 "every iteration writes `%s`: write `pipeline(%s)` and a section that moves, or "
                 "`reduction(+: %s[0:length])` and `+=` for a sum",
                 words_of(loop, writes), loop->counter->name, array->name);
    if (distance.count || distance.unknown)
        refuse_dependence(loop, writes, other);
}

static void check_pair(struct loop *loop, const struct access *writes, const struct access *other)
{
    if (!writes->written || writes->array != other->array)
        return;
    if (writes->array->split < 0)
        check_whole(loop, writes, other);
    else if (writes->array->direction == DM_REGION_SCRATCH)
        check_scratch(loop, writes, other);
}

/* What a kernel does not write is not to be copied back: unless all of a slice is written, it is
 * copied in first. */
static void complete_results(struct loop *loop, struct array *array)
{
    bool covered = false;
    for (int i = 0; i < loop->access_count; i++)
        covered = covered || (loop->accesses[i].array == array && loop->accesses[i].covers);
    if (array->direction == DM_REGION_FROM && !covered) {
        warn_at(directive_place_in(loop->pragma, array->item->place),
                "the loop may leave elements of `%s` as they are: they are copied to the device "
                "first, as with `tofrom`; write all of a section to spare that",
                array->name);
        array->direction = DM_REGION_TOFROM;
    }
    if ((array->direction == DM_REGION_FROM || array->direction == DM_REGION_TOFROM) &&
        !array->written)
        error_at(directive_place_in(loop->pragma, array->item->place),
                 "`%s` is copied back, but the loop does not write it: map it `to`", array->name);
}

void check_loop(struct loop *loop)
{
    for (int i = 0; i < loop->access_count; i++)
        for (int j = 0; j < loop->access_count; j++)
            check_pair(loop, &loop->accesses[i], &loop->accesses[j]);
    for (int a = 0; a < loop->array_count; a++)
        complete_results(loop, &loop->arrays[a]);
}
