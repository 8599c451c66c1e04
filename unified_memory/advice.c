/* advice.c: arrays that stay on the host while kernels access them. */
#include "common/error_cuda.h"
#include "common/migration.h"

#include "plan.h"

unsigned mapped_arrays(const struct dm_region *region)
{
    unsigned mapped = 0;

    for (int a = 0; a < region->array_count && a < DM_REGION_ARRAYS; a++) {
        bool swapped = region->rounds > 1 && region->swap[0] == a;
        if (region->arrays[a].split != DM_REGION_WHOLE &&
            (region->arrays[a].direction == DM_REGION_FROM || swapped))
            mapped |= 1u << a;
    }
    return mapped;
}

static enum dm_status advise(const struct unified_plan *plan, enum cudaMemoryAdvise place,
                             enum cudaMemoryAdvise access)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!(plan->mapped >> a & 1))
            continue;
        const size_t bytes = managed_host_bytes(array);
        TRY_CUDA(gpu_advise(array->host, bytes, place, cudaCpuDeviceId));
        TRY_CUDA(gpu_advise(array->host, bytes, access, plan->device));
    }
    return DM_OK;
}

enum dm_status map_arrays(const struct unified_plan *plan)
{
    return advise(plan, cudaMemAdviseSetPreferredLocation, cudaMemAdviseSetAccessedBy);
}

/* The device keeps its mappings of the pages when the advice is taken back: on an H200 later runs
 * without it went on over the link, and nothing migrated. A migration ends them. */
static enum dm_status end_mappings(const struct unified_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!(plan->mapped >> a & 1))
            continue;
        const size_t bytes = managed_host_bytes(array);
        TRY_CUDA(gpu_prefetch_async(array->host, bytes, plan->device, 0));
        TRY_CUDA(gpu_prefetch_async(array->host, bytes, cudaCpuDeviceId, 0));
    }
    return status_of_cuda(cudaStreamSynchronize(0));
}

enum dm_status unmap_arrays(const struct unified_plan *plan)
{
    if (!plan->mapped)
        return DM_OK;
    TRY(advise(plan, cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseUnsetAccessedBy));
    return end_mappings(plan);
}
