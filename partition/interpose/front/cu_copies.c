/* cu_copies.c: interposed copies between host and buffers. */
#include "partition/interpose/copies/host_transfers.h"
#include "partition/interpose/gpu/host_order.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/memory/first_ranges.h"

static bool reaches_over(const struct buffer *buffer, CUdeviceptr address, size_t bytes)
{
    return bytes > buffer->bytes - (size_t)(address - buffer->address[0]);
}

/* After a copy in the stream of device 0 to or from memory that is no buffer. */
static CUresult end_elsewhere(struct virtual_gpu *gpu, CUresult result, bool wait)
{
    gpu->device[0].worked = true;
    return wait && result == CUDA_SUCCESS ? virtual_gpu_wait(gpu, NULL, NULL) : result;
}

static CUresult copy_in(struct virtual_gpu *gpu, CUdeviceptr to, const void *from, size_t bytes,
                        bool wait)
{
    struct buffer *buffer = from ? buffers_find(gpu, to) : NULL;
    if (buffer && reaches_over(buffer, to, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (buffer)
        return host_transfer_in(gpu, buffer, to - buffer->address[0], from, bytes, wait);
    CUresult result = host_order_use(gpu, 0, from, bytes, false);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = real.cuMemcpyHtoDAsync_v2(to, from, bytes, gpu->device[0].stream);
    return end_elsewhere(gpu, result, wait);
}

static CUresult copy_out(struct virtual_gpu *gpu, void *to, CUdeviceptr from, size_t bytes,
                         bool wait)
{
    struct buffer *buffer = to ? buffers_find(gpu, from) : NULL;
    if (buffer && reaches_over(buffer, from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (buffer)
        return host_transfer_out(gpu, buffer, from - buffer->address[0], to, bytes, wait);
    CUresult result = host_order_use(gpu, 0, to, bytes, true);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = real.cuMemcpyDtoHAsync_v2(to, from, bytes, gpu->device[0].stream);
    return end_elsewhere(gpu, result, wait);
}

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    return gpu ? virtual_gpu_leave(gpu, copy_in(gpu, to, from, bytes, true))
               : real.cuMemcpyHtoD_v2(to, from, bytes);
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                                      CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    return gpu ? virtual_gpu_leave(gpu, copy_in(gpu, to, from, bytes, false))
               : real.cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
}

CUresult CUDAAPI cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    return gpu ? virtual_gpu_leave(gpu, copy_out(gpu, to, from, bytes, true))
               : real.cuMemcpyDtoH_v2(to, from, bytes);
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    return gpu ? virtual_gpu_leave(gpu, copy_out(gpu, to, from, bytes, false))
               : real.cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
}

struct linear_copy {
    CUdeviceptr to, from;
    size_t bytes;
};

static CUresult copy_within(CUstream stream, void *task)
{
    const struct linear_copy *copy = task;
    return real.cuMemcpyDtoDAsync_v2(copy->to, copy->from, copy->bytes, stream);
}

/* Between any two kinds of memory. */
static CUresult copy_anything(CUstream stream, void *task)
{
    const struct linear_copy *copy = task;
    return real.cuMemcpyAsync(copy->to, copy->from, copy->bytes, stream);
}

static CUresult copy_linear(struct virtual_gpu *gpu, struct linear_copy copy,
                            CUresult (*run)(CUstream, void *))
{
    const struct first_range ranges[] = {{copy.from, copy.bytes, false},
                                         {copy.to, copy.bytes, true}};
    return first_ranges_run(gpu, ranges, 2, run, &copy);
}

CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemcpyDtoD_v2(to, from, bytes);
    struct linear_copy copy = {to, from, bytes};
    return virtual_gpu_leave(gpu, copy_linear(gpu, copy, copy_within));
}

CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                      CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
    struct linear_copy copy = {to, from, bytes};
    return virtual_gpu_leave(gpu, copy_linear(gpu, copy, copy_within));
}

CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemcpyAsync(to, from, bytes, stream);
    struct linear_copy copy = {to, from, bytes};
    return virtual_gpu_leave(gpu, copy_linear(gpu, copy, copy_anything));
}

CUresult CUDAAPI cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemcpy(to, from, bytes);
    struct linear_copy copy = {to, from, bytes};
    CUresult result = copy_linear(gpu, copy, copy_anything);
    if (result == CUDA_SUCCESS)
        result = virtual_gpu_wait(gpu, NULL, NULL);
    return virtual_gpu_leave(gpu, result);
}
