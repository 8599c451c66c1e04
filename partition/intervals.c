/* intervals.c: operations on sorted, disjoint intervals. */
#include "intervals.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

void partition_intervals_free(struct partition_intervals *set)
{
    free(set->items);
    *set = (struct partition_intervals){0};
}

void intervals_free_array(struct partition_intervals *sets, int count)
{
    for (int i = 0; sets && i < count; i++)
        partition_intervals_free(&sets[i]);
    free(sets);
}

static enum dm_status reserve(struct partition_intervals *set, size_t capacity)
{
    if (capacity <= set->capacity)
        return DM_OK;
    struct partition_range *items = NULL;
    if (capacity <= PTRDIFF_MAX / sizeof *items)
        items = realloc(set->items, capacity * sizeof *items);
    if (!items)
        return error_no_memory(capacity * sizeof *items);
    set->items = items;
    set->capacity = capacity;
    return DM_OK;
}

/* Empties the set and makes room for the union, the intersection or the
 * difference of two sets: none of them has more intervals than both operands
 * together. */
static enum dm_status prepare(struct partition_intervals *out, const struct partition_intervals *a,
                              const struct partition_intervals *b)
{
    out->count = 0;
    return reserve(out, a->count + b->count);
}

enum dm_status partition_intervals_push(struct partition_intervals *set, int64_t begin, int64_t end)
{
    if (begin >= end)
        return DM_OK;
    if (set->count == set->capacity)
        TRY(reserve(set, set->capacity ? 2 * set->capacity : 4));
    set->items[set->count++] = (struct partition_range){begin, end};
    return DM_OK;
}

static int compare_begins(const void *left, const void *right)
{
    const struct partition_range *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Sets that are listed row by row come in order: no sorting then. */
static bool is_sorted(const struct partition_intervals *set)
{
    for (size_t i = 1; i < set->count; i++)
        if (set->items[i].begin < set->items[i - 1].begin)
            return false;
    return true;
}

/* Puts an interval that begins at or behind the last one's begin; there is
 * room. */
static void append(struct partition_intervals *set, struct partition_range item)
{
    struct partition_range *last = set->count ? &set->items[set->count - 1] : NULL;
    if (!last || item.begin > last->end)
        set->items[set->count++] = item;
    else if (item.end > last->end)
        last->end = item.end;
}

void partition_intervals_normalise(struct partition_intervals *set)
{
    if (!is_sorted(set))
        qsort(set->items, set->count, sizeof *set->items, compare_begins);
    size_t count = set->count;
    set->count = 0;
    for (size_t i = 0; i < count; i++)
        append(set, set->items[i]);
}

enum dm_status intervals_copy(struct partition_intervals *out, const struct partition_intervals *a)
{
    out->count = 0;
    TRY(reserve(out, a->count));
    if (a->count > 0)
        memcpy(out->items, a->items, a->count * sizeof *a->items);
    out->count = a->count;
    return DM_OK;
}

enum dm_status intervals_union(struct partition_intervals *out, const struct partition_intervals *a,
                               const struct partition_intervals *b)
{
    TRY(prepare(out, a, b));
    size_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        bool take_a = j == b->count || (i < a->count && a->items[i].begin <= b->items[j].begin);
        append(out, take_a ? a->items[i++] : b->items[j++]);
    }
    return DM_OK;
}

enum dm_status intervals_intersect(struct partition_intervals *out,
                                   const struct partition_intervals *a,
                                   const struct partition_intervals *b)
{
    TRY(prepare(out, a, b));
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        struct partition_range x = a->items[i], y = b->items[j];
        struct partition_range common = {x.begin > y.begin ? x.begin : y.begin,
                                         x.end < y.end ? x.end : y.end};
        if (common.begin < common.end)
            out->items[out->count++] = common;
        if (x.end < y.end)
            i++;
        else
            j++;
    }
    return DM_OK;
}

enum dm_status intervals_subtract(struct partition_intervals *out,
                                  const struct partition_intervals *a,
                                  const struct partition_intervals *b)
{
    TRY(prepare(out, a, b));
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        struct partition_range rest = a->items[i];
        while (j < b->count && b->items[j].end <= rest.begin)
            j++;
        for (; j < b->count && b->items[j].begin < rest.end; j++) {
            if (b->items[j].begin > rest.begin)
                out->items[out->count++] = (struct partition_range){rest.begin, b->items[j].begin};
            rest.begin = b->items[j].end;
            if (rest.begin >= rest.end)
                break; /* this one may reach into the next item of a */
        }
        if (rest.begin < rest.end)
            out->items[out->count++] = rest;
    }
    return DM_OK;
}

/* Puts the result in the set's place, if it could be computed. */
static enum dm_status replace(struct partition_intervals *set, struct partition_intervals *result,
                              enum dm_status computed)
{
    if (computed == DM_OK) {
        struct partition_intervals old = *set;
        *set = *result;
        *result = old;
    }
    partition_intervals_free(result);
    return computed;
}

enum dm_status intervals_add(struct partition_intervals *set, const struct partition_intervals *b)
{
    struct partition_intervals result = {0};
    if (b->count == 0)
        return DM_OK;
    return replace(set, &result, intervals_union(&result, set, b));
}

enum dm_status intervals_remove(struct partition_intervals *set,
                                const struct partition_intervals *b)
{
    struct partition_intervals result = {0};
    if (b->count == 0)
        return DM_OK;
    return replace(set, &result, intervals_subtract(&result, set, b));
}

enum dm_status intervals_scale(struct partition_intervals *out, const struct partition_intervals *a,
                               int64_t scale, int64_t offset)
{
    out->count = 0;
    TRY(reserve(out, a->count));
    for (size_t i = 0; i < a->count; i++) {
        struct partition_range *item = &out->items[i];
        if (__builtin_mul_overflow(scale, a->items[i].begin, &item->begin) ||
            __builtin_mul_overflow(scale, a->items[i].end, &item->end) ||
            __builtin_add_overflow(offset, item->begin, &item->begin) ||
            __builtin_add_overflow(offset, item->end, &item->end))
            return dm_fail(DM_INVALID, "an index is beyond 64 bits");
    }
    out->count = a->count;
    return DM_OK;
}

bool intervals_equal(const struct partition_intervals *a, const struct partition_intervals *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

uint64_t intervals_hash(const struct partition_intervals *set, uint64_t seed)
{
    uint64_t hash = random_bits(seed, set->count);
    for (size_t i = 0; i < set->count; i++) {
        hash = random_bits(hash, (uint64_t)set->items[i].begin);
        hash = random_bits(hash, (uint64_t)set->items[i].end);
    }
    return hash;
}

int64_t intervals_total(const struct partition_intervals *set)
{
    int64_t total = 0;
    for (size_t i = 0; i < set->count; i++)
        total += set->items[i].end - set->items[i].begin;
    return total;
}
