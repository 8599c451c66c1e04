/* unified_hints.c: what is prefetched for a chunk. */
#include "common/gpu.h"

#include "unified_place.h"
#include "unified_plan.h"

size_t unified_host_bytes(const struct dm_region_array *array)
{
    size_t row = (size_t)array->slices * array->slice_bytes;
    return array->split == DM_REGION_COLUMNS ? (array->rows - 1) * array->pitch_bytes + row : row;
}

/* A call in the place of a copy. */
static void prefetch(struct unified_plan *plan, int a, size_t first, size_t end, bool to_device,
                     int s)
{
    struct copies_report *report = plan->report;

    if (first >= end)
        return;
    unified_call(plan,
                 gpu_prefetch_async((char *)plan->host[a] + first, end - first,
                                    to_device ? plan->device : cudaCpuDeviceId, plan->stream[s]));
    report->copies++;
    *(to_device ? &report->bytes_to_device : &report->bytes_from_device) += end - first;
}

static void prefetch_slices(struct unified_plan *plan, int a, struct chunk_range slices,
                            bool to_device, int s)
{
    size_t slice = plan->region->arrays[a].slice_bytes;
    prefetch(plan, a, (size_t)slices.first * slice, (size_t)slices.end * slice, to_device, s);
}

void unified_prefetch_inputs(struct unified_plan *plan, long chunk, int s)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!(array->direction & DM_REGION_TO) || unified_is_mapped(plan, a))
            continue;
        if (array->split != DM_REGION_COLUMNS)
            prefetch_slices(plan, a, chunk_new_slices(&plan->chunks, array, chunk), true, s);
        else if (chunk == 0)
            prefetch(plan, a, 0, unified_host_bytes(array), true, s);
    }
}

/* Whether an array's results are there only after the last chunk. */
static bool comes_as_a_whole(const struct unified_plan *plan, int a)
{
    const struct dm_region_array *array = &plan->region->arrays[a];

    return (array->direction & DM_REGION_FROM) && array->split != DM_REGION_ROWS &&
           !unified_is_mapped(plan, a);
}

/* The stream of the last chunk waits for the kernels of the others. */
static void wait_for_kernels(struct unified_plan *plan, int s)
{
    for (int other = 0; other < plan->streams && other < plan->chunks.count; other++)
        if (other != s)
            unified_call(plan, cudaStreamWaitEvent(plan->stream[s], plan->computed[other], 0));
}

static void prefetch_wholes(struct unified_plan *plan, int s)
{
    bool waited = false;

    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!comes_as_a_whole(plan, a))
            continue;
        if (!waited)
            wait_for_kernels(plan, s);
        waited = true;
        prefetch(plan, a, 0, unified_host_bytes(array), false, s);
    }
}

void unified_prefetch_results(struct unified_plan *plan, long chunk, int s)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if ((array->direction & DM_REGION_FROM) && array->split == DM_REGION_ROWS &&
            !unified_is_mapped(plan, a))
            prefetch_slices(plan, a, chunk_finished_slices(&plan->chunks, array, chunk), false, s);
    }
    if (chunk == plan->chunks.count - 1)
        prefetch_wholes(plan, s);
}

/* Of arrays that only the kernels write. Beside panels of columns there may be other columns. */
void unified_place_results(struct unified_plan *plan, long chunk, int s)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (array->direction != DM_REGION_FROM || array->split == DM_REGION_COLUMNS ||
            (array->split == DM_REGION_WHOLE && chunk > 0) || unified_is_mapped(plan, a))
            continue;
        struct chunk_range all = loop_window(&plan->chunks, array);
        struct chunk_range part = chunk_window(&plan->chunks, array, chunk);
        size_t slice = array->slice_bytes;
        plan->report->api_calls += unified_place(
            (char *)plan->host[a] + (size_t)all.first * slice,
            (size_t)(all.end - all.first) * slice, (size_t)(part.first - all.first) * slice,
            (size_t)(part.end - all.first) * slice, plan->device, plan->stream[s]);
    }
}
