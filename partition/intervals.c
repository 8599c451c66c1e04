/* intervals.c: operations on sorted, disjoint intervals. */
#include "intervals.h"

#include <stdlib.h>
#include <string.h>

#include "common/random.h"

void intervals_free(struct intervals *set)
{
    free(set->items);
    *set = (struct intervals){0};
}

void intervals_free_array(struct intervals *sets, int count)
{
    for (int i = 0; sets && i < count; i++)
        intervals_free(&sets[i]);
    free(sets);
}

static bool reserve(struct intervals *set, size_t capacity)
{
    if (capacity <= set->capacity)
        return true;
    if (capacity > PTRDIFF_MAX / sizeof *set->items)
        return false;
    struct index_range *items = realloc(set->items, capacity * sizeof *items);
    if (!items)
        return false;
    set->items = items;
    set->capacity = capacity;
    return true;
}

/* Empties the set and makes room for the union, the intersection or the
 * difference of two sets: none of them has more intervals than both operands
 * together. */
static bool prepare(struct intervals *out, const struct intervals *a, const struct intervals *b)
{
    out->count = 0;
    return reserve(out, a->count + b->count);
}

bool intervals_push(struct intervals *set, int64_t begin, int64_t end)
{
    if (begin >= end)
        return true;
    if (set->count == set->capacity && !reserve(set, set->capacity ? 2 * set->capacity : 4))
        return false;
    set->items[set->count++] = (struct index_range){begin, end};
    return true;
}

static int compare_begins(const void *left, const void *right)
{
    const struct index_range *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Sets that are listed row by row come in order: no sorting then. */
static bool is_sorted(const struct intervals *set)
{
    for (size_t i = 1; i < set->count; i++)
        if (set->items[i].begin < set->items[i - 1].begin)
            return false;
    return true;
}

/* Puts an interval that begins at or behind the last one's begin; there is
 * room. */
static void append(struct intervals *set, struct index_range item)
{
    struct index_range *last = set->count ? &set->items[set->count - 1] : NULL;
    if (!last || item.begin > last->end)
        set->items[set->count++] = item;
    else if (item.end > last->end)
        last->end = item.end;
}

void intervals_normalise(struct intervals *set)
{
    if (!is_sorted(set))
        qsort(set->items, set->count, sizeof *set->items, compare_begins);
    size_t count = set->count;
    set->count = 0;
    for (size_t i = 0; i < count; i++)
        append(set, set->items[i]);
}

bool intervals_copy(struct intervals *out, const struct intervals *a)
{
    out->count = 0;
    if (!reserve(out, a->count))
        return false;
    if (a->count > 0)
        memcpy(out->items, a->items, a->count * sizeof *a->items);
    out->count = a->count;
    return true;
}

bool intervals_union(struct intervals *out, const struct intervals *a, const struct intervals *b)
{
    if (!prepare(out, a, b))
        return false;
    size_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        bool take_a = j == b->count || (i < a->count && a->items[i].begin <= b->items[j].begin);
        append(out, take_a ? a->items[i++] : b->items[j++]);
    }
    return true;
}

bool intervals_intersect(struct intervals *out, const struct intervals *a,
                         const struct intervals *b)
{
    if (!prepare(out, a, b))
        return false;
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        struct index_range x = a->items[i], y = b->items[j];
        struct index_range common = {x.begin > y.begin ? x.begin : y.begin,
                                     x.end < y.end ? x.end : y.end};
        if (common.begin < common.end)
            out->items[out->count++] = common;
        if (x.end < y.end)
            i++;
        else
            j++;
    }
    return true;
}

bool intervals_subtract(struct intervals *out, const struct intervals *a, const struct intervals *b)
{
    if (!prepare(out, a, b))
        return false;
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        struct index_range rest = a->items[i];
        while (j < b->count && b->items[j].end <= rest.begin)
            j++;
        for (; j < b->count && b->items[j].begin < rest.end; j++) {
            if (b->items[j].begin > rest.begin)
                out->items[out->count++] = (struct index_range){rest.begin, b->items[j].begin};
            rest.begin = b->items[j].end;
            if (rest.begin >= rest.end)
                break; /* this one may reach into the next item of a */
        }
        if (rest.begin < rest.end)
            out->items[out->count++] = rest;
    }
    return true;
}

static bool replace(struct intervals *set, struct intervals *result, bool is_computed)
{
    if (is_computed) {
        struct intervals old = *set;
        *set = *result;
        *result = old;
    }
    intervals_free(result);
    return is_computed;
}

bool intervals_add(struct intervals *set, const struct intervals *b)
{
    struct intervals result = {0};
    return b->count == 0 || replace(set, &result, intervals_union(&result, set, b));
}

bool intervals_remove(struct intervals *set, const struct intervals *b)
{
    struct intervals result = {0};
    return b->count == 0 || replace(set, &result, intervals_subtract(&result, set, b));
}

bool intervals_scale(struct intervals *out, const struct intervals *a, int64_t scale,
                     int64_t offset)
{
    out->count = 0;
    if (!reserve(out, a->count))
        return false;
    for (size_t i = 0; i < a->count; i++) {
        struct index_range *item = &out->items[i];
        if (__builtin_mul_overflow(scale, a->items[i].begin, &item->begin) ||
            __builtin_mul_overflow(scale, a->items[i].end, &item->end) ||
            __builtin_add_overflow(offset, item->begin, &item->begin) ||
            __builtin_add_overflow(offset, item->end, &item->end))
            return false;
    }
    out->count = a->count;
    return true;
}

bool intervals_equal(const struct intervals *a, const struct intervals *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

uint64_t intervals_hash(const struct intervals *set, uint64_t seed)
{
    uint64_t hash = random_bits(seed, set->count);
    for (size_t i = 0; i < set->count; i++) {
        hash = random_bits(hash, (uint64_t)set->items[i].begin);
        hash = random_bits(hash, (uint64_t)set->items[i].end);
    }
    return hash;
}

int64_t intervals_total(const struct intervals *set)
{
    int64_t total = 0;
    for (size_t i = 0; i < set->count; i++)
        total += set->items[i].end - set->items[i].begin;
    return total;
}
