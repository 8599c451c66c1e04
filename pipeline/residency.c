#include "residency.h"

/* The slot of a slice that an entry about a ring buffer covers; -1: the array has no ring. */
static long slot_of(const struct trace_entry *copy, long slice)
{
    return copy->slots > 0 ? (copy->slot + slice - copy->first) % copy->slots : -1;
}

static bool covers(const struct trace_entry *entry, long slice)
{
    return entry->first <= slice && slice < entry->end;
}

/* The latest copy to the device that brought the slice before `start_s`, NULL if there is none.
 * Arrays that are on the device as a whole may have come in an earlier round. */
static const struct trace_entry *arrival(const struct copies_trace *trace, int array, bool whole,
                                         long slice, long round, double start_s)
{
    const struct trace_entry *latest = NULL;
    for (long i = 0; i < trace->count; i++) {
        const struct trace_entry *copy = &trace->entries[i];
        bool in_round = copy->round == round || (whole && copy->round < round);
        if (copy->kind == TRACE_TO_DEVICE && copy->array == array && in_round &&
            covers(copy, slice) && copy->end_s <= start_s &&
            (!latest || copy->end_s > latest->end_s))
            latest = copy;
    }
    return latest;
}

/* Whether a copy puts another slice into a slot of the array within a span of time. */
static bool is_overwritten(const struct copies_trace *trace, int array, long slot, long slice,
                           double from_s, double to_s)
{
    for (long i = 0; slot >= 0 && i < trace->count; i++) {
        const struct trace_entry *copy = &trace->entries[i];
        if (copy->kind != TRACE_TO_DEVICE || copy->array != array || copy->end_s <= from_s ||
            copy->start_s >= to_s)
            continue;
        for (long other = copy->first; other < copy->end; other++)
            if (other != slice && slot_of(copy, other) == slot)
                return true;
    }
    return false;
}

static bool has_input(const struct dm_region *region, const struct copies_trace *trace,
                      const struct trace_entry *kernel, int array)
{
    const struct dm_region_array *input = &region->arrays[array];
    long first, end;
    dm_region_window(input, kernel->first, kernel->end, &first, &end);
    for (long slice = first; slice < end; slice++) {
        const struct trace_entry *copy = arrival(trace, array, input->split == DM_REGION_WHOLE,
                                                 slice, kernel->round, kernel->start_s);
        if (!copy ||
            is_overwritten(trace, array, slot_of(copy, slice), slice, copy->end_s, kernel->end_s))
            return false;
    }
    return true;
}

/* Whether a chunk of kernels writes the slice. */
static bool writes(const struct dm_region_array *array, const struct trace_entry *kernel,
                   long slice)
{
    return array->split == DM_REGION_WHOLE ||
           (kernel->first <= slice - array->offset && slice - array->offset < kernel->end);
}

/* Whether kernels of other iterations write to the slot between the slice's own kernels, which
 * ended at from_s, and to_s. */
static bool is_rewritten(const struct dm_region_array *array, const struct copies_trace *trace,
                         const struct trace_entry *copy, long slice, double from_s, double to_s)
{
    for (long i = 0; copy->slots > 0 && i < trace->count; i++) {
        const struct trace_entry *kernel = &trace->entries[i];
        if (kernel->kind != TRACE_KERNEL || kernel->end_s <= from_s || kernel->start_s >= to_s)
            continue;
        for (long other = kernel->first + array->offset; other < kernel->end + array->offset;
             other++)
            if ((other - slice) % copy->slots == 0 &&
                (other != slice || kernel->round != copy->round))
                return true;
    }
    return false;
}

static bool is_result_ready(const struct dm_region *region, const struct copies_trace *trace,
                            const struct trace_entry *copy, long slice)
{
    const struct dm_region_array *array = &region->arrays[copy->array];
    bool written = false;
    double ended_s = 0.0;
    for (long i = 0; i < trace->count; i++) {
        const struct trace_entry *kernel = &trace->entries[i];
        if (kernel->kind != TRACE_KERNEL || kernel->round != copy->round ||
            !writes(array, kernel, slice))
            continue;
        if (kernel->end_s > copy->start_s)
            return false;
        written = true;
        ended_s = kernel->end_s > ended_s ? kernel->end_s : ended_s;
    }
    return written && !is_rewritten(array, trace, copy, slice, ended_s, copy->end_s) &&
           !is_overwritten(trace, copy->array, slot_of(copy, slice), slice, ended_s, copy->end_s);
}

static bool is_in_its_slot(const struct trace_entry *copy)
{
    return copy->slots > 0 ? copy->slot == copy->first % copy->slots : copy->slot == -1;
}

bool residency_in_order(const struct dm_region *region, const struct copies_trace *trace,
                        long index)
{
    const struct trace_entry *entry = &trace->entries[index];
    if (entry->kind == TRACE_TO_DEVICE)
        return is_in_its_slot(entry);
    if (entry->kind == TRACE_KERNEL) {
        for (int array = 0; array < region->array_count; array++)
            if (region->arrays[array].direction & DM_REGION_TO &&
                !has_input(region, trace, entry, array))
                return false;
        return true;
    }
    for (long slice = entry->first; slice < entry->end; slice++)
        if (!is_result_ready(region, trace, entry, slice))
            return false;
    return is_in_its_slot(entry);
}
