/* copies_trace_check.h: judges a traced run: whether every slice was there when a kernel needed
 * it, and stayed until it was no longer needed. */
#ifndef TESTS_UNIT_COMMON_COPIES_TRACE_CHECK_H
#define TESTS_UNIT_COMMON_COPIES_TRACE_CHECK_H

#include <datamotion/region.h>
#include "common/regions/copies_trace.h"

struct traced_run {
    const struct dm_region *region;
    const struct copies_trace *trace;
    long slots[DM_REGION_ARRAYS]; /* of rings that are copied; 1 for whole arrays */
};

static inline struct traced_run traced_run_make(const struct dm_region *region,
                                                const struct copies_trace *trace)
{
    struct traced_run run = {region, trace, {0}};
    for (int a = 0; a < region->array_count; a++)
        run.slots[a] = region->arrays[a].split == DM_REGION_WHOLE ? 1 : 0;
    for (long i = 0; i < trace->count; i++)
        if (trace->entries[i].slot >= 0)
            run.slots[trace->entries[i].array] = trace->entries[i].slots;
    return run;
}

static inline bool trace_covers(const struct trace_entry *entry, long slice)
{
    return entry->first <= slice && slice < entry->end;
}

/* The copy of a slice in a round, or NULL; more than one counts as an error. */
static inline const struct trace_entry *trace_find(const struct traced_run *run,
                                                   enum trace_kind kind, int array, long round,
                                                   long slice, long *errors)
{
    const struct trace_entry *found = NULL;
    for (long i = 0; i < run->trace->count; i++) {
        const struct trace_entry *e = &run->trace->entries[i];
        if (e->kind != kind || e->array != array || e->round != round || !trace_covers(e, slice))
            continue;
        *errors += found != NULL;
        found = e;
    }
    *errors += found == NULL;
    return found;
}

/* Whether the entry uses the slot, other than for this slice in this round. */
static inline bool trace_uses_slot(const struct traced_run *run, const struct trace_entry *entry,
                                   int array, long round, long slice)
{
    long slots = run->slots[array], first = entry->first, end = entry->end;
    if (entry->kind == TRACE_KERNEL)
        dm_region_window(&run->region->arrays[array], first, end, &first, &end);
    else if (entry->array != array)
        return false;
    for (long other = first; other < end; other++)
        if (other % slots == slice % slots && (other != slice || entry->round != round))
            return true;
    return false;
}

/* Others that use the slot between two times. Reading kernels do no harm. */
static inline long trace_intruders(const struct traced_run *run, int array, long round, long slice,
                                   double from_s, double to_s)
{
    long intruders = 0;
    for (long i = 0; i < run->trace->count; i++) {
        const struct trace_entry *e = &run->trace->entries[i];
        if (e->start_s >= to_s || e->end_s <= from_s)
            continue;
        if (e->kind == TRACE_KERNEL && run->region->arrays[array].direction == DM_REGION_TO)
            continue;
        intruders += trace_uses_slot(run, e, array, round, slice);
    }
    return intruders;
}

/* The slices of an array that a kernel entry needs: from the copy in to the kernel's end, or from
 * the kernel's start to the copy out, the slot is theirs. */
static inline long trace_kernel_errors(const struct traced_run *run,
                                       const struct trace_entry *kernel, int array)
{
    const struct dm_region_array *a = &run->region->arrays[array];
    long first, end, errors = 0;
    dm_region_window(a, kernel->first, kernel->end, &first, &end);
    for (long slice = first; slice < end; slice++) {
        double from_s = kernel->start_s, to_s = kernel->end_s;
        if (a->direction & DM_REGION_TO) {
            const struct trace_entry *in =
                trace_find(run, TRACE_TO_DEVICE, array, kernel->round, slice, &errors);
            errors += in && in->end_s > kernel->start_s;
            from_s = in ? in->start_s : from_s;
        }
        if (a->direction & DM_REGION_FROM) {
            const struct trace_entry *out =
                trace_find(run, TRACE_FROM_DEVICE, array, kernel->round, slice, &errors);
            errors += out && out->start_s < kernel->end_s;
            to_s = out ? out->end_s : to_s;
        }
        errors += trace_intruders(run, array, kernel->round, slice, from_s, to_s);
    }
    return errors;
}

/* A copy in begins when the copies out of the round before to the same host slices have ended. */
static inline long trace_host_errors(const struct traced_run *run, const struct trace_entry *in)
{
    long errors = 0;
    void *host = dm_region_host(run->region, in->array, in->round);
    for (long i = 0; i < run->trace->count; i++) {
        const struct trace_entry *out = &run->trace->entries[i];
        if (out->kind == TRACE_FROM_DEVICE && out->round == in->round - 1 &&
            dm_region_host(run->region, out->array, out->round) == host && out->first < in->end &&
            in->first < out->end)
            errors += out->end_s > in->start_s;
    }
    return errors;
}

/* Everything that is wrong with the run: 0 for a good one. */
static inline long trace_errors(const struct dm_region *region, const struct copies_trace *trace)
{
    struct traced_run run = traced_run_make(region, trace);
    long errors = 0;
    for (long i = 0; i < trace->count; i++) {
        const struct trace_entry *e = &trace->entries[i];
        errors += e->end_s < e->start_s;
        if (e->kind == TRACE_TO_DEVICE)
            errors += trace_host_errors(&run, e);
        for (int a = 0; e->kind == TRACE_KERNEL && a < region->array_count; a++)
            if (region->arrays[a].direction != DM_REGION_SCRATCH)
                errors += trace_kernel_errors(&run, e, a);
    }
    return errors;
}

#endif
