/* ways_memory.c: the arrays of ways.h: allocation, values, place and advice. */
#include "common/error_cuda.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/migration.h"
#include "common/regions/managed_limit.h"

#include "access.h"
#include "ways.h"

static size_t bytes_of(const struct ways_memory *memory)
{
    return memory->count * sizeof *memory->managed;
}

static bool is_managed(enum way way)
{
    return way < WAY_ZERO_COPY;
}

void ways_memory_open(struct ways_memory *memory, size_t count)
{
    *memory = (struct ways_memory){.count = count, .advised = WAYS};
    memory->pinned_count = count < PINNED_ELEMENTS_MAX ? count : PINNED_ELEMENTS_MAX;
    check_cuda(cudaGetDevice(&memory->device));
    check_cuda(cudaStreamCreateWithFlags(&memory->stream, cudaStreamNonBlocking));
    memory->sum = memory_allocate(MEMORY_DEVICE, sizeof *memory->sum);
}

void ways_memory_close(struct ways_memory *memory)
{
    check_cuda(cudaStreamDestroy(memory->stream));
    memory_give_back(MEMORY_DEVICE, memory->copy);
    memory_give_back(MEMORY_DEVICE, memory->sum);
    memory_give_back(MEMORY_MAPPED, memory->pinned);
    memory_give_back(MEMORY_MANAGED, memory->managed);
}

/* ---- allocation ---- */

static enum dm_status obtain_managed(struct ways_memory *memory)
{
    void *pointer;

    TRY(managed_check_limit(bytes_of(memory), false));
    TRY(managed_check_host(bytes_of(memory)));
    TRY(memory_obtain(MEMORY_MANAGED, bytes_of(memory), &pointer));
    memory->managed = pointer;
    return DM_OK;
}

static enum dm_status obtain_pinned(struct ways_memory *memory)
{
    const size_t bytes = memory->pinned_count * sizeof *memory->pinned;
    void *pointer;

    TRY(managed_check_host(bytes));
    TRY(memory_obtain(MEMORY_MAPPED, bytes, &pointer));
    memory->pinned = pointer;
    return status_of_cuda(cudaHostGetDevicePointer((void **)&memory->pinned_kernel, pointer, 0));
}

static enum dm_status check_way(enum way way, const struct ways_memory *memory)
{
    const bool batch =
        way == WAY_PREFETCH_BATCH || way == WAY_DISCARD || way == WAY_DISCARD_PREFETCH;

    if (batch && CUDART_VERSION < 13000)
        return dm_fail(DM_UNAVAILABLE, "batches of prefetches and discards need CUDA 13");
    if (way == WAY_ZERO_COPY && memory->count > memory->pinned_count)
        return dm_fail(DM_NO_MEMORY, "page-locked memory of %zu bytes: zero-copy has at most %zu",
                       bytes_of(memory), memory->pinned_count * sizeof *memory->pinned);
    return DM_OK;
}

enum dm_status array_open(struct array *array, enum way way, struct ways_memory *memory,
                          uint32_t seed)
{
    uint32_t **const mine = is_managed(way) ? &memory->managed : &memory->pinned;
    const bool is_new = !*mine;

    TRY(check_way(way, memory));
    if (is_new)
        TRY(is_managed(way) ? obtain_managed(memory) : obtain_pinned(memory));
    *array = (struct array){.way = way, .memory = memory, .count = memory->count, .host = *mine};
    array->kernel = is_managed(way) ? memory->managed : memory->pinned_kernel;
    if (is_new)
        array_fill(array, seed);
    return DM_OK;
}

/* ---- values and place ---- */

static void prefetch(const struct ways_memory *memory, int device)
{
    check_cuda(gpu_prefetch_async(memory->managed, bytes_of(memory), device, memory->stream));
    check_cuda(cudaStreamSynchronize(memory->stream));
}

void array_fill(struct array *array, uint32_t seed)
{
    const struct ways_memory *memory = array->memory;

    if (is_managed(array->way)) {
        prefetch(memory, memory->device);
        check_cuda(access_fill(memory->managed, memory->count, seed, memory->stream));
    } else {
        check_cuda(access_fill(memory->pinned_kernel, memory->pinned_count, seed, memory->stream));
    }
    check_cuda(cudaStreamSynchronize(memory->stream));
}

static void advise(const struct ways_memory *memory, enum cudaMemoryAdvise advice, int device)
{
    check_cuda(gpu_advise(memory->managed, bytes_of(memory), advice, device));
}

/* A read-mostly duplicate on the device and mappings to the host outlive the advice; a migration
 * ends them. */
static void take_advice_back(struct ways_memory *memory)
{
    switch (memory->advised) {
    case WAY_READ_MOSTLY:
        advise(memory, cudaMemAdviseUnsetReadMostly, memory->device);
        break;
    case WAY_ACCESSED_BY:
        advise(memory, cudaMemAdviseUnsetAccessedBy, memory->device);
        break;
    case WAY_PREFERRED_HOST:
        advise(memory, cudaMemAdviseUnsetPreferredLocation, cudaCpuDeviceId);
        break;
    default:
        return;
    }
    memory->advised = WAYS;
    prefetch(memory, memory->device);
}

static void give_advice(struct ways_memory *memory, enum way way)
{
    switch (way) {
    case WAY_READ_MOSTLY:
        advise(memory, cudaMemAdviseSetReadMostly, memory->device);
        break;
    case WAY_ACCESSED_BY:
        advise(memory, cudaMemAdviseSetAccessedBy, memory->device);
        break;
    case WAY_PREFERRED_HOST:
        advise(memory, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
        break;
    default:
        return;
    }
    memory->advised = way;
}

void array_place(struct array *array)
{
    struct ways_memory *memory = array->memory;
    const bool is_copied = array->way == WAY_EXPLICIT || array->way == WAY_RECOPY;

    if (!is_copied) {
        memory_give_back(MEMORY_DEVICE, memory->copy);
        memory->copy = NULL;
    }
    if (memory->managed) {
        take_advice_back(memory);
        prefetch(memory, cudaCpuDeviceId);
        give_advice(memory, array->way);
    }
    if (is_copied && !memory->copy)
        memory->copy = memory_allocate(MEMORY_DEVICE, bytes_of(memory));
    if (is_copied)
        array->kernel = memory->copy;
}
