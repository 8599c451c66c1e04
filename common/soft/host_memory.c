/* host_memory.c: page-locked host memory, allocated or registered, and what is known of a pointer.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "poison.h"
#include "runtime.h"

static void warn_once(void)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    struct rlimit limit = {0, 0};

    if (atomic_flag_test_and_set(&warned))
        return;
    getrlimit(RLIMIT_MEMLOCK, &limit);
    fprintf(stderr,
            "soft GPU: the system did not lock pages (limit %llu KiB): \"pinned\" memory is only "
            "touched, not locked. `ulimit -l unlimited` before the run allows it.\n",
            (unsigned long long)limit.rlim_cur / 1024);
}

static bool populate(char *start, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    if (madvise(start, bytes, MADV_POPULATE_WRITE) == 0)
        return true;
    if (errno != EINVAL)
        return false;
#endif
    for (size_t i = 0; i < bytes; i += PAGE_BYTES) /* writes what is there: the content is kept */
        __atomic_fetch_or(start + i, 0, __ATOMIC_RELAXED);
    return true;
}

static bool is_mapped(char *start, size_t bytes)
{
    unsigned char resident[1024];
    size_t most = sizeof resident * PAGE_BYTES;

    for (size_t done = 0; done < bytes; done += most)
        if (mincore(start + done, bytes - done < most ? bytes - done : most, resident) != 0)
            return false;
    return true;
}

/* Locks whole pages; where that is refused, populates them at least (SOFTGPU_MLOCK=require: fails).
 */
static cudaError_t lock_pages(char *start, size_t bytes)
{
    if (mlock(start, bytes) == 0)
        return cudaSuccess;
    if (soft_settings.mlock_required)
        return cudaErrorMemoryAllocation;
    warn_once();
    return populate(start, bytes) ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t allocate(void **pointer, size_t bytes, unsigned flags)
{
    struct allocation allocation = {
        .bytes = bytes, .kind = PINNED_MEMORY, .flags = flags, .shared_file = -1};

    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes > SIZE_MAX / 2)
        return cudaErrorMemoryAllocation;
    allocation.mapped_bytes = whole_pages(bytes);
    allocation.device = device_current()->index;
    char *base = soft_map_pages(bytes);
    if (!base)
        return cudaErrorMemoryAllocation;
    allocation.base = (uintptr_t)base;
    cudaError_t error = lock_pages(base, allocation.mapped_bytes);
    if (error == cudaSuccess)
        error = allocation_insert(&allocation);
    if (error != cudaSuccess) {
        munmap(base, allocation.mapped_bytes + PAGE_BYTES);
        return cudaErrorMemoryAllocation;
    }
    poison(base + bytes, allocation.mapped_bytes - bytes);
    *pointer = base;
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (!pointer || (flags & ~known)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = allocate(pointer, bytes, flags);
    return api_end(error);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

static void wait_for_all_devices(void)
{
    for (int i = 0; i < soft_settings.devices; i++)
        device_wait(&soft_devices[i]);
}

/* Waits for all devices, since any of them may be copying from or to the memory. */
cudaError_t cudaFreeHost(void *pointer)
{
    struct device *device;
    struct allocation allocation;
    cudaError_t error = api_begin(&device);

    if (error != cudaSuccess || !pointer)
        return api_end(error);
    if (!allocation_take(pointer, 1u << PINNED_MEMORY, &allocation))
        return api_end(cudaErrorInvalidValue);
    wait_for_all_devices();
    unpoison(pointer, allocation.mapped_bytes);
    munmap(pointer, allocation.mapped_bytes + PAGE_BYTES);
    return api_end(cudaSuccess);
}

/* The whole pages that contain a registered range. */
static char *first_page(const struct allocation *allocation)
{
    return (char *)(allocation->base & ~(uintptr_t)(PAGE_BYTES - 1));
}

static size_t page_range(const struct allocation *allocation)
{
    return whole_pages(allocation->base + allocation->bytes - (uintptr_t)first_page(allocation));
}

static cudaError_t register_range(void *pointer, size_t bytes, unsigned flags)
{
    struct allocation allocation = {.base = (uintptr_t)pointer,
                                    .bytes = bytes,
                                    .kind = REGISTERED_MEMORY,
                                    .device = device_current()->index,
                                    .flags = flags,
                                    .shared_file = -1},
                      other;

    if (!is_mapped(first_page(&allocation), page_range(&allocation)))
        return cudaErrorInvalidValue;
    if (allocation_find(pointer, &other) && other.kind != PINNED_MEMORY &&
        other.kind != REGISTERED_MEMORY)
        return cudaErrorInvalidValue;
    if (allocation_overlaps(pointer, bytes))
        return cudaErrorHostMemoryAlreadyRegistered;
    cudaError_t error = lock_pages(first_page(&allocation), page_range(&allocation));
    return error == cudaSuccess ? allocation_insert(&allocation) : error;
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (flags & cudaHostRegisterIoMemory))
        error = cudaErrorNotSupported;
    if (error == cudaSuccess && (!pointer || bytes == 0 || (flags & ~known) ||
                                 bytes > UINTPTR_MAX - PAGE_BYTES - (uintptr_t)pointer))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = register_range(pointer, bytes, flags);
    return api_end(error);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    struct device *device;
    struct allocation allocation;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !pointer)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api_end(error);
    if (!allocation_take(pointer, 1u << REGISTERED_MEMORY, &allocation))
        return api_end(cudaErrorHostMemoryNotRegistered);
    wait_for_all_devices();
    munlock(first_page(&allocation), page_range(&allocation));
    return api_end(cudaSuccess);
}

/* ---- questions about pointers ---- */

static bool is_page_locked(const struct allocation *allocation)
{
    return allocation->kind == PINNED_MEMORY || allocation->kind == REGISTERED_MEMORY;
}

/* With unified addressing all page-locked memory is mapped, and at its own address. */
cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *host_pointer, unsigned flags)
{
    struct device *device;
    struct allocation allocation;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess &&
        (!device_pointer || flags != 0 || !allocation_find(host_pointer, &allocation) ||
         !is_page_locked(&allocation)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *device_pointer = host_pointer;
    return api_end(error);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer)
{
    struct device *device;
    struct allocation allocation;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess &&
        (!flags || !allocation_find(pointer, &allocation) || !is_page_locked(&allocation)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = allocation.flags;
    return api_end(error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    struct device *device;
    struct allocation allocation;
    void *address = (void *)pointer;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !attributes)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api_end(error);
    *attributes = (struct cudaPointerAttributes){
        .type = cudaMemoryTypeUnregistered, .device = cudaInvalidDeviceId, .hostPointer = address};
    if (!allocation_find(pointer, &allocation))
        return api_end(cudaSuccess);
    attributes->device = allocation.device;
    attributes->devicePointer = address;
    if (is_page_locked(&allocation)) {
        attributes->type = cudaMemoryTypeHost;
    } else if (allocation.kind == MANAGED_MEMORY) {
        attributes->type = cudaMemoryTypeManaged;
    } else {
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = NULL;
    }
    return api_end(cudaSuccess);
}
