/* unified_advice.c: arrays that stay on the host while kernels access them. */
#include "common/gpu.h"
#include "common/harness/exit.h"

#include "unified_plan.h"

bool unified_is_mapped(const struct unified_plan *plan, int array)
{
    const struct dm_region *region = plan->region;
    bool exchanged = region->rounds > 1 && region->swap[0] == array;

    return (plan->hints & UNIFIED_MAP_RESULTS) && region->arrays[array].split != DM_REGION_WHOLE &&
           (region->arrays[array].direction == DM_REGION_FROM || exchanged);
}

static void advise(const struct unified_plan *plan, enum cudaMemoryAdvise place,
                   enum cudaMemoryAdvise access)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!unified_is_mapped(plan, a))
            continue;
        check_cuda(gpu_advise(array->host, unified_host_bytes(array), place, cudaCpuDeviceId));
        check_cuda(gpu_advise(array->host, unified_host_bytes(array), access, plan->device));
    }
}

void unified_map(const struct unified_plan *plan)
{
    advise(plan, cudaMemAdviseSetPreferredLocation, cudaMemAdviseSetAccessedBy);
}

/* The device keeps its mappings of the pages when the advice is taken back: on an H200 later runs
 * without it went on over the link, and nothing migrated. A migration ends them. */
static void end_mappings(const struct unified_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (!unified_is_mapped(plan, a))
            continue;
        size_t bytes = unified_host_bytes(array);
        check_cuda(gpu_prefetch_async(array->host, bytes, plan->device, plan->stream[0]));
        check_cuda(gpu_prefetch_async(array->host, bytes, cudaCpuDeviceId, plan->stream[0]));
    }
    check_cuda(cudaStreamSynchronize(plan->stream[0]));
}

void unified_unmap(const struct unified_plan *plan)
{
    advise(plan, cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseUnsetAccessedBy);
    end_mappings(plan);
}
