#include "prefetch/sip/worker_memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- ordinary memory for the cache ---- */

static cudaError_t allocate_pages(void **pointer, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return posix_memalign(pointer, page, bytes) ? cudaErrorMemoryAllocation : cudaSuccess;
}

static cudaError_t release_pages(void *pointer)
{
    free(pointer);
    return cudaSuccess;
}

static const struct pinning_memory ordinary_pages = {allocate_pages, release_pages};

/* The statuses of pinning/ as the worker's errors. */
static cudaError_t cuda_of(enum dm_status status)
{
    cudaError_t error = cudaPeekAtLastError();
    return status == DM_OK          ? cudaSuccess
           : status == DM_NO_MEMORY ? cudaErrorMemoryAllocation
           : status == DM_INVALID   ? cudaErrorInvalidValue
           : error == cudaSuccess   ? cudaErrorUnknown
                                    : error;
}

static cudaError_t make_block(struct worker_memory *memory, struct block_data *data)
{
    return cuda_of(
        pinning_block_create(&data->block, memory->store, data->elements * sizeof(double)));
}

cudaError_t memory_open(struct worker_memory *memory, bool gpu, enum pinning_policy policy,
                        struct trace *trace)
{
    *memory = (struct worker_memory){.trace = trace};
    struct pinning_cache_config config = {.kind = PINNING_CACHE_SEGMENTS,
                                          .memory = gpu ? NULL : &ordinary_pages};
    if (pinning_cache_create(&memory->cache, &config) != DM_OK)
        return cudaErrorMemoryAllocation;
    if (!gpu)
        return cudaSuccess;
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cuda_of(pinning_store_create(&memory->store, memory->cache, device, 1,
                                             PINNING_DEFAULT_STREAMS, policy));
    if (error != cudaSuccess)
        memory_close(memory);
    return error;
}

void memory_close(struct worker_memory *memory)
{
    pinning_store_destroy(memory->store);
    if (memory->cache)
        pinning_cache_destroy(memory->cache);
    free(memory->free_ids);
    *memory = (struct worker_memory){0};
}

/* ---- the trace ---- */

static bool note(struct worker_memory *memory, const struct block_data *data, enum trace_kind kind,
                 int slot)
{
    if (!memory->trace)
        return true;
    return trace_add(memory->trace, (struct trace_event){.kind = (uint8_t)kind,
                                                         .device = (uint8_t)slot,
                                                         .id = data->id,
                                                         .elements = data->elements}) == DM_OK;
}

static bool note_access(struct worker_memory *memory, const struct block_data *data,
                        enum pinning_intent intent, int slot)
{
    static const enum trace_kind kinds[] = {[PINNING_READ] = TRACE_READ,
                                            [PINNING_UPDATE] = TRACE_UPDATE,
                                            [PINNING_WRITE] = TRACE_WRITE};
    return note(memory, data, kinds[intent], slot);
}

/* There is always room for the released IDs, so that a release cannot fail. */
static bool new_id(struct worker_memory *memory, uint32_t *id)
{
    if (!memory->trace)
        return true;
    if (memory->free_count > 0) {
        *id = memory->free_ids[--memory->free_count];
        return true;
    }
    if (memory->ids == memory->free_capacity) {
        size_t capacity = memory->free_capacity ? 2 * memory->free_capacity : 64;
        uint32_t *ids = realloc(memory->free_ids, capacity * sizeof *ids);
        if (!ids)
            return false;
        memory->free_ids = ids;
        memory->free_capacity = capacity;
    }
    *id = memory->ids++;
    return true;
}

/* ---- blocks ---- */

cudaError_t memory_create(struct worker_memory *memory, struct block_data *data, size_t elements)
{
    *data = (struct block_data){.elements = elements};
    if (!new_id(memory, &data->id))
        return cudaErrorMemoryAllocation;
    if (memory->store && make_block(memory, data) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    if (note(memory, data, TRACE_ALLOCATE, 0))
        return cudaSuccess;
    pinning_block_destroy(data->block);
    return cudaErrorMemoryAllocation;
}

void memory_destroy(struct worker_memory *memory, struct block_data *data)
{
    if (data->host)
        pinning_cache_release(memory->cache, data->host);
    pinning_block_destroy(data->block);
    if (memory->trace) {
        note(memory, data, TRACE_RELEASE, 0);
        memory->free_ids[memory->free_count++] = data->id;
    }
    *data = (struct block_data){0};
}

cudaError_t memory_renew(struct worker_memory *memory, struct block_data *data)
{
    data->renewed = true;
    bool noted = note(memory, data, TRACE_RELEASE, 0) && note(memory, data, TRACE_ALLOCATE, 0);
    return noted ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* The unoptimized policy would copy dead data to the slot, if they are newer elsewhere. */
static cudaError_t forget_contents(struct worker_memory *memory, struct block_data *data, int slot)
{
    data->renewed = false;
    bool stays = !data->block || data->newest & 1u << slot;
    data->newest = 0;
    if (stays)
        return cudaSuccess;
    pinning_block_destroy(data->block);
    return make_block(memory, data);
}

static cudaError_t access_slot(struct worker_memory *memory, struct block_data *data, int slot,
                               enum pinning_intent intent, double **pointer)
{
    if (data->block) {
        void *found;
        cudaError_t error = cuda_of(pinning_block_access(data->block, slot, intent, &found));
        *pointer = found;
        return error;
    }
    void *host = data->host;
    if (!host &&
        pinning_cache_allocate(memory->cache, data->elements * sizeof(double), &host) != DM_OK)
        return cudaErrorMemoryAllocation;
    *pointer = data->host = host;
    return cudaSuccess;
}

static cudaError_t make_zero(struct worker_memory *memory, struct block_data *data)
{
    double *pointer;
    cudaError_t error = memory_access(memory, data, HOST_SLOT, PINNING_WRITE, &pointer);
    if (error == cudaSuccess)
        memset(pointer, 0, data->elements * sizeof *pointer);
    return error;
}

cudaError_t memory_access(struct worker_memory *memory, struct block_data *data, int slot,
                          enum pinning_intent intent, double **pointer)
{
    *pointer = NULL;
    cudaError_t error = cudaSuccess;
    if (data->renewed)
        error = forget_contents(memory, data, slot);
    if (error == cudaSuccess && data->newest == 0 && intent != PINNING_WRITE)
        error = make_zero(memory, data);
    if (error == cudaSuccess)
        error = access_slot(memory, data, slot, intent, pointer);
    if (error != cudaSuccess)
        return error;
    unsigned bit = 1u << slot;
    data->newest = intent == PINNING_READ ? data->newest | bit : bit;
    return note_access(memory, data, intent, slot) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t memory_set_busy(struct block_data *data, cudaStream_t stream)
{
    return cuda_of(pinning_block_set_busy(data->block, GPU_SLOT, stream));
}

struct pinning_counters memory_copies(const struct worker_memory *memory)
{
    return memory->store ? *pinning_store_counters(memory->store) : (struct pinning_counters){0};
}
