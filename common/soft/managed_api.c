/* managed_api.c: the API of managed memory: allocation, advice, attributes. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "managed.h"
#include "poison.h"

static cudaError_t allocate(void **pointer, size_t bytes, unsigned flags)
{
    struct allocation allocation = {.bytes = bytes,
                                    .mapped_bytes = whole_pages(bytes),
                                    .kind = MANAGED_MEMORY,
                                    .device = device_current()->index,
                                    .flags = flags,
                                    .shared_file = -1};
    char *base = soft_map_pages(bytes);

    if (!base)
        return cudaErrorMemoryAllocation;
    madvise(base, allocation.mapped_bytes, MADV_NOHUGEPAGE); /* units are smaller than huge pages */
    allocation.base = (uintptr_t)base;
    allocation.managed = managed_make(base, allocation.mapped_bytes);
    if (allocation.managed && allocation_insert(&allocation) == cudaSuccess) {
        poison(base + bytes, allocation.mapped_bytes - bytes);
        *pointer = base;
        return cudaSuccess;
    }
    if (allocation.managed)
        managed_destroy(allocation.managed);
    munmap(base, allocation.mapped_bytes + PAGE_BYTES);
    return cudaErrorMemoryAllocation;
}

/* More managed memory than all devices have is possible: it stays on the host. */
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess &&
        (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api_end(error);
    *pointer = NULL;
    soft_install_fault_handler();
    return api_end(bytes > SIZE_MAX / 2 ? cudaErrorMemoryAllocation
                                        : allocate(pointer, bytes, flags));
}

/* ---- locations and ranges ---- */

cudaError_t managed_device_of(struct cudaMemLocation location, int *device)
{
    switch (location.type) {
    case cudaMemLocationTypeDevice:
        *device = location.id;
        return device_numbered(location.id) ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
        *device = cudaCpuDeviceId;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t managed_range_of(const void *pointer, size_t bytes, struct managed_region **region)
{
    struct allocation allocation;

    if (bytes == 0 || !allocation_find(pointer, &allocation) || allocation.kind != MANAGED_MEMORY ||
        bytes > allocation.bytes - ((uintptr_t)pointer - allocation.base))
        return cudaErrorInvalidValue;
    *region = allocation.managed;
    return cudaSuccess;
}

/* ---- advice ---- */

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    struct device *current;
    struct managed_region *region;
    int device = cudaCpuDeviceId;
    bool needs_location = advice == cudaMemAdviseSetPreferredLocation ||
                          advice == cudaMemAdviseSetAccessedBy ||
                          advice == cudaMemAdviseUnsetAccessedBy;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess &&
        (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && needs_location)
        error = managed_device_of(location, &device);
    if (error == cudaSuccess)
        error = managed_range_of(pointer, bytes, &region);
    if (error == cudaSuccess)
        managed_advise(region, pointer, bytes, advice, device);
    return api_end(error);
}

/* ---- attributes ---- */

static int type_of(int device)
{
    if (device == cudaInvalidDeviceId)
        return cudaMemLocationTypeInvalid;
    return device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}

/* The devices that access the range, the rest of the array filled with cudaInvalidDeviceId. */
static void list_accessed_by(unsigned mask, int *list, size_t length)
{
    size_t n = 0;

    for (int device = 0; device < MAX_DEVICES && n < length; device++)
        if (mask & 1u << device)
            list[n++] = device;
    if ((mask & 1u << MAX_DEVICES) && n < length)
        list[n++] = cudaCpuDeviceId;
    while (n < length)
        list[n++] = cudaInvalidDeviceId;
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes,
                                     enum cudaMemRangeAttribute attribute, const void *pointer,
                                     size_t bytes)
{
    struct device *current;
    struct managed_region *region;
    struct managed_hints hints;
    bool list = attribute == cudaMemRangeAttributeAccessedBy;
    int *result = data;
    cudaError_t error = api_begin(&current);

    if (error == cudaSuccess && (!data || data_bytes == 0 || data_bytes % sizeof(int) ||
                                 (!list && data_bytes != sizeof(int))))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = managed_range_of(pointer, bytes, &region);
    if (error != cudaSuccess)
        return api_end(error);
    managed_hints(region, pointer, bytes, &hints);
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
        *result = hints.read_mostly;
        break;
    case cudaMemRangeAttributeAccessedBy:
        list_accessed_by(hints.accessed_by, result, data_bytes / sizeof(int));
        break;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId:
        *result = hints.preferred;
        break;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId:
        *result = hints.last_prefetch;
        break;
    case cudaMemRangeAttributePreferredLocationType:
        *result = type_of(hints.preferred);
        break;
    case cudaMemRangeAttributeLastPrefetchLocationType:
        *result = type_of(hints.last_prefetch);
        break;
    default:
        error = cudaErrorInvalidValue;
    }
    return api_end(error);
}
