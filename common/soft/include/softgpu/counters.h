/* counters.h: what the software GPU counts about managed memory; not part of CUDA. */
#ifndef SOFTGPU_COUNTERS_H
#define SOFTGPU_COUNTERS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sums over all devices since the start of the process. Data moves in units of 64 KiB (the last
 * unit of an allocation may be shorter). */
struct soft_managed_counters {
    unsigned long long gpu_faults;   /* kernels that touched memory which was not on their device */
    unsigned long long cpu_faults;   /* host threads that touched memory which was on a device */
    unsigned long long bytes_to_gpu; /* by faults and prefetches, also from device to device */
    unsigned long long bytes_to_host; /* by faults, prefetches and evictions */
    unsigned long long evictions;     /* units that had to leave a full device */
};

void soft_managed_counters(struct soft_managed_counters *counters);

#ifdef __cplusplus
}
#endif
#endif
