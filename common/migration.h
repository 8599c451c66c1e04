/* migration.h: calls that say where managed memory is to be, for CUDA 12, CUDA 13 and the software
 * GPU. */
#ifndef COMMON_MIGRATION_H
#define COMMON_MIGRATION_H

#include <cuda_runtime.h>
#include <stddef.h>

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

#ifdef __cplusplus
}
#endif
#endif
