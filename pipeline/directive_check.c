/* What a directive must be beyond its grammar, as far as its values are known. */
#include <string.h>

#include "directive_internal.h"

/* Values beyond this are no extents of arrays; sums of a few of them fit into a long. */
static const long value_max = 1L << 40;

static struct directive_place place_of(const struct pipeline_directive *directive, int node)
{
    return directive->nodes[node].place;
}

/* An expression that must not move with the iterator. */
static enum dm_status check_constant(const struct pipeline_directive *directive,
                                     const struct pipeline_names *names, int node, const char *what,
                                     long minimum, long maximum, long *value, bool *known)
{
    struct directive_linear linear;
    if (directive_moves(directive, node))
        return directive_fail(place_of(directive, node),
                              "%s must be the same for all iterations, but holds the iterator `%s`",
                              what, directive->iterator);
    TRY(directive_evaluate(directive, names, node, &linear, known));
    if (*known && (linear.constant < minimum || linear.constant > maximum))
        return directive_fail(place_of(directive, node), "%s is %ld and must be %s %ld", what,
                              linear.constant, linear.constant < minimum ? "at least" : "at most",
                              linear.constant < minimum ? minimum : maximum);
    *value = linear.constant;
    return DM_OK;
}

enum dm_status directive_check_range(const struct pipeline_directive *directive,
                                     const struct pipeline_names *names,
                                     struct directive_range *range)
{
    bool begin_known, end_known, step_known;
    range->step = 1;
    TRY(check_constant(directive, names, directive->begin, "the start of the range", -value_max,
                       value_max, &range->begin, &begin_known));
    TRY(check_constant(directive, names, directive->end, "the end of the range", -value_max,
                       value_max, &range->end, &end_known));
    if (directive->step != DIRECTIVE_ABSENT)
        TRY(check_constant(directive, names, directive->step, "the step", 1, value_max,
                           &range->step, &step_known));
    if (begin_known && end_known && range->begin >= range->end)
        return directive_fail(place_of(directive, directive->begin),
                              "the loop has no iteration: it begins at %ld and ends before %ld",
                              range->begin, range->end);
    return DM_OK;
}

enum dm_status directive_check_section(const struct pipeline_directive *directive,
                                       const struct pipeline_names *names,
                                       const struct directive_bracket *bracket,
                                       struct directive_section *section)
{
    bool length_known, known;
    section->length = 1;
    if (bracket->length != DIRECTIVE_ABSENT) {
        TRY(check_constant(directive, names, bracket->length, "the length of the section", 1,
                           value_max, &section->length, &length_known));
    } else if (!bracket->split) {
        return directive_fail(bracket->place,
                              "expected begin:length; the length may be left out only where the "
                              "start moves with the iterator");
    }
    TRY(directive_evaluate(directive, names, bracket->begin, &section->begin, &known));
    struct directive_linear begin = section->begin;
    if (known && bracket->split && begin.factor < 1)
        return directive_fail(
            bracket->place,
            "the start of the section moves by %ld per step of `%s` and must move forward",
            begin.factor, directive->iterator);
    if (known && !bracket->split && begin.constant < 0)
        return directive_fail(bracket->place, "the section begins at %ld, before the array",
                              begin.constant);
    if (known &&
        (begin.factor > value_max || begin.constant > value_max || begin.constant < -value_max))
        return directive_fail(bracket->place, "the section begins beyond 2^40 elements");
    return DM_OK;
}

enum dm_status directive_check_count(const struct pipeline_directive *directive,
                                     const struct pipeline_names *names, int node, const char *what,
                                     long maximum, long *value)
{
    long count = 0;
    bool known;
    if (node == DIRECTIVE_ABSENT)
        return DM_OK;
    TRY(check_constant(directive, names, node, what, 1, maximum, &count, &known));
    if (known)
        *value = count;
    return DM_OK;
}

/* One of the counts that hold for the whole loop; `before` is that of the items before. */
static enum dm_status check_common_count(const struct pipeline_directive *directive,
                                         const struct pipeline_names *names, int node,
                                         const char *what, long maximum, long *before)
{
    long count = 0;
    TRY(directive_check_count(directive, names, node, what, maximum, &count));
    if (count && *before && count != *before)
        return directive_fail(place_of(directive, node),
                              "%s is %ld here and %ld before: the maps of a loop must agree", what,
                              count, *before);
    if (count)
        *before = count;
    return DM_OK;
}

enum dm_status directive_check_counts(const struct pipeline_directive *directive,
                                      const struct pipeline_names *names, long *chunk_size,
                                      long *overlap)
{
    long chunk = 0, streams = 0;
    for (int i = 0; i < directive->item_count; i++) {
        const struct directive_item *item = &directive->items[i];
        TRY(check_common_count(directive, names, item->chunk_size, "chunk_size", value_max,
                               &chunk));
        TRY(check_common_count(directive, names, item->overlap, "overlap", PIPELINE_STREAMS_MAX,
                               &streams));
    }
    *chunk_size = chunk ? chunk : *chunk_size;
    *overlap = streams ? streams : *overlap;
    return DM_OK;
}

/* ---- items ---- */

static enum dm_status check_iterator(const struct pipeline_directive *directive,
                                     const struct directive_item *item)
{
    if (!item->pipelined || strcmp(item->iterator, directive->iterator) == 0)
        return DM_OK;
    if (!directive->iterator[0])
        return directive_fail(item->iterator_place,
                              "`%s` is not declared: add the clause iterator(%s = begin:end)",
                              item->iterator, item->iterator);
    return directive_fail(item->iterator_place,
                          "`%s` is not declared: the iterator of this directive is `%s`",
                          item->iterator, directive->iterator);
}

static enum dm_status check_splits(const struct pipeline_directive *directive,
                                   const struct directive_item *item)
{
    int splits = 0;
    for (int d = 0; d < item->dimensions; d++) {
        const struct directive_bracket *bracket = &item->brackets[d];
        splits += bracket->split;
        if (bracket->split && !item->pipelined)
            return directive_fail(bracket->place,
                                  "only what is mapped with pipeline(%s) moves with `%s`",
                                  directive->iterator, directive->iterator);
        if (splits > DIRECTIVE_SPLITS)
            return directive_fail(bracket->place, "`%s` is split in more than %d dimensions",
                                  item->name, DIRECTIVE_SPLITS);
    }
    if (item->pipelined && splits == 0)
        return directive_fail(item->place,
                              "no bracket of `%s` moves with `%s`: expected one such as [%s:1]",
                              item->name, item->iterator, item->iterator);
    return DM_OK;
}

static enum dm_status check_names(const struct pipeline_directive *directive, int index)
{
    const struct directive_item *item = &directive->items[index];
    if (strcmp(item->name, directive->iterator) == 0)
        return directive_fail(item->place, "`%s` is the iterator and cannot be an array",
                              item->name);
    for (int i = 0; i < index; i++)
        if (strcmp(directive->items[i].name, item->name) == 0)
            return directive_fail(item->place, "`%s` is mapped already, in line %d, column %d",
                                  item->name, directive->items[i].place.line,
                                  directive->items[i].place.column);
    return DM_OK;
}

static enum dm_status check_item(const struct pipeline_directive *directive, int index)
{
    const struct directive_item *item = &directive->items[index];
    struct directive_section section;
    long num_block = 0;
    TRY(check_iterator(directive, item));
    TRY(check_names(directive, index));
    TRY(check_splits(directive, item));
    TRY(directive_check_count(directive, NULL, item->num_block, "num_block", INT_MAX, &num_block));
    for (int d = 0; d < item->dimensions; d++)
        TRY(directive_check_section(directive, NULL, &item->brackets[d], &section));
    return DM_OK;
}

enum dm_status directive_check(const struct pipeline_directive *directive)
{
    struct directive_range range;
    long chunk_size = 0, overlap = 0;
    bool pipelined = false;
    for (int i = 0; i < directive->item_count; i++) {
        TRY(check_item(directive, i));
        pipelined = pipelined || directive->items[i].pipelined;
    }
    if (!pipelined)
        return directive_fail((struct directive_place){1, 1},
                              "no map clause has pipeline(...): there is nothing to split");
    TRY(directive_check_range(directive, NULL, &range));
    return directive_check_counts(directive, NULL, &chunk_size, &overlap);
}
