#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error_cuda.h"

static cudaError_t pageable_allocate(void **pointer, size_t bytes)
{
    *pointer = malloc(bytes ? bytes : 1);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t pageable_release(void *pointer)
{
    free(pointer);
    return cudaSuccess;
}

static cudaError_t pinned_allocate(void **pointer, size_t bytes)
{
    return cudaMallocHost(pointer, bytes);
}

/* Pages are locked whole; a block that shares a page with another could not be registered twice. */
static cudaError_t registered_allocate(void **pointer, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole_pages = (bytes + page - 1) / page * page;
    if (whole_pages < bytes || posix_memalign(pointer, page, whole_pages ? whole_pages : page))
        return cudaErrorMemoryAllocation;
    cudaError_t result =
        cudaHostRegister(*pointer, whole_pages ? whole_pages : page, cudaHostRegisterDefault);
    if (result != cudaSuccess)
        free(*pointer);
    return result;
}

static cudaError_t registered_release(void *pointer)
{
    cudaError_t result = cudaHostUnregister(pointer);
    if (result == cudaSuccess)
        free(pointer);
    return result;
}

static cudaError_t mapped_allocate(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, cudaHostAllocMapped);
}

static cudaError_t managed_allocate(void **pointer, size_t bytes)
{
    return cudaMallocManaged(pointer, bytes, cudaMemAttachGlobal);
}

static cudaError_t device_allocate(void **pointer, size_t bytes)
{
    return cudaMalloc(pointer, bytes);
}

const struct memory_operations memory_operations[MEMORY_KINDS] = {
    [MEMORY_PAGEABLE] = {"pageable", 'H', "malloc", true, pageable_allocate, pageable_release},
    [MEMORY_PINNED] = {"pinned", 'P', "cudaMallocHost", true, pinned_allocate, cudaFreeHost},
    [MEMORY_REGISTERED] = {"registered", 'R', "malloc and cudaHostRegister", true,
                           registered_allocate, registered_release},
    [MEMORY_MAPPED] = {"mapped", 'Z', "page-locked, used by kernels in place", true,
                       mapped_allocate, cudaFreeHost},
    [MEMORY_MANAGED] = {"managed", 'M', "cudaMallocManaged", true, managed_allocate, cudaFree},
    [MEMORY_DEVICE] = {"device", 'D', "cudaMalloc", false, device_allocate, cudaFree},
};

enum memory_kind memory_kind_of(const char *name)
{
    for (int kind = 0; kind < MEMORY_KINDS; kind++) {
        const struct memory_operations *operations = &memory_operations[kind];
        bool is_letter = name[0] == operations->letter && name[1] == '\0';
        if (is_letter || strcmp(name, operations->name) == 0)
            return (enum memory_kind)kind;
    }
    return MEMORY_KINDS;
}

enum dm_status memory_obtain(enum memory_kind kind, size_t bytes, void **pointer)
{
    const struct memory_operations *operations = &memory_operations[kind];
    if (bytes == 0)
        bytes = 1;
    *pointer = NULL;
    cudaError_t error = operations->allocate(pointer, bytes);
    if (error == cudaSuccess)
        return DM_OK;
    *pointer = NULL;
    if (kind != MEMORY_PAGEABLE)
        cudaGetLastError(); /* the next check of a launch must not find it */
    if (error == cudaErrorMemoryAllocation)
        return dm_fail(DM_NO_MEMORY,
                       "%zu bytes of %s memory are not available: choose a smaller size", bytes,
                       operations->name);
    char what[64];
    snprintf(what, sizeof what, "%zu bytes of %s memory", bytes, operations->name);
    return error_cuda(error, what, __FILE__, __LINE__);
}

void memory_give_back(enum memory_kind kind, void *pointer)
{
    if (pointer)
        memory_operations[kind].release(pointer);
}
