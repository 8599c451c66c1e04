/* launch_kernel.h: where every launch comes in, whichever API the program made it by.
 *
 * CUDA's run time API comes here by the driver's functions, with handles of its libraries' kernels
 * (modules/libraries.h). */
#ifndef LAUNCH_KERNEL_H
#define LAUNCH_KERNEL_H

#include "partition/interpose/gpu/virtual_gpu.h"

/* Launches `handle`, a function of device 0, on all devices, or on device 0 alone where it cannot
 * be split. Either `parameters` or `extra`, as for cuLaunchKernel. Between virtual_gpu_enter() and
 * virtual_gpu_leave(). */
CUresult launch_kernel(struct virtual_gpu *gpu, const CUlaunchConfig *configuration,
                       CUfunction handle, void **parameters, void **extra);

#endif
