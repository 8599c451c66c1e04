#include "prefetch/sip/loop.h"

/* Moves the set on by `steps` sets of the full product, the rightmost index fastest. Carries as an
 * odometer does, so no product of ranges is ever computed. False: past the end. */
static bool advance(const struct loop *loop, struct index_set *set, int steps)
{
    int64_t carry = steps;
    for (int i = loop->count - 1; i >= 0 && carry > 0; i--) {
        int64_t extent = (int64_t)loop->high[i] - loop->low[i] + 1;
        int64_t offset = (int64_t)set->value[i] - loop->low[i] + carry;
        set->value[i] = (int)(loop->low[i] + offset % extent);
        carry = offset / extent;
    }
    return carry == 0;
}

static void restart(const struct loop *loop, struct index_set *set, int from_index)
{
    for (int i = from_index; i < loop->count; i++)
        set->value[i] = loop->low[i];
}

/* ---- the map of a sparse array ---- */

static int value_of_dimension(const struct loop *loop, const struct index_set *set, int d)
{
    int index = loop->map_index[d];
    return index < 0 ? loop->map_fixed[d] : set->value[index];
}

/* Which value index k must have at least, if the indices before it keep theirs and some block is to
 * exist. */
static bool smallest_value(const struct loop *loop, const struct index_set *set, int k, int *value)
{
    enum block_role roles[BLOCK_MAP_RANK_MAX];
    int values[BLOCK_MAP_RANK_MAX];
    for (int d = 0; d < block_map_rank(loop->map); d++) {
        int index = loop->map_index[d];
        roles[d] = index < k ? BLOCK_GIVEN : index == k ? BLOCK_ASKED : BLOCK_FREE;
        values[d] = value_of_dimension(loop, set, d);
    }
    return block_map_smallest(loop->map, roles, values, set->value[k], value) &&
           *value <= loop->high[k];
}

/* Moves on to the first set, from this one on, whose block exists: index by index from the left, so
 * that where no block continues a row the whole row is left out. The set is the loop's first one or
 * follows one with a block: where its row is empty, it is the row's first. False: there is none. */
static bool jump_to_block(const struct loop *loop, struct index_set *set)
{
    int k = 0, value;
    while (k < loop->count) {
        if (smallest_value(loop, set, k, &value)) {
            set->value[k++] = value;
            continue;
        }
        do
            k--;
        while (k >= 0 && set->value[k] == loop->high[k]);
        if (k < 0)
            return false;
        set->value[k]++;
        restart(loop, set, k + 1);
    }
    return true;
}

static bool has_block(const struct loop *loop, const struct index_set *set)
{
    int values[BLOCK_MAP_RANK_MAX];
    for (int d = 0; d < block_map_rank(loop->map); d++)
        values[d] = value_of_dimension(loop, set, d);
    return block_map_has(loop->map, values);
}

/* ---- the source ---- */

static bool jumps(const struct loop *loop)
{
    return loop->kind == LOOP_FRAGMENTED && loop->map;
}

static bool deals_valid_sets(const struct loop *loop)
{
    return loop->kind == LOOP_BALANCED || loop->kind == LOOP_FRAGMENTED;
}

/* Steps from one set that is looked at to the next one. */
static int stride(const struct loop *loop)
{
    return loop->kind == LOOP_STATIC ? loop->workers : 1;
}

static bool passes(const struct loop *loop, const struct index_set *set)
{
    if (loop->looked_at)
        ++*loop->looked_at;
    if (loop->map && !jumps(loop) && !has_block(loop, set))
        return false;
    return !loop->valid || loop->valid(loop->valid_context, set);
}

/* From this set on, leaves `others` valid sets to other workers and stops at the next valid one. */
static bool find(const struct loop *loop, struct index_set *set, int others)
{
    do {
        if (jumps(loop) && !jump_to_block(loop, set))
            return false;
        if (passes(loop, set) && others-- == 0)
            return true;
    } while (advance(loop, set, stride(loop)));
    return false;
}

static bool first(const void *context, struct index_set *set)
{
    const struct loop *loop = context;
    if (loop->kind == LOOP_SEQUENTIAL && loop->worker != 0)
        return false;
    for (int i = 0; i < loop->count; i++)
        if (loop->high[i] < loop->low[i])
            return false;
    *set = (struct index_set){0};
    restart(loop, set, 0);
    if (loop->kind == LOOP_STATIC && !advance(loop, set, loop->worker))
        return false;
    return find(loop, set, deals_valid_sets(loop) ? loop->worker : 0);
}

static bool next(const void *context, const struct index_set *current, struct index_set *next)
{
    const struct loop *loop = context;
    *next = *current;
    return advance(loop, next, stride(loop)) &&
           find(loop, next, deals_valid_sets(loop) ? loop->workers - 1 : 0);
}

struct index_source loop_source(const struct loop *loop)
{
    return (struct index_source){.first = first, .next = next, .context = loop};
}
