/* cuda_runtime.h: what a CUDA program includes, for the software GPU. C sees the API and the vector
 * types; C++ also sees kernel code (device.h, launch.h) and the typed overloads. */
#ifndef SOFT_CUDA_RUNTIME_H
#define SOFT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include <vector_types.h>

#ifdef __cplusplus
#include "softgpu/device.h"
#include "softgpu/launch.h"

/* The overloads of CUDA's C++ header: typed pointers without casts, kernels by their name. */
template <class T> inline cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)pointer, bytes);
}

template <class T>
inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width_bytes, size_t height)
{
    return cudaMallocPitch((void **)pointer, pitch, width_bytes, height);
}

template <class T>
inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)pointer, bytes, stream);
}

template <class T>
inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned flags = cudaHostAllocDefault)
{
    return cudaHostAlloc((void **)pointer, bytes, flags);
}

template <class T> inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)pointer, bytes, flags);
}

template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device_pointer, void *host_pointer, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)device_pointer, host_pointer, flags);
}

template <class T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                     unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)pointer, bytes, flags);
}

template <class T>
inline cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <class T>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache configuration)
{
    return cudaFuncSetCacheConfig((const void *)kernel, configuration);
}

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel,
                                                                 int threads_per_block,
                                                                 size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel,
                                                         threads_per_block, shared_bytes);
}
#endif

#endif
