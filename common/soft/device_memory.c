/* device_memory.c: cudaMalloc and cudaFree. A device's memory is a set of mappings of this process,
 * each followed by a guard page that nobody may touch. A freed mapping stays reserved and
 * untouchable for a while, so that a kernel that uses it is caught instead of reading somebody
 * else's data. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph.h"
#include "poison.h"
#include "runtime.h"

enum { QUARANTINE = 256, PITCH_ALIGNMENT = 512 };

static pthread_mutex_t quarantine_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    void *base;
    size_t bytes;
} quarantine[QUARANTINE];
static unsigned oldest;

void *soft_map_pages(size_t bytes)
{
    size_t mapped = whole_pages(bytes) + PAGE_BYTES;
    char *base = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (base == MAP_FAILED)
        return NULL;
    if (mprotect(base + mapped - PAGE_BYTES, PAGE_BYTES, PROT_NONE) != 0) {
        munmap(base, mapped);
        return NULL;
    }
    if (mapped > (size_t)2 << 20)
        madvise(base, mapped - PAGE_BYTES, MADV_HUGEPAGE); /* fewer page faults; only a wish */
    return base;
}

/* Replaces the mapping by an untouchable one, which gives its memory back, and really unmaps the
 * region that was freed longest ago. */
static void quarantine_mapping(void *base, size_t bytes)
{
    mmap(base, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    poison(base, bytes);
    pthread_mutex_lock(&quarantine_lock);
    if (quarantine[oldest].base) {
        unpoison(quarantine[oldest].base, quarantine[oldest].bytes);
        munmap(quarantine[oldest].base, quarantine[oldest].bytes);
    }
    quarantine[oldest].base = base;
    quarantine[oldest].bytes = bytes;
    oldest = (oldest + 1) % QUARANTINE;
    pthread_mutex_unlock(&quarantine_lock);
}

void device_memory_release(const struct allocation *allocation)
{
    quarantine_mapping((void *)allocation->base, allocation->mapped_bytes + PAGE_BYTES);
    if (allocation->shared_file >= 0)
        close(allocation->shared_file);
    if (allocation->kind == DEVICE_MEMORY)
        device_memory_unreserve(&soft_devices[allocation->device], allocation->mapped_bytes);
}

static cudaError_t allocate(struct device *device, size_t bytes, void **pointer)
{
    struct allocation allocation = {.bytes = bytes,
                                    .kind = DEVICE_MEMORY,
                                    .device = device->index,
                                    .owner = soft_owner,
                                    .shared_file = -1};

    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes > device->memory_bytes)
        return cudaErrorMemoryAllocation;
    allocation.mapped_bytes = whole_pages(bytes);
    if (!device_memory_reserve(device, allocation.mapped_bytes))
        return cudaErrorMemoryAllocation;
    char *base = soft_map_pages(bytes);
    if (base) {
        allocation.base = (uintptr_t)base;
        if (allocation_insert(&allocation) == cudaSuccess) {
            poison(base + bytes, allocation.mapped_bytes - bytes);
            *pointer = base;
            return cudaSuccess;
        }
        munmap(base, allocation.mapped_bytes + PAGE_BYTES);
    }
    device_memory_unreserve(device, allocation.mapped_bytes);
    return cudaErrorMemoryAllocation;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !pointer)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = allocate(device, bytes, pointer);
    return api_end(error);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height)
{
    struct device *device;
    cudaError_t error = api_begin(&device);
    size_t row = (width_bytes + PITCH_ALIGNMENT - 1) & ~(size_t)(PITCH_ALIGNMENT - 1), bytes;

    if (error == cudaSuccess && (!pointer || !pitch || row < width_bytes))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && __builtin_mul_overflow(row, height, &bytes))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = allocate(device, bytes, pointer);
    if (error == cudaSuccess)
        *pitch = row;
    return api_end(error);
}

static void free_managed(const struct allocation *allocation)
{
    for (int i = 0; i < soft_settings.devices; i++)
        device_wait(&soft_devices[i]);
    managed_destroy(allocation->managed);
    quarantine_mapping((void *)allocation->base, allocation->mapped_bytes + PAGE_BYTES);
}

/* Waits for the device that owns the memory, as CUDA does, so that no kernel is using it. */
cudaError_t cudaFree(void *pointer)
{
    struct device *device;
    struct allocation allocation;
    cudaError_t error = api_begin(&device);

    if (error != cudaSuccess || !pointer)
        return api_end(error);
    if (!allocation_take(pointer, 1u << DEVICE_MEMORY | 1u << MANAGED_MEMORY, &allocation))
        return api_end(cudaErrorInvalidValue);
    if (allocation.kind == MANAGED_MEMORY) {
        free_managed(&allocation);
    } else {
        device_wait(&soft_devices[allocation.device]);
        device_memory_release(&allocation);
    }
    return api_end(cudaSuccess);
}

/* ---- in stream order ---- */

/* The memory is there at once. If it is only there after earlier frees of the stream, waits for
 * them. */
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t handle)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !pointer)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess) {
        error = allocate(stream->device, bytes, pointer);
        if (error == cudaErrorMemoryAllocation) {
            stream_wait(stream);
            error = allocate(stream->device, bytes, pointer);
        }
    }
    return api_end(error);
}

struct free_operation {
    struct operation base;
    struct allocation allocation;
};

static void free_run(struct operation *operation, cudaError_t status)
{
    (void)operation;
    (void)status; /* memory is given back in `destroy`, whatever happened before */
}

static void free_destroy(struct operation *operation)
{
    struct free_operation *self = (struct free_operation *)operation;

    device_memory_release(&self->allocation);
    free(self);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle)
{
    struct device *device;
    stream_t *stream;
    struct free_operation *operation = NULL;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && stream_captured(stream))
        error = cudaErrorStreamCaptureUnsupported; /* a launch could not free it again */
    if (error != cudaSuccess || !pointer)
        return api_end(error);
    operation = calloc(1, sizeof *operation);
    if (!operation)
        return api_end(cudaErrorMemoryAllocation);
    if (!allocation_take(pointer, 1u << DEVICE_MEMORY, &operation->allocation)) {
        free(operation);
        return api_end(cudaErrorInvalidValue);
    }
    operation->base.run = free_run;
    operation->base.destroy = free_destroy;
    return api_end(schedule_submit(stream, &operation->base, NULL));
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (!free_bytes || !total_bytes))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        *total_bytes = device->memory_bytes;
        *free_bytes = device_memory_free(device);
    }
    return api_end(error);
}
