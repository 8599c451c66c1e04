/* counters_soft.c: what the software GPU counts about managed memory. */
#include <datamotion/unified_memory.h>

#if defined(SOFTGPU)
#include "common/error_cuda.h"
#include "softgpu/counters.h"

static struct soft_managed_counters before;

enum dm_status unified_count_start(enum unified_counted counted)
{
    (void)counted;
    soft_managed_counters(&before);
    return DM_OK;
}

enum dm_status unified_count_stop(struct unified_traffic *traffic)
{
    struct soft_managed_counters now;

    TRY_CUDA(cudaDeviceSynchronize());
    soft_managed_counters(&now);
    *traffic = (struct unified_traffic){
        .known = true,
        .bytes_to_device = now.bytes_to_gpu - before.bytes_to_gpu,
        .bytes_from_device = now.bytes_to_host - before.bytes_to_host,
        .faults_known = true,
        .device_faults = now.gpu_faults - before.gpu_faults,
        .host_faults = now.cpu_faults - before.cpu_faults,
        .evictions = now.evictions - before.evictions,
    };
    return DM_OK;
}

enum dm_status unified_count_check(void)
{
    return DM_OK;
}
#endif
