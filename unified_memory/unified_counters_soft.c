/* unified_counters_soft.c: what the software GPU counts about managed memory. */
#include "unified_counters.h"

#if defined(SOFTGPU)
#include "common/harness/exit.h"
#include "common/gpu.h"
#include "softgpu/counters.h"

static struct soft_managed_counters before;

void unified_counters_begin(enum unified_counted counted)
{
    (void)counted;
    soft_managed_counters(&before);
}

void unified_counters_end(struct unified_traffic *traffic)
{
    struct soft_managed_counters now;

    check_cuda(cudaDeviceSynchronize());
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
}

const char *unified_counters_complaint(void)
{
    return NULL;
}
#endif
