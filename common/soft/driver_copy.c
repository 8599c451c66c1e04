/* driver_copy.c: copies and fills. */
#include "soft_driver.h"

static CUresult copy(void *destination, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaMemcpy(destination, source, bytes, kind))
                                  : result;
}

static CUresult copy_async(void *destination, const void *source, size_t bytes,
                           enum cudaMemcpyKind kind, CUstream stream)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS
               ? driver_result(cudaMemcpyAsync(destination, source, bytes, kind, stream))
               : result;
}

CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t bytes)
{
    return copy(driver_pointer(destination), driver_pointer(source), bytes, cudaMemcpyDefault);
}

CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy_async(driver_pointer(destination), driver_pointer(source), bytes, cudaMemcpyDefault,
                      stream);
}

CUresult cuMemcpyHtoD(CUdeviceptr destination, const void *source, size_t bytes)
{
    return copy(driver_pointer(destination), source, bytes, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr destination, const void *source, size_t bytes,
                           CUstream stream)
{
    return copy_async(driver_pointer(destination), source, bytes, cudaMemcpyHostToDevice, stream);
}

CUresult cuMemcpyDtoH(void *destination, CUdeviceptr source, size_t bytes)
{
    return copy(destination, driver_pointer(source), bytes, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoHAsync(void *destination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy_async(destination, driver_pointer(source), bytes, cudaMemcpyDeviceToHost, stream);
}

CUresult cuMemcpyDtoD(CUdeviceptr destination, CUdeviceptr source, size_t bytes)
{
    return copy(driver_pointer(destination), driver_pointer(source), bytes,
                cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                           CUstream stream)
{
    return copy_async(driver_pointer(destination), driver_pointer(source), bytes,
                      cudaMemcpyDeviceToDevice, stream);
}

/* ---- between contexts ---- */

static CUresult begin_peers(CUcontext destination, CUcontext source)
{
    CUresult result = driver_begin(NULL);

    if (result == CUDA_SUCCESS)
        result = driver_check_context(destination);
    return result == CUDA_SUCCESS ? driver_check_context(source) : result;
}

CUresult cuMemcpyPeer(CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,
                      CUcontext source_context, size_t bytes)
{
    CUresult result = begin_peers(destination_context, source_context);

    return result == CUDA_SUCCESS
               ? driver_result(cudaMemcpyPeer(driver_pointer(destination),
                                              destination_context->device, driver_pointer(source),
                                              source_context->device, bytes))
               : result;
}

CUresult cuMemcpyPeerAsync(CUdeviceptr destination, CUcontext destination_context,
                           CUdeviceptr source, CUcontext source_context, size_t bytes,
                           CUstream stream)
{
    CUresult result = begin_peers(destination_context, source_context);

    return result == CUDA_SUCCESS
               ? driver_result(cudaMemcpyPeerAsync(
                     driver_pointer(destination), destination_context->device,
                     driver_pointer(source), source_context->device, bytes, stream))
               : result;
}

/* ---- rectangles ---- */

/* One side of a copy of rows: where its first byte is. */
struct side {
    char *start;
    size_t pitch;
    bool on_device, on_host; /* neither: the address says it */
};

/* False for arrays, and for types of memory that do not exist. */
static bool side_of(CUmemorytype type, const void *host, CUdeviceptr device, size_t x, size_t y,
                    size_t pitch, struct side *side)
{
    *side = (struct side){.pitch = pitch,
                          .on_device = type == CU_MEMORYTYPE_DEVICE,
                          .on_host = type == CU_MEMORYTYPE_HOST};
    if (!side->on_device && !side->on_host && type != CU_MEMORYTYPE_UNIFIED)
        return false;
    side->start = side->on_host ? (char *)(uintptr_t)host : driver_pointer(device);
    side->start = side->start ? side->start + y * pitch + x : NULL;
    return true;
}

static enum cudaMemcpyKind kind_of(const struct side *destination, const struct side *source)
{
    if (destination->on_device && source->on_device)
        return cudaMemcpyDeviceToDevice;
    if (destination->on_device && source->on_host)
        return cudaMemcpyHostToDevice;
    if (destination->on_host && source->on_device)
        return cudaMemcpyDeviceToHost;
    return destination->on_host && source->on_host ? cudaMemcpyHostToHost : cudaMemcpyDefault;
}

/* `height` rows of `width` bytes; the pitch of a single row may be 0. */
static cudaError_t copy_rows(struct side destination, struct side source, size_t width,
                             size_t height, CUstream stream, bool wait)
{
    enum cudaMemcpyKind kind = kind_of(&destination, &source);

    if (height == 1 && destination.pitch == 0)
        destination.pitch = width;
    if (height == 1 && source.pitch == 0)
        source.pitch = width;
    if (wait)
        return cudaMemcpy2D(destination.start, destination.pitch, source.start, source.pitch, width,
                            height, kind);
    return cudaMemcpy2DAsync(destination.start, destination.pitch, source.start, source.pitch,
                             width, height, kind, stream);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *c, CUstream stream, bool wait)
{
    struct side destination, source;
    CUresult result = driver_begin(NULL);

    if (result != CUDA_SUCCESS)
        return result;
    if (!c ||
        !side_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes, c->dstY, c->dstPitch,
                 &destination) ||
        !side_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes, c->srcY, c->srcPitch,
                 &source))
        return CUDA_ERROR_INVALID_VALUE;
    return driver_result(copy_rows(destination, source, c->WidthInBytes, c->Height, stream, wait));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    return copy_2d(c, NULL, true);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c)
{
    return copy_2d(c, NULL, true);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream)
{
    return copy_2d(c, stream, false);
}

/* One copy of rows after the other. */
static CUresult copy_3d(const CUDA_MEMCPY3D_PEER *c, CUstream stream, bool wait)
{
    struct side destination, source;
    cudaError_t error = cudaSuccess;
    CUresult result = c ? begin_peers(c->dstContext, c->srcContext) : CUDA_ERROR_INVALID_VALUE;

    if (result != CUDA_SUCCESS)
        return result;
    for (size_t z = 0; z < c->Depth && error == cudaSuccess; z++) {
        size_t destination_y = (c->dstZ + z) * c->dstHeight + c->dstY;
        size_t source_y = (c->srcZ + z) * c->srcHeight + c->srcY;
        if (!side_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes, destination_y,
                     c->dstPitch, &destination) ||
            !side_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes, source_y,
                     c->srcPitch, &source))
            return CUDA_ERROR_INVALID_VALUE;
        error = copy_rows(destination, source, c->WidthInBytes, c->Height, stream, wait);
    }
    return driver_result(error);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *c)
{
    return copy_3d(c, NULL, true);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *c, CUstream stream)
{
    return copy_3d(c, stream, false);
}
