/* gpu.h: one include for the GPU, whether CUDA's or the software GPU.
 *
 * Both are used through the CUDA runtime API by its own names. This file adds the launch macros,
 * and it is the only place that knows the differences between CUDA 12 and 13. */
#ifndef COMMON_GPU_H
#define COMMON_GPU_H

#include <cuda_runtime.h>

#include "common/harness/exit.h"

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

/* Starts to migrate managed memory to a device, or to the host with device = cudaCpuDeviceId. */
static inline cudaError_t gpu_prefetch_async(const void *pointer, size_t bytes, int device,
                                             cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation location;
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return cudaMemPrefetchAsync(pointer, bytes, location, 0, stream);
#else
    return cudaMemPrefetchAsync(pointer, bytes, device, stream);
#endif
}

/* Advice about managed memory; device as for gpu_prefetch_async. */
static inline cudaError_t gpu_advise(const void *pointer, size_t bytes,
                                     enum cudaMemoryAdvise advice, int device)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation location;
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return cudaMemAdvise(pointer, bytes, advice, location);
#else
    return cudaMemAdvise(pointer, bytes, advice, device);
#endif
}

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
