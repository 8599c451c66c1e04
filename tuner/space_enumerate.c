/* The configurations of a space, in order: one parameter after the other, its values halved again
 * and again as long as a constraint does not decide about all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "allocate.h"
#include "space_internal.h"

struct walk {
    const struct tuner_space *space;
    const struct constraints *constraints;
    uint64_t concerned[TUNER_PARAMETERS_MAX];  /* the constraints that a parameter is in */
    struct range ranges[TUNER_PARAMETERS_MAX]; /* what is left of each */
    uint32_t chosen[TUNER_PARAMETERS_MAX];
    size_t effort; /* that is left: operations of constraints, ranges of values, configurations */
    size_t limit;  /* of configurations */
    size_t found, capacity;
    uint32_t *indices; /* NULL: they are only counted */
    enum { TO_THE_END, ENOUGH, TOO_MUCH_EFFORT, NO_MEMORY } end;
};

static struct range range_of(const struct tuner_parameter *parameter, size_t first, size_t last)
{
    struct range range = {.low = parameter->values[first], .high = parameter->values[last]};
    if (parameter->reals) {
        range.real_low = range.real_high = parameter->reals[first];
        for (size_t i = first; i <= last; i++) {
            range.real_low = fmin(range.real_low, parameter->reals[i]);
            range.real_high = fmax(range.real_high, parameter->reals[i]);
        }
    }
    for (size_t i = first; parameter->kind == TUNER_VALUES && i <= last; i++) {
        int64_t value = parameter->values[i]; /* listed in any order */
        range.low = value < range.low ? value : range.low;
        range.high = value > range.high ? value : range.high;
    }
    return range;
}

static struct range range_of_all(const struct tuner_space *space, size_t dimension)
{
    const struct tuner_parameter *parameter = &space->parameters[dimension];
    return range_of(parameter, 0, parameter->count - 1);
}

static bool stop(struct walk *walk, int why)
{
    walk->end = why;
    return false;
}

static bool spend(struct walk *walk, size_t effort)
{
    if (walk->effort < effort)
        return stop(walk, TOO_MUCH_EFFORT);
    walk->effort -= effort;
    return true;
}

/* Judges the constraints in `judged`, and takes those that are always met out of *open. false: one
 * is never met, or the effort is spent. */
static bool judge(struct walk *walk, uint64_t judged, uint64_t *open)
{
    for (; judged; judged &= judged - 1) {
        const struct constraint *constraint =
            &walk->constraints->constraint[__builtin_ctzll(judged)];
        if (!spend(walk, constraint->expression.count))
            return false;
        struct range result = expression_range(&constraint->expression, walk->ranges);
        if (range_never(result))
            return false;
        if (range_always(result))
            *open &= ~(judged & -judged);
    }
    return true;
}

static bool make_room(struct walk *walk)
{
    if (walk->found < walk->capacity)
        return true;
    size_t bytes = 2 * walk->capacity * walk->space->dimensions * sizeof *walk->indices;
    uint32_t *larger = realloc(walk->indices, bytes);
    if (!larger) {
        error_no_memory(bytes);
        return stop(walk, NO_MEMORY);
    }
    walk->indices = larger;
    walk->capacity *= 2;
    return true;
}

static bool keep(struct walk *walk)
{
    if (walk->found == walk->limit)
        return stop(walk, ENOUGH);
    if (!spend(walk, 1))
        return false;
    size_t dimensions = walk->space->dimensions;
    if (walk->indices) {
        if (!make_room(walk))
            return false;
        memcpy(walk->indices + walk->found * dimensions, walk->chosen,
               dimensions * sizeof *walk->indices);
    }
    walk->found++;
    return true;
}

static bool walk_values(struct walk *walk, size_t dimension, size_t first, size_t last,
                        uint64_t open);

/* The parameters from this one on; `open` are the constraints that are not decided yet. */
static bool walk_parameters(struct walk *walk, size_t dimension, uint64_t open)
{
    if (dimension == walk->space->dimensions)
        return keep(walk);
    size_t last = walk->space->parameters[dimension].count - 1;
    bool go_on = walk_values(walk, dimension, 0, last, open);
    walk->ranges[dimension] = range_of_all(walk->space, dimension);
    return go_on;
}

/* Values first to last of a parameter, when nothing depends on which. */
static bool walk_each(struct walk *walk, size_t dimension, size_t first, size_t last, uint64_t open)
{
    bool go_on = true;
    for (size_t i = first; go_on && i <= last; i++) {
        walk->chosen[dimension] = (uint32_t)i;
        go_on = walk_parameters(walk, dimension + 1, open);
    }
    return go_on;
}

static bool walk_values(struct walk *walk, size_t dimension, size_t first, size_t last,
                        uint64_t open)
{
    if (!spend(walk, 1))
        return false;
    uint64_t concerned = walk->concerned[dimension];
    if (open & concerned) {
        walk->ranges[dimension] = range_of(&walk->space->parameters[dimension], first, last);
        if (!judge(walk, open & concerned, &open))
            return walk->end == TO_THE_END;
    }
    if (first == last || !(open & concerned))
        return walk_each(walk, dimension, first, last, open);
    size_t middle = first + (last - first) / 2;
    return walk_values(walk, dimension, first, middle, open) &&
           walk_values(walk, dimension, middle + 1, last, open);
}

/* Walks the space with the constraints in `open`. */
static void start_walk(struct walk *walk, uint64_t open)
{
    for (size_t d = 0; d < walk->space->dimensions; d++)
        walk->ranges[d] = range_of_all(walk->space, d);
    for (size_t i = 0; i < walk->constraints->count; i++) {
        uint32_t set = expression_parameters(&walk->constraints->constraint[i].expression);
        for (size_t d = 0; d < walk->space->dimensions; d++)
            walk->concerned[d] |= (uint64_t)(set >> d & 1) << i;
    }
    /* Also those without a parameter, which nothing below judges. */
    if (judge(walk, open, &open))
        walk_parameters(walk, 0, open);
}

static uint64_t first_bits(size_t count)
{
    return count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

/* Whether any configuration passes these constraints. */
static bool passes(const struct walk *like, uint64_t open, size_t effort)
{
    struct walk walk = {
        .space = like->space, .constraints = like->constraints, .effort = effort, .limit = 1};
    start_walk(&walk, open);
    return walk.found > 0 || walk.end == TOO_MUCH_EFFORT;
}

/* Names the first constraint that nothing passes. */
static enum dm_status explain_empty(const struct walk *walk, size_t effort, const char *name)
{
    const struct constraints *constraints = walk->constraints;
    size_t i = 0;
    while (i + 1 < constraints->count && passes(walk, first_bits(i + 1), effort))
        i++;
    const struct constraint *constraint = &constraints->constraint[i];
    bool alone = !passes(walk, (uint64_t)1 << i, effort);
    return dm_fail(DM_INVALID, "%.400s:%zu: no configuration%s passes `%.*s`", name,
                   constraint->line, alone ? "" : " that passes the constraints before it",
                   (int)constraint->length, constraint->text);
}

enum dm_status space_enumerate(struct tuner_space *space, const struct constraints *constraints,
                               size_t effort, const char *name)
{
    struct walk walk = {.space = space,
                        .constraints = constraints,
                        .effort = effort,
                        .limit = TUNER_CONFIGURATIONS_MAX,
                        .capacity = 1024};
    walk.indices = allocate(walk.capacity * space->dimensions, sizeof *walk.indices);
    if (!walk.indices)
        return DM_NO_MEMORY;
    start_walk(&walk, first_bits(constraints->count));
    space->indices = walk.indices;
    space->size = walk.found;
    if (walk.end == NO_MEMORY)
        return DM_NO_MEMORY;
    if (walk.end == TOO_MUCH_EFFORT)
        return dm_fail(DM_INVALID,
                       "%.400s: finding the configurations takes more than %zu operations: put "
                       "parameters with a common constraint next to one another",
                       name, effort);
    if (walk.end == ENOUGH)
        return dm_fail(DM_INVALID, "%.400s: there are more than %d configurations", name,
                       TUNER_CONFIGURATIONS_MAX);
    return walk.found > 0 ? DM_OK : explain_empty(&walk, effort, name);
}
