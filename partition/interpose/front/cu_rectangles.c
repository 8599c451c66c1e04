/* cu_rectangles.c: interposed two-dimensional copies and fills; they run on device 0. */
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/memory/first_ranges.h"

/* From the first byte of the rectangle to its last. */
static size_t extent(size_t pitch, size_t width, size_t height)
{
    return width && height ? pitch * (height - 1) + width : 0;
}

static struct first_range source_of(const CUDA_MEMCPY2D *copy)
{
    bool is_device =
        copy->srcMemoryType == CU_MEMORYTYPE_DEVICE || copy->srcMemoryType == CU_MEMORYTYPE_UNIFIED;
    size_t pitch = copy->srcPitch ? copy->srcPitch : copy->WidthInBytes;
    if (!is_device)
        return (struct first_range){0};
    return (struct first_range){copy->srcDevice + copy->srcY * pitch + copy->srcXInBytes,
                                extent(pitch, copy->WidthInBytes, copy->Height), false};
}

static struct first_range target_of(const CUDA_MEMCPY2D *copy)
{
    bool is_device =
        copy->dstMemoryType == CU_MEMORYTYPE_DEVICE || copy->dstMemoryType == CU_MEMORYTYPE_UNIFIED;
    size_t pitch = copy->dstPitch ? copy->dstPitch : copy->WidthInBytes;
    if (!is_device)
        return (struct first_range){0};
    return (struct first_range){copy->dstDevice + copy->dstY * pitch + copy->dstXInBytes,
                                extent(pitch, copy->WidthInBytes, copy->Height), true};
}

static CUresult run_copy(CUstream stream, void *task)
{
    return real.cuMemcpy2DAsync_v2(task, stream);
}

/* The form that takes any pitch has no asynchronous version. */
static CUresult run_unaligned(CUstream stream, void *task)
{
    CUresult result = real.cuStreamSynchronize(stream);
    return result == CUDA_SUCCESS ? real.cuMemcpy2DUnaligned_v2(task) : result;
}

static CUresult copy_rectangle(struct virtual_gpu *gpu, const CUDA_MEMCPY2D *copy,
                               CUresult (*run)(CUstream, void *))
{
    const struct first_range ranges[] = {source_of(copy), target_of(copy)};
    return first_ranges_run(gpu, ranges, 2, run, (void *)copy);
}

CUresult CUDAAPI cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    struct virtual_gpu *gpu = copy ? virtual_gpu_enter_stream(stream) : NULL;
    real_driver_load();
    if (!gpu)
        return real.cuMemcpy2DAsync_v2(copy, stream);
    return virtual_gpu_leave(gpu, copy_rectangle(gpu, copy, run_copy));
}

CUresult CUDAAPI cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy)
{
    struct virtual_gpu *gpu = copy ? virtual_gpu_enter() : NULL;
    real_driver_load();
    if (!gpu)
        return real.cuMemcpy2D_v2(copy);
    CUresult result = copy_rectangle(gpu, copy, run_copy);
    if (result == CUDA_SUCCESS)
        result = virtual_gpu_wait(gpu, NULL, NULL);
    return virtual_gpu_leave(gpu, result);
}

CUresult CUDAAPI cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy)
{
    struct virtual_gpu *gpu = copy ? virtual_gpu_enter() : NULL;
    real_driver_load();
    if (!gpu)
        return real.cuMemcpy2DUnaligned_v2(copy);
    return virtual_gpu_leave(gpu, copy_rectangle(gpu, copy, run_unaligned));
}

struct fill {
    CUdeviceptr address;
    size_t pitch;
    unsigned value;
    size_t width, height;
    size_t element_bytes;
};

static CUresult run_fill(CUstream stream, void *task)
{
    const struct fill *fill = task;
    switch (fill->element_bytes) {
    case 1:
        return real.cuMemsetD2D8Async(fill->address, fill->pitch, (unsigned char)fill->value,
                                      fill->width, fill->height, stream);
    case 2:
        return real.cuMemsetD2D16Async(fill->address, fill->pitch, (unsigned short)fill->value,
                                       fill->width, fill->height, stream);
    default:
        return real.cuMemsetD2D32Async(fill->address, fill->pitch, fill->value, fill->width,
                                       fill->height, stream);
    }
}

static CUresult fill_rectangle(struct virtual_gpu *gpu, struct fill fill)
{
    size_t width = fill.width * fill.element_bytes;
    struct first_range range = {fill.address, extent(fill.pitch, width, fill.height), true};
    return first_ranges_run(gpu, &range, 1, run_fill, &fill);
}

CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr address, size_t pitch, unsigned char value,
                                   size_t width, size_t height, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemsetD2D8Async(address, pitch, value, width, height, stream);
    struct fill fill = {address, pitch, value, width, height, 1};
    return virtual_gpu_leave(gpu, fill_rectangle(gpu, fill));
}

CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr address, size_t pitch, unsigned char value,
                                 size_t width, size_t height)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemsetD2D8_v2(address, pitch, value, width, height);
    struct fill fill = {address, pitch, value, width, height, 1};
    return virtual_gpu_leave(gpu, fill_rectangle(gpu, fill));
}

CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr address, size_t pitch, unsigned short value,
                                    size_t width, size_t height, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemsetD2D16Async(address, pitch, value, width, height, stream);
    struct fill fill = {address, pitch, value, width, height, 2};
    return virtual_gpu_leave(gpu, fill_rectangle(gpu, fill));
}

CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr address, size_t pitch, unsigned short value,
                                  size_t width, size_t height)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemsetD2D16_v2(address, pitch, value, width, height);
    struct fill fill = {address, pitch, value, width, height, 2};
    return virtual_gpu_leave(gpu, fill_rectangle(gpu, fill));
}

CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr address, size_t pitch, unsigned value, size_t width,
                                    size_t height, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemsetD2D32Async(address, pitch, value, width, height, stream);
    struct fill fill = {address, pitch, value, width, height, 4};
    return virtual_gpu_leave(gpu, fill_rectangle(gpu, fill));
}

CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr address, size_t pitch, unsigned value, size_t width,
                                  size_t height)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemsetD2D32_v2(address, pitch, value, width, height);
    struct fill fill = {address, pitch, value, width, height, 4};
    return virtual_gpu_leave(gpu, fill_rectangle(gpu, fill));
}
