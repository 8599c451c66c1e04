/* device_copies.c: lists of copies between locations. */
#include "device_copies.h"

#include <stdio.h>
#include <stdlib.h>

bool device_copies_no_memory(char reason[PARTITION_REASON])
{
    snprintf(reason, PARTITION_REASON, "the host's memory does not hold the list of bytes to copy");
    return false;
}

bool device_copies_unit_is_valid(bool coalesce, int64_t unit, char reason[PARTITION_REASON])
{
    if (coalesce || unit > 0)
        return true;
    snprintf(reason, PARTITION_REASON, "copies of %lld bytes each cannot be made", (long long)unit);
    return false;
}

static bool push(struct device_copies *copies, struct device_copy copy)
{
    if (copies->count == copies->capacity) {
        size_t capacity = copies->capacity ? 2 * copies->capacity : 8;
        struct device_copy *items = realloc(copies->items, capacity * sizeof *items);
        if (!items)
            return false;
        copies->items = items;
        copies->capacity = capacity;
    }
    copies->items[copies->count++] = copy;
    return true;
}

static bool add_runs(struct device_copies *copies, int from, int to, const struct intervals *bytes)
{
    struct strided *runs;
    ptrdiff_t count = intervals_strided(bytes, &runs);
    bool added = count >= 0;
    for (ptrdiff_t i = 0; added && i < count; i++)
        added = push(copies, (struct device_copy){from, to, runs[i]});
    free(runs);
    return added;
}

static bool add_units(struct device_copies *copies, int from, int to, struct index_range bytes,
                      int64_t unit)
{
    for (int64_t begin = bytes.begin; begin < bytes.end; begin += unit) {
        int64_t length = bytes.end - begin < unit ? bytes.end - begin : unit;
        if (!push(copies, (struct device_copy){from, to, {begin, length, 1, length}}))
            return false;
    }
    return true;
}

bool device_copies_add(struct device_copies *copies, int from, int to,
                       const struct intervals *bytes, bool coalesce, int64_t unit)
{
    if (coalesce)
        return add_runs(copies, from, to, bytes);
    for (size_t i = 0; i < bytes->count; i++)
        if (!add_units(copies, from, to, bytes->items[i], unit))
            return false;
    return true;
}
