/* driver_fill.c: fills with values of 1, 2 and 4 bytes; they count values, not bytes. */
#include "soft_driver.h"

/* Rows are `pitch` bytes apart; 0: there is one, of `width` values. */
static CUresult fill(CUdeviceptr address, size_t pitch, unsigned value, unsigned value_bytes,
                     size_t width, size_t height, CUstream stream, bool wait)
{
    size_t bytes;
    CUresult result = driver_begin(NULL);

    if (result != CUDA_SUCCESS)
        return result;
    if (__builtin_mul_overflow(width, value_bytes, &bytes) || address % value_bytes != 0 ||
        (height > 1 && pitch % value_bytes != 0))
        return CUDA_ERROR_INVALID_VALUE;
    return driver_result(soft_fill(driver_pointer(address), height == 1 ? bytes : pitch, value,
                                   value_bytes, bytes, height, stream, wait));
}

CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count)
{
    return fill(address, 0, value, 1, count, 1, NULL, true);
}

CUresult cuMemsetD16(CUdeviceptr address, unsigned short value, size_t count)
{
    return fill(address, 0, value, 2, count, 1, NULL, true);
}

CUresult cuMemsetD32(CUdeviceptr address, unsigned value, size_t count)
{
    return fill(address, 0, value, 4, count, 1, NULL, true);
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream)
{
    return fill(address, 0, value, 1, count, 1, stream, false);
}

CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream)
{
    return fill(address, 0, value, 2, count, 1, stream, false);
}

CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, size_t count, CUstream stream)
{
    return fill(address, 0, value, 4, count, 1, stream, false);
}

CUresult cuMemsetD2D8(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                      size_t height)
{
    return fill(address, pitch, value, 1, width, height, NULL, true);
}

CUresult cuMemsetD2D8Async(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream)
{
    return fill(address, pitch, value, 1, width, height, stream, false);
}

CUresult cuMemsetD2D16(CUdeviceptr address, size_t pitch, unsigned short value, size_t width,
                       size_t height)
{
    return fill(address, pitch, value, 2, width, height, NULL, true);
}

CUresult cuMemsetD2D16Async(CUdeviceptr address, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream)
{
    return fill(address, pitch, value, 2, width, height, stream, false);
}

CUresult cuMemsetD2D32(CUdeviceptr address, size_t pitch, unsigned value, size_t width,
                       size_t height)
{
    return fill(address, pitch, value, 4, width, height, NULL, true);
}

CUresult cuMemsetD2D32Async(CUdeviceptr address, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream)
{
    return fill(address, pitch, value, 4, width, height, stream, false);
}
