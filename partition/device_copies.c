/* device_copies.c: lists of copies between locations. */
#include "device_copies.h"

#include <stdlib.h>

#include "common/error.h"

enum dm_status device_copies_check_unit(bool coalesce, int64_t unit)
{
    if (coalesce || unit > 0)
        return DM_OK;
    return dm_fail(DM_INVALID, "copies of %lld bytes each cannot be made", (long long)unit);
}

static enum dm_status push(struct device_copies *copies, struct partition_copy copy)
{
    if (copies->count == copies->capacity) {
        size_t capacity = copies->capacity ? 2 * copies->capacity : 8;
        struct partition_copy *items = realloc(copies->items, capacity * sizeof *items);
        if (!items)
            return error_no_memory(capacity * sizeof *items);
        copies->items = items;
        copies->capacity = capacity;
    }
    copies->items[copies->count++] = copy;
    return DM_OK;
}

static enum dm_status add_runs(struct device_copies *copies, int from, int to,
                               const struct partition_intervals *bytes)
{
    struct partition_runs *runs;
    size_t count;
    enum dm_status status = intervals_strided(bytes, &runs, &count);
    for (size_t i = 0; status == DM_OK && i < count; i++)
        status = push(copies, (struct partition_copy){from, to, runs[i]});
    free(runs);
    return status;
}

static enum dm_status add_units(struct device_copies *copies, int from, int to,
                                struct partition_range bytes, int64_t unit)
{
    for (int64_t begin = bytes.begin; begin < bytes.end; begin += unit) {
        int64_t length = bytes.end - begin < unit ? bytes.end - begin : unit;
        TRY(push(copies, (struct partition_copy){from, to, {begin, length, 1, length}}));
    }
    return DM_OK;
}

enum dm_status device_copies_add(struct device_copies *copies, int from, int to,
                                 const struct partition_intervals *bytes, bool coalesce,
                                 int64_t unit)
{
    if (coalesce)
        return add_runs(copies, from, to, bytes);
    for (size_t i = 0; i < bytes->count; i++)
        TRY(add_units(copies, from, to, bytes->items[i], unit));
    return DM_OK;
}
