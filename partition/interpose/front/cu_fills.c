/* cu_fills.c: interposed fills; every device fills its own memory. */
#include "partition/interpose/gpu/host_order.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/gpu/readers.h"
#include "partition/interpose/memory/contents.h"

struct fill {
    CUdeviceptr address;
    unsigned value;
    size_t count;
    size_t element_bytes;
};

static CUresult fill_memory(const struct fill *fill, CUdeviceptr address, CUstream stream)
{
    switch (fill->element_bytes) {
    case 1:
        return real.cuMemsetD8Async(address, (unsigned char)fill->value, fill->count, stream);
    case 2:
        return real.cuMemsetD16Async(address, (unsigned short)fill->value, fill->count, stream);
    default:
        return real.cuMemsetD32Async(address, fill->value, fill->count, stream);
    }
}

static CUresult fill_buffer(struct virtual_gpu *gpu, struct buffer *buffer, const struct fill *fill)
{
    CUdeviceptr offset = fill->address - buffer->address[0];
    for (int d = 0; d < gpu->devices; d++) {
        CUresult result = order_use(gpu, d);
        gpu->device[d].worked = true;
        if (result == CUDA_SUCCESS)
            result = readers_wait(gpu, buffer, d);
        if (result == CUDA_SUCCESS)
            result = fill_memory(fill, buffer->address[d] + offset, gpu->device[d].stream);
        if (result != CUDA_SUCCESS)
            return result;
    }
    int64_t begin = (int64_t)offset, end = begin + (int64_t)(fill->count * fill->element_bytes);
    return result_of(contents_written_everywhere(gpu, buffer, begin, end));
}

/* Memory that is no buffer is filled as it is. */
static CUresult fill(struct virtual_gpu *gpu, struct fill fill)
{
    struct buffer *buffer = buffers_find(gpu, fill.address);
    gpu->device[0].worked = true;
    if (!buffer) {
        CUresult result = host_order_use_any(gpu, 0);
        if (result == CUDA_SUCCESS)
            result = order_use(gpu, 0);
        return result == CUDA_SUCCESS ? fill_memory(&fill, fill.address, gpu->device[0].stream)
                                      : result;
    }
    size_t room = buffer->bytes - (size_t)(fill.address - buffer->address[0]);
    if (fill.count > room / fill.element_bytes || fill.address % fill.element_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    return fill_buffer(gpu, buffer, &fill);
}

CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t count)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemsetD8_v2(address, value, count);
    return virtual_gpu_leave(gpu, fill(gpu, (struct fill){address, value, count, 1}));
}

CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr address, unsigned short value, size_t count)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemsetD16_v2(address, value, count);
    return virtual_gpu_leave(gpu, fill(gpu, (struct fill){address, value, count, 2}));
}

CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr address, unsigned value, size_t count)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemsetD32_v2(address, value, count);
    return virtual_gpu_leave(gpu, fill(gpu, (struct fill){address, value, count, 4}));
}

CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count,
                                 CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemsetD8Async(address, value, count, stream);
    return virtual_gpu_leave(gpu, fill(gpu, (struct fill){address, value, count, 1}));
}

CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count,
                                  CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemsetD16Async(address, value, count, stream);
    return virtual_gpu_leave(gpu, fill(gpu, (struct fill){address, value, count, 2}));
}

CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr address, unsigned value, size_t count,
                                  CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemsetD32Async(address, value, count, stream);
    return virtual_gpu_leave(gpu, fill(gpu, (struct fill){address, value, count, 4}));
}
