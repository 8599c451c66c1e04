#include "bench_order.h"

/* All entries of that role (and array, unless -1) that cover `place` ended before ready_s, and
 * there is one. */
static bool is_over(const struct blp_trace *trace, enum blp_role role, int array, long place,
                    double ready_s)
{
    bool found = false;
    for (long i = 0; i < trace->count; i++) {
        const struct blp_trace_entry *entry = &trace->entries[i];
        if (entry->role != role || entry->array != array || place < entry->first ||
            place >= entry->end)
            continue;
        if (entry->end_s > ready_s)
            return false;
        found = true;
    }
    return found;
}

static bool has_inputs(const struct dm_region *region, const struct blp_trace *trace,
                       const struct blp_trace_entry *task)
{
    for (int a = 0; a < region->array_count; a++) {
        if (!(region->arrays[a].direction & DM_REGION_TO))
            continue;
        long first, end;
        dm_region_window(&region->arrays[a], task->first, task->end, &first, &end);
        for (long slice = first; slice < end; slice++)
            if (!is_over(trace, BLP_COPY_IN, a, slice, task->ready_s))
                return false;
    }
    return true;
}

static bool has_results(const struct dm_region *region, const struct blp_trace *trace,
                        const struct blp_trace_entry *copy)
{
    const struct dm_region_array *array = &region->arrays[copy->array];
    const bool whole = array->split == DM_REGION_WHOLE;
    const long first = whole ? region->begin : copy->first - array->offset;
    const long end = whole ? region->end : copy->end - array->offset;
    for (long i = first; i < end; i++)
        if (!is_over(trace, BLP_COMPUTE, -1, i, copy->ready_s))
            return false;
    return true;
}

bool is_in_order(const struct dm_region *region, const struct blp_trace *trace, long index)
{
    const struct blp_trace_entry *entry = &trace->entries[index];
    if (entry->ready_s < entry->start_s || entry->end_s < entry->ready_s)
        return false;
    if (entry->role == BLP_COMPUTE)
        return has_inputs(region, trace, entry);
    return entry->role == BLP_COPY_IN || has_results(region, trace, entry);
}
