/* driver_memory.c: device memory, page-locked memory, and what is known of an address. */
#include "soft_driver.h"

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaMemGetInfo(free_bytes, total_bytes)) : result;
}

/* ---- device memory ---- */

/* Of the driver's allocations none may be empty. */
static CUresult begin_allocation(const CUdeviceptr *address, size_t bytes)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS && (!address || bytes == 0) ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    void *pointer = NULL;
    CUresult result = begin_allocation(address, bytes);

    if (result == CUDA_SUCCESS)
        result = driver_result(cudaMalloc(&pointer, bytes));
    if (result == CUDA_SUCCESS)
        *address = driver_address(pointer);
    return result;
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width_bytes, size_t height,
                         unsigned element_bytes)
{
    void *pointer = NULL;
    bool good_element = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    CUresult result = begin_allocation(address, width_bytes && height);

    if (result == CUDA_SUCCESS && !good_element)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = driver_result(cudaMallocPitch(&pointer, pitch, width_bytes, height));
    if (result == CUDA_SUCCESS)
        *address = driver_address(pointer);
    return result;
}

CUresult cuMemFree(CUdeviceptr address)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaFree(driver_pointer(address))) : result;
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    void *pointer = NULL;
    CUresult result = begin_allocation(address, bytes);

    if (result == CUDA_SUCCESS)
        result = driver_result(cudaMallocAsync(&pointer, bytes, stream));
    if (result == CUDA_SUCCESS)
        *address = driver_address(pointer);
    return result;
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaFreeAsync(driver_pointer(address), stream))
                                  : result;
}

/* ---- page-locked memory ---- */

static CUresult allocate_host(void **pointer, size_t bytes, unsigned flags)
{
    CUresult result = driver_begin(NULL);

    if (result == CUDA_SUCCESS && bytes == 0)
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? driver_result(cudaHostAlloc(pointer, bytes, flags)) : result;
}

CUresult cuMemAllocHost(void **pointer, size_t bytes)
{
    return allocate_host(pointer, bytes, 0);
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    return allocate_host(pointer, bytes, flags);
}

CUresult cuMemFreeHost(void *pointer)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaFreeHost(pointer)) : result;
}

CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaHostRegister(pointer, bytes, flags)) : result;
}

CUresult cuMemHostUnregister(void *pointer)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaHostUnregister(pointer)) : result;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *pointer, unsigned flags)
{
    void *mapped = NULL;
    CUresult result = driver_begin(NULL);

    if (result == CUDA_SUCCESS && !address)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = driver_result(cudaHostGetDevicePointer(&mapped, pointer, flags));
    if (result == CUDA_SUCCESS)
        *address = driver_address(mapped);
    return result;
}

CUresult cuMemHostGetFlags(unsigned *flags, void *pointer)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaHostGetFlags(flags, pointer)) : result;
}

/* ---- questions about addresses ---- */

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    struct allocation found;
    CUresult result = driver_begin(NULL);

    if (result == CUDA_SUCCESS && !allocation_find(driver_pointer(address), &found))
        result = CUDA_ERROR_NOT_FOUND;
    if (result != CUDA_SUCCESS)
        return result;
    if (base)
        *base = (CUdeviceptr)found.base;
    if (bytes)
        *bytes = found.bytes;
    return CUDA_SUCCESS;
}

static CUresult attribute_of(void *data, CUpointer_attribute attribute,
                             const struct allocation *found, CUdeviceptr address)
{
    bool on_host = found->kind == PINNED_MEMORY || found->kind == REGISTERED_MEMORY;
    bool managed = found->kind == MANAGED_MEMORY;
    bool owned = found->owner && found->kind == DEVICE_MEMORY;

    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)data = driver_owner_context(owned ? found->owner : NULL, found->device);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)data = on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)data = address;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!on_host && !managed)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)data = driver_pointer(address);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(int *)data = managed;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)data = found->device;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)data = (CUdeviceptr)found->base;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)data = found->bytes;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(int *)data = 1;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address)
{
    struct allocation found;
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS && (!data || !allocation_find(driver_pointer(address), &found)))
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? attribute_of(data, attribute, &found, address) : result;
}
