/* cu_memory.c: interposed calls that allocate and free. */
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/memory/buffers.h"
#include "partition/interpose/report/tell.h"

/* Rows of cuMemAllocPitch begin at multiples of that many bytes. */
enum { ROW_ALIGNMENT = 512 };

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemAlloc_v2(address, bytes);
    bool good = address && bytes;
    return virtual_gpu_leave(gpu, good ? buffers_allocate(gpu, address, bytes)
                                       : CUDA_ERROR_INVALID_VALUE);
}

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemAllocAsync(address, bytes, stream);
    bool good = address && bytes;
    return virtual_gpu_leave(gpu, good ? buffers_allocate(gpu, address, bytes)
                                       : CUDA_ERROR_INVALID_VALUE);
}

#ifndef SOFTGPU
/* Which pool serves makes no difference to what the memory is used for. */
CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                         CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemAllocFromPoolAsync(address, bytes, pool, stream);
    bool good = address && bytes;
    return virtual_gpu_leave(gpu, good ? buffers_allocate(gpu, address, bytes)
                                       : CUDA_ERROR_INVALID_VALUE);
}

/* The driver moves such memory by itself, and the host may use it at any time. */
CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemAllocManaged(address, bytes, flags);
    if (!gpu->settings.quiet)
        tell("managed memory is not split: kernels that get it run on one device");
    return virtual_gpu_leave(gpu, real.cuMemAllocManaged(address, bytes, flags));
}
#endif

CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width,
                                    size_t height, unsigned element_bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemAllocPitch_v2(address, pitch, width, height, element_bytes);
    size_t row = 0, bytes = 0;
    bool good = address && pitch && width && height &&
                !__builtin_add_overflow(width, ROW_ALIGNMENT - 1, &row) &&
                !__builtin_mul_overflow(row - row % ROW_ALIGNMENT, height, &bytes);
    CUresult result = good ? buffers_allocate(gpu, address, bytes) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *pitch = row - row % ROW_ALIGNMENT;
    return virtual_gpu_leave(gpu, result);
}

/* The buffer that begins there and that the program may free. */
static struct buffer *allocation(const struct virtual_gpu *gpu, CUdeviceptr address)
{
    struct buffer *buffer = buffers_find(gpu, address);
    bool whole = buffer && buffer->address[0] == address && !buffer->module;
    return whole ? buffer : NULL;
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr address)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemFree_v2(address);
    struct buffer *buffer = allocation(gpu, address);
    CUresult result = buffer ? buffers_release(gpu, buffer) : real.cuMemFree_v2(address);
    return virtual_gpu_leave(gpu, result);
}

CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemFreeAsync(address, stream);
    struct buffer *buffer = allocation(gpu, address);
    /* Kernels that use it were put in the stream of device 0. */
    CUresult result =
        buffer ? buffers_release(gpu, buffer) : real.cuMemFreeAsync(address, gpu->device[0].stream);
    gpu->device[0].worked = true;
    return virtual_gpu_leave(gpu, result);
}

/* As how many devices the GPU of this one is used. */
static size_t count_sharers(const struct virtual_gpu *gpu, int device)
{
    size_t count = 0;
    for (int d = 0; d < gpu->devices; d++)
        count += gpu->device[d].context == gpu->device[device].context;
    return count;
}

/* What the fullest device has left. */
CUresult CUDAAPI cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu || !free_bytes || !total_bytes) {
        CUresult result = real.cuMemGetInfo_v2(free_bytes, total_bytes);
        return gpu ? virtual_gpu_leave(gpu, result) : result;
    }
    CUresult result = CUDA_SUCCESS;
    *free_bytes = *total_bytes = SIZE_MAX;
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++) {
        size_t left = 0, all = 0;
        result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuMemGetInfo_v2(&left, &all);
        size_t sharers = count_sharers(gpu, d);
        *free_bytes = left / sharers < *free_bytes ? left / sharers : *free_bytes;
        *total_bytes = all / sharers < *total_bytes ? all / sharers : *total_bytes;
    }
    return virtual_gpu_leave(gpu, result);
}

/* Page-locked memory is to be that for all devices. */
CUresult CUDAAPI cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemHostAlloc(pointer, bytes, flags);
    return virtual_gpu_leave(gpu,
                             real.cuMemHostAlloc(pointer, bytes, flags | CU_MEMHOSTALLOC_PORTABLE));
}

CUresult CUDAAPI cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemHostRegister_v2(pointer, bytes, flags);
    return virtual_gpu_leave(
        gpu, real.cuMemHostRegister_v2(pointer, bytes, flags | CU_MEMHOSTREGISTER_PORTABLE));
}
