/* gpu.h: one include for the GPU, whether CUDA's or the software GPU.
 *
 * Both are used through the CUDA runtime API by its own names. This file adds the launch macros,
 * and with migration.h it is the only place that knows the differences between CUDA 12 and 13. */
#ifndef COMMON_GPU_H
#define COMMON_GPU_H

#include <cuda_runtime.h>

#include "common/harness/exit.h"
#include "common/migration.h"

#if defined(SOFTGPU)
#define GPU_KIND "soft"
#else
#define GPU_KIND "cuda"
#endif

#ifdef __cplusplus
#include <datamotion/launch.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An attribute of a device. Clock rates are asked for here too, because CUDA 13 dropped them from
 * cudaDeviceProp. Ends the program on error. */
static inline int gpu_attribute(enum cudaDeviceAttr attribute, int device)
{
    int value = 0;
    check_cuda(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

#ifdef __cplusplus
}
#endif
#endif
