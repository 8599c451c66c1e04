/* managed_prefetch.c: what is prefetched for a chunk. */
#include "common/error_cuda.h"
#include "common/migration.h"

#include "managed_plan.h"

size_t managed_host_bytes(const struct dm_region_array *array)
{
    size_t row = (size_t)array->slices * array->slice_bytes;
    return array->split == DM_REGION_COLUMNS ? (array->rows - 1) * array->pitch_bytes + row : row;
}

static bool is_fixed(const struct managed_plan *plan, int a)
{
    return plan->config.fixed >> a & 1;
}

/* A call that replaces a copy. */
static enum dm_status prefetch(struct managed_plan *plan, int a, size_t first, size_t end,
                               bool to_device, int s)
{
    struct copies_report *report = plan->report;

    if (first >= end)
        return DM_OK;
    MANAGED_CALL(plan,
                 gpu_prefetch_async((char *)plan->host[a] + first, end - first,
                                    to_device ? plan->device : cudaCpuDeviceId, plan->stream[s]));
    report->copies++;
    *(to_device ? &report->bytes_to_device : &report->bytes_from_device) += end - first;
    return DM_OK;
}

static enum dm_status prefetch_slices(struct managed_plan *plan, int a, struct chunk_range slices,
                                      bool to_device, int s)
{
    size_t slice = plan->region->arrays[a].slice_bytes;
    return prefetch(plan, a, (size_t)slices.first * slice, (size_t)slices.end * slice, to_device,
                    s);
}

enum dm_status managed_prefetch_inputs(struct managed_plan *plan, long chunk, int s)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!(array->direction & DM_REGION_TO) || is_fixed(plan, a))
            continue;
        if (array->split != DM_REGION_COLUMNS)
            TRY(prefetch_slices(plan, a, chunk_new_slices(&plan->chunks, array, chunk), true, s));
        else if (chunk == 0)
            TRY(prefetch(plan, a, 0, managed_host_bytes(array), true, s));
    }
    return DM_OK;
}

/* Whether an array's results are there only after the last chunk. */
static bool comes_as_a_whole(const struct managed_plan *plan, int a)
{
    const struct dm_region_array *array = &plan->region->arrays[a];

    return (array->direction & DM_REGION_FROM) && array->split != DM_REGION_ROWS &&
           !is_fixed(plan, a);
}

/* The stream of the last chunk waits for the kernels of the others. */
static enum dm_status wait_for_kernels(struct managed_plan *plan, int s)
{
    for (int other = 0; other < plan->streams && other < plan->chunks.count; other++)
        if (other != s)
            MANAGED_CALL(plan, cudaStreamWaitEvent(plan->stream[s], plan->computed[other], 0));
    return DM_OK;
}

static enum dm_status prefetch_wholes(struct managed_plan *plan, int s)
{
    bool waited = false;

    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!comes_as_a_whole(plan, a))
            continue;
        if (!waited)
            TRY(wait_for_kernels(plan, s));
        waited = true;
        TRY(prefetch(plan, a, 0, managed_host_bytes(array), false, s));
    }
    return DM_OK;
}

enum dm_status managed_prefetch_results(struct managed_plan *plan, long chunk, int s)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if ((array->direction & DM_REGION_FROM) && array->split == DM_REGION_ROWS &&
            !is_fixed(plan, a))
            TRY(prefetch_slices(plan, a, chunk_finished_slices(&plan->chunks, array, chunk), false,
                                s));
    }
    return chunk == plan->chunks.count - 1 ? prefetch_wholes(plan, s) : DM_OK;
}

/* Of arrays that only the kernels write. Beside panels of columns there may be other columns. */
enum dm_status managed_place_results(struct managed_plan *plan, long chunk, int s)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (array->direction != DM_REGION_FROM || array->split == DM_REGION_COLUMNS ||
            (array->split == DM_REGION_WHOLE && chunk > 0) || is_fixed(plan, a))
            continue;
        struct chunk_range all = loop_window(&plan->chunks, array);
        struct chunk_range part = chunk_window(&plan->chunks, array, chunk);
        size_t slice = array->slice_bytes;
        TRY_CUDA(plan->config.place((char *)plan->host[a] + (size_t)all.first * slice,
                                    (size_t)(all.end - all.first) * slice,
                                    (size_t)(part.first - all.first) * slice,
                                    (size_t)(part.end - all.first) * slice, plan->device,
                                    plan->stream[s], &plan->report->api_calls));
    }
    return DM_OK;
}
