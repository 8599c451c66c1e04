/* What a directive must be beyond its grammar, as far as its values are known. */
#include <string.h>

#include "directive_internal.h"
#include "common/regions/copies.h"

/* Values beyond this are no extents of arrays; sums of a few of them fit into a long. */
static const long most_value = 1L << 40;

static struct directive_place place_of(const struct directive *directive, int node)
{
    return directive->nodes[node].place;
}

/* An expression that must not move with the iterator. */
static bool check_constant(const struct directive *directive, const struct directive_names *names,
                           int node, const char *what, long least, long most, long *value,
                           bool *known, struct directive_error *error)
{
    struct directive_linear linear;
    if (directive_moves(directive, node))
        return directive_fail(error, place_of(directive, node),
                              "%s must be the same for all iterations, but holds the iterator `%s`",
                              what, directive->iterator);
    if (!directive_evaluate(directive, names, node, &linear, known, error))
        return false;
    if (*known && (linear.constant < least || linear.constant > most))
        return directive_fail(error, place_of(directive, node), "%s is %ld and must be %s %ld",
                              what, linear.constant,
                              linear.constant < least ? "at least" : "at most",
                              linear.constant < least ? least : most);
    *value = linear.constant;
    return true;
}

bool directive_check_range(const struct directive *directive, const struct directive_names *names,
                           struct directive_range *range, struct directive_error *error)
{
    bool begin_known, end_known, step_known;
    range->step = 1;
    if (!check_constant(directive, names, directive->begin, "the begin of the range", -most_value,
                        most_value, &range->begin, &begin_known, error) ||
        !check_constant(directive, names, directive->end, "the end of the range", -most_value,
                        most_value, &range->end, &end_known, error))
        return false;
    if (directive->step != DIRECTIVE_ABSENT &&
        !check_constant(directive, names, directive->step, "the step", 1, most_value, &range->step,
                        &step_known, error))
        return false;
    if (begin_known && end_known && range->begin >= range->end)
        return directive_fail(error, place_of(directive, directive->begin),
                              "the loop has no iteration: it begins at %ld and ends before %ld",
                              range->begin, range->end);
    return true;
}

bool directive_check_section(const struct directive *directive, const struct directive_names *names,
                             const struct directive_bracket *bracket,
                             struct directive_section *section, struct directive_error *error)
{
    bool length_known, known;
    section->length = 1;
    if (bracket->length != DIRECTIVE_ABSENT) {
        if (!check_constant(directive, names, bracket->length, "the length of the section", 1,
                            most_value, &section->length, &length_known, error))
            return false;
    } else if (!bracket->split) {
        return directive_fail(error, bracket->place,
                              "expected begin:length; the length may be left out only where the "
                              "begin moves with the iterator");
    }
    if (!directive_evaluate(directive, names, bracket->begin, &section->begin, &known, error))
        return false;
    struct directive_linear begin = section->begin;
    if (known && bracket->split && begin.factor < 1)
        return directive_fail(
            error, bracket->place,
            "the begin of the section moves by %ld per step of `%s` and must move "
            "forward",
            begin.factor, directive->iterator);
    if (known && !bracket->split && begin.constant < 0)
        return directive_fail(error, bracket->place, "the section begins at %ld, before the array",
                              begin.constant);
    if (known &&
        (begin.factor > most_value || begin.constant > most_value || begin.constant < -most_value))
        return directive_fail(error, bracket->place, "the section begins beyond 2^40 elements");
    return true;
}

bool directive_check_count(const struct directive *directive, const struct directive_names *names,
                           int node, const char *what, long most, long *value,
                           struct directive_error *error)
{
    long count = 0;
    bool known;
    if (node == DIRECTIVE_ABSENT)
        return true;
    if (!check_constant(directive, names, node, what, 1, most, &count, &known, error))
        return false;
    if (known)
        *value = count;
    return true;
}

/* One of the counts that hold for the whole loop; `before` is that of the items before. */
static bool check_common_count(const struct directive *directive,
                               const struct directive_names *names, int node, const char *what,
                               long most, long *before, struct directive_error *error)
{
    long count = 0;
    if (!directive_check_count(directive, names, node, what, most, &count, error))
        return false;
    if (count && *before && count != *before)
        return directive_fail(error, place_of(directive, node),
                              "%s is %ld here and %ld before: a loop is cut in one way", what,
                              count, *before);
    if (count)
        *before = count;
    return true;
}

bool directive_check_counts(const struct directive *directive, const struct directive_names *names,
                            long *chunk_size, long *overlap, struct directive_error *error)
{
    long chunk = 0, streams = 0;
    for (int i = 0; i < directive->item_count; i++) {
        const struct directive_item *item = &directive->items[i];
        if (!check_common_count(directive, names, item->chunk_size, "chunk_size", most_value,
                                &chunk, error) ||
            !check_common_count(directive, names, item->overlap, "overlap", COPIES_STREAMS_MAX,
                                &streams, error))
            return false;
    }
    *chunk_size = chunk ? chunk : *chunk_size;
    *overlap = streams ? streams : *overlap;
    return true;
}

/* ---- items ---- */

static bool check_iterator(const struct directive *directive, const struct directive_item *item,
                           struct directive_error *error)
{
    if (!item->pipelined || strcmp(item->iterator, directive->iterator) == 0)
        return true;
    if (!directive->iterator[0])
        return directive_fail(error, item->iterator_place,
                              "`%s` is not declared: add the clause iterator(%s = begin:end)",
                              item->iterator, item->iterator);
    return directive_fail(error, item->iterator_place,
                          "`%s` is not declared: the iterator of this directive is `%s`",
                          item->iterator, directive->iterator);
}

static bool check_splits(const struct directive *directive, const struct directive_item *item,
                         struct directive_error *error)
{
    int splits = 0;
    for (int d = 0; d < item->dimensions; d++) {
        const struct directive_bracket *bracket = &item->brackets[d];
        splits += bracket->split;
        if (bracket->split && !item->pipelined)
            return directive_fail(error, bracket->place,
                                  "`%s` moves only what is mapped with pipeline(%s)",
                                  directive->iterator, directive->iterator);
        if (splits > DIRECTIVE_SPLITS)
            return directive_fail(error, bracket->place, "`%s` is split in more than %d dimensions",
                                  item->name, DIRECTIVE_SPLITS);
    }
    if (item->pipelined && splits == 0)
        return directive_fail(error, item->place,
                              "no bracket of `%s` moves with `%s`: expected one such as [%s:1]",
                              item->name, item->iterator, item->iterator);
    return true;
}

static bool check_names(const struct directive *directive, int index, struct directive_error *error)
{
    const struct directive_item *item = &directive->items[index];
    if (strcmp(item->name, directive->iterator) == 0)
        return directive_fail(error, item->place, "`%s` is the iterator and cannot be an array",
                              item->name);
    for (int i = 0; i < index; i++)
        if (strcmp(directive->items[i].name, item->name) == 0)
            return directive_fail(error, item->place, "`%s` is mapped before, in line %d column %d",
                                  item->name, directive->items[i].place.line,
                                  directive->items[i].place.column);
    return true;
}

static bool check_item(const struct directive *directive, int index, struct directive_error *error)
{
    const struct directive_item *item = &directive->items[index];
    struct directive_section section;
    long num_block = 0;
    if (!check_iterator(directive, item, error) || !check_names(directive, index, error) ||
        !check_splits(directive, item, error) ||
        !directive_check_count(directive, NULL, item->num_block, "num_block", INT_MAX, &num_block,
                               error))
        return false;
    for (int d = 0; d < item->dimensions; d++)
        if (!directive_check_section(directive, NULL, &item->brackets[d], &section, error))
            return false;
    return true;
}

bool directive_check(const struct directive *directive, struct directive_error *error)
{
    struct directive_range range;
    long chunk_size = 0, overlap = 0;
    bool pipelined = false;
    for (int i = 0; i < directive->item_count; i++) {
        if (!check_item(directive, i, error))
            return false;
        pipelined = pipelined || directive->items[i].pipelined;
    }
    if (!pipelined)
        return directive_fail(error, (struct directive_place){1, 1},
                              "no map clause has pipeline(...): there is nothing to split");
    return directive_check_range(directive, NULL, &range, error) &&
           directive_check_counts(directive, NULL, &chunk_size, &overlap, error);
}
