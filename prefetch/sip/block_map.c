#include "prefetch/sip/block_map.h"

#include <stdlib.h>

#include "common/error.h"

struct block_map {
    int rank;
    int low[BLOCK_MAP_RANK_MAX];
    int64_t extent[BLOCK_MAP_RANK_MAX];
    int64_t stride[BLOCK_MAP_RANK_MAX]; /* difference of the numbers of two neighbours */
    int64_t total;
    size_t count;
    int64_t blocks[]; /* ascending: a row, and any longer common prefix, is one stretch */
};

static enum dm_status set_shape(struct block_map *map, int rank, const int *low, const int *high)
{
    map->rank = rank;
    map->total = 1;
    for (int d = rank - 1; d >= 0; d--) {
        map->low[d] = low[d];
        map->extent[d] = high[d] < low[d] ? 0 : (int64_t)high[d] - low[d] + 1;
        map->stride[d] = map->total;
        if (__builtin_mul_overflow(map->total, map->extent[d], &map->total))
            return dm_fail(DM_INVALID, "an array of rank %d has more than 2^63 blocks", rank);
    }
    return DM_OK;
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static enum dm_status set_blocks(struct block_map *map, const int64_t *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (blocks[i] < 0 || blocks[i] >= map->total)
            return dm_fail(DM_INVALID, "block %lld of a sparse array: they are 0 to %lld",
                           (long long)blocks[i], (long long)map->total - 1);
        map->blocks[i] = blocks[i];
    }
    map->count = count;
    qsort(map->blocks, count, sizeof *map->blocks, compare);
    return DM_OK;
}

enum dm_status block_map_create(struct block_map **created, int rank, const int *low,
                                const int *high, const int64_t *blocks, size_t count)
{
    *created = NULL;
    if (rank < 1 || rank > BLOCK_MAP_RANK_MAX)
        return dm_fail(DM_INVALID, "a sparse array of rank %d: 1 to %d are possible", rank,
                       BLOCK_MAP_RANK_MAX);
    size_t bytes = sizeof(struct block_map) + count * sizeof *blocks;
    struct block_map *map = malloc(bytes);
    if (!map)
        return error_no_memory(bytes);
    enum dm_status status = set_shape(map, rank, low, high);
    if (status == DM_OK)
        status = set_blocks(map, blocks, count);
    if (status == DM_OK)
        *created = map;
    else
        free(map);
    return status;
}

void block_map_destroy(struct block_map *map)
{
    free(map);
}

int block_map_rank(const struct block_map *map)
{
    return map->rank;
}

static int value_at(const struct block_map *map, size_t at, int d)
{
    return (int)(map->low[d] + map->blocks[at] / map->stride[d] % map->extent[d]);
}

/* The first position in a stretch whose blocks agree in all dimensions before d, and have at least
 * this value in d. */
static size_t lower_bound(const struct block_map *map, size_t begin, size_t end, int d,
                          int64_t value)
{
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (value_at(map, middle, d) < value)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

struct question {
    const struct block_map *map;
    const enum block_role *roles;
    const int *values;
    int from;
};

/* Answers for a stretch of at least one block, all of which suit the dimensions before d. `common`:
 * the value that dimension before d which was asked for has; NULL: there was none. */
static bool search(const struct question *question, int d, size_t begin, size_t end,
                   const int *common, int *smallest)
{
    const struct block_map *map = question->map;
    if (d == map->rank) {
        *smallest = common ? *common : question->from;
        return true;
    }
    enum block_role role = question->roles[d];
    bool open = role == BLOCK_ASKED && !common;
    int exact = role == BLOCK_ASKED && common ? *common : question->values[d];
    int64_t least = role == BLOCK_FREE ? INT64_MIN : open ? question->from : exact;
    int64_t most = role == BLOCK_FREE || open ? INT64_MAX : exact;
    bool found = false;
    for (size_t at = lower_bound(map, begin, end, d, least), after; at < end; at = after) {
        int value = value_at(map, at, d), candidate = 0;
        if (value > most)
            break;
        after = lower_bound(map, at, end, d, (int64_t)value + 1);
        if (!search(question, d + 1, at, after, open ? &value : common, &candidate))
            continue;
        if (!found || candidate < *smallest)
            *smallest = candidate;
        found = true;
        if (role != BLOCK_FREE || common || candidate == question->from)
            break; /* nothing smaller can follow */
    }
    return found;
}

bool block_map_smallest(const struct block_map *map, const enum block_role *roles,
                        const int *values, int from, int *smallest)
{
    struct question question = {.map = map, .roles = roles, .values = values, .from = from};
    return map->count > 0 && search(&question, 0, 0, map->count, NULL, smallest);
}

bool block_map_has(const struct block_map *map, const int *values)
{
    static const enum block_role given[BLOCK_MAP_RANK_MAX] = {BLOCK_GIVEN};
    int found;
    return block_map_smallest(map, given, values, 0, &found);
}
