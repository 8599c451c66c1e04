/* cu_copies.c: interposed copies between host and buffers. */
#include "first_ranges.h"
#include "host_transfers.h"
#include "order.h"

/* The buffer that holds all of the range; *begin is the range's offset in it. */
static struct buffer *buffer_of(const struct virtual_gpu *gpu, CUdeviceptr address, size_t bytes,
                                size_t *begin)
{
    struct buffer *buffer = buffers_find(gpu, address);
    if (!buffer)
        return NULL;
    *begin = (size_t)(address - buffer->address[0]);
    return bytes <= buffer->bytes - *begin ? buffer : NULL;
}

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    size_t begin;
    if (!gpu)
        return real.cuMemcpyHtoD_v2(to, from, bytes);
    struct buffer *buffer = buffer_of(gpu, to, bytes, &begin);
    if (!buffer || !from)
        return virtual_gpu_leave(gpu, real.cuMemcpyHtoD_v2(to, from, bytes));
    return virtual_gpu_leave(gpu, host_transfer_in(gpu, buffer, begin, from, bytes, true));
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                                      CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    size_t begin;
    if (!gpu)
        return real.cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
    struct buffer *buffer = buffer_of(gpu, to, bytes, &begin);
    if (!buffer || !from)
        return virtual_gpu_leave(gpu, real.cuMemcpyHtoDAsync_v2(to, from, bytes, stream));
    return virtual_gpu_leave(gpu, host_transfer_in(gpu, buffer, begin, from, bytes, false));
}

CUresult CUDAAPI cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    size_t begin;
    if (!gpu)
        return real.cuMemcpyDtoH_v2(to, from, bytes);
    struct buffer *buffer = buffer_of(gpu, from, bytes, &begin);
    if (!buffer || !to)
        return virtual_gpu_leave(gpu, real.cuMemcpyDtoH_v2(to, from, bytes));
    return virtual_gpu_leave(gpu, host_transfer_out(gpu, buffer, begin, to, bytes, true));
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    size_t begin;
    if (!gpu)
        return real.cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
    struct buffer *buffer = buffer_of(gpu, from, bytes, &begin);
    if (!buffer || !to)
        return virtual_gpu_leave(gpu, real.cuMemcpyDtoHAsync_v2(to, from, bytes, stream));
    return virtual_gpu_leave(gpu, host_transfer_out(gpu, buffer, begin, to, bytes, false));
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
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
    struct linear_copy copy = {to, from, bytes};
    return virtual_gpu_leave(gpu, copy_linear(gpu, copy, copy_within));
}

CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
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
    return virtual_gpu_leave(gpu, result == CUDA_SUCCESS ? order_synchronise(gpu) : result);
}
