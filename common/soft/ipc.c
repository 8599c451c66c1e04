/* ipc.c: device memory that several processes map. Memory becomes shareable when its handle is
 * asked for: its content moves to a memory file, which takes the place of the private pages at the
 * same address. The other process opens that file through /proc, which the system allows to
 * processes of the same user. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime.h"

static const char mark[16] = "soft GPU memory";

struct handle {
    char mark[16];
    int process, file, device;
    uint64_t bytes;
    uint64_t inode; /* of the memory file: tells a handle whose memory was freed */
};
_Static_assert(sizeof(struct handle) <= sizeof(cudaIpcMemHandle_t), "the handle has 64 bytes");

static bool write_all(int file, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, data, bytes);
        if (written <= 0)
            return false;
        data += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Nothing may run on the device meanwhile. */
static int make_shareable(const struct allocation *allocation)
{
    void *base = (void *)allocation->base;
    int file = memfd_create("soft-gpu", MFD_CLOEXEC);

    if (file < 0)
        return -1;
    if (!write_all(file, base, allocation->bytes) ||
        ftruncate(file, (off_t)allocation->mapped_bytes) != 0 ||
        mmap(base, allocation->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             0) == MAP_FAILED) {
        close(file);
        return -1;
    }
    allocation_set_shared_file(base, file);
    return file;
}

static cudaError_t describe(const struct allocation *allocation, struct handle *description)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    struct allocation now;
    struct stat status;
    int file = -1;

    device_wait(&soft_devices[allocation->device]);
    pthread_mutex_lock(&one_at_a_time);
    if (allocation_find((void *)allocation->base, &now))
        file = now.shared_file >= 0 ? now.shared_file : make_shareable(&now);
    pthread_mutex_unlock(&one_at_a_time);
    if (file < 0 || fstat(file, &status) != 0)
        return cudaErrorMapBufferObjectFailed;
    memcpy(description->mark, mark, sizeof mark);
    description->process = getpid();
    description->file = file;
    description->device = allocation->device;
    description->bytes = allocation->bytes;
    description->inode = status.st_ino;
    return cudaSuccess;
}

/* `pointer` is the start of an allocation of cudaMalloc. */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    struct device *device;
    struct allocation allocation;
    struct handle description = {{0}, 0, 0, 0, 0, 0};
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess &&
        (!handle || !allocation_find(pointer, &allocation) || allocation.kind != DEVICE_MEMORY ||
         allocation.base != (uintptr_t)pointer))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = describe(&allocation, &description);
    if (error == cudaSuccess) {
        memset(handle, 0, sizeof *handle);
        memcpy(handle, &description, sizeof description);
    }
    return api_end(error);
}

static int open_file(const struct handle *description)
{
    char path[64];
    struct stat status;

    snprintf(path, sizeof path, "/proc/%d/fd/%d", description->process, description->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && (fstat(file, &status) != 0 || status.st_ino != description->inode ||
                      (uint64_t)status.st_size < description->bytes)) {
        close(file);
        return -1;
    }
    return file;
}

static cudaError_t map_file(const struct handle *description, struct device *device, void **pointer)
{
    struct allocation allocation = {.bytes = description->bytes,
                                    .mapped_bytes = whole_pages(description->bytes),
                                    .kind = IPC_MEMORY,
                                    .device = device->index};

    allocation.shared_file = open_file(description);
    if (allocation.shared_file < 0)
        return cudaErrorMapBufferObjectFailed;
    char *base = soft_map_pages(allocation.bytes);
    if (base && mmap(base, allocation.mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                     allocation.shared_file, 0) != MAP_FAILED) {
        allocation.base = (uintptr_t)base;
        if (allocation_insert(&allocation) == cudaSuccess) {
            *pointer = base;
            return cudaSuccess;
        }
    }
    if (base)
        munmap(base, allocation.mapped_bytes + PAGE_BYTES);
    close(allocation.shared_file);
    return cudaErrorMemoryAllocation;
}

/* Counts against the memory of the process that allocated it. */
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    struct device *device;
    struct handle description;
    cudaError_t error = api_begin(&device);

    memcpy(&description, &handle, sizeof description);
    if (error == cudaSuccess &&
        (!pointer || flags != cudaIpcMemLazyEnablePeerAccess || description.bytes == 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && memcmp(description.mark, mark, sizeof mark) != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && description.process == getpid())
        error = cudaErrorDeviceUninitialized; /* CUDA, too, refuses the process's own handle */
    if (error == cudaSuccess)
        error = map_file(&description, device, pointer);
    return api_end(error);
}

cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
    struct device *device;
    struct allocation allocation;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !allocation_take(pointer, 1u << IPC_MEMORY, &allocation))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        device_wait(&soft_devices[allocation.device]);
        device_memory_release(&allocation);
    }
    return api_end(error);
}
