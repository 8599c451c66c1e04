/* launch_kernel.h: where every launch comes in, whichever API the program made it by.
 *
 * front/cu_launches.c calls it for CUDA's driver API. Another front, such as one for the runtime
 * API, needs no more than this: the module loaded by modules_load(), its function's handle, and the
 * launch as the driver's structures have it. */
#ifndef LAUNCH_KERNEL_H
#define LAUNCH_KERNEL_H

#include "partition/interpose/gpu/virtual_gpu.h"

/* Launches `handle`, a function of device 0, on all devices, or on device 0 alone where it cannot
 * be split. Either `parameters` or `extra`, as for cuLaunchKernel. Between virtual_gpu_enter() and
 * virtual_gpu_leave(). */
CUresult launch_kernel(struct virtual_gpu *gpu, const CUlaunchConfig *configuration,
                       CUfunction handle, void **parameters, void **extra);

#endif
