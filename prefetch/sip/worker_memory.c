#include "sip/worker_memory.h"

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

static const struct memory_operations ordinary_pages = {
    .name = "pages",
    .letter = 'H',
    .meaning = "ordinary memory of page alignment",
    .host_access = true,
    .allocate = allocate_pages,
    .release = release_pages,
};

cudaError_t memory_open(struct worker_memory *memory, bool gpu, enum block_policy policy,
                        struct trace *trace)
{
    *memory = (struct worker_memory){.trace = trace};
    struct block_cache_config config = {.kind = BLOCK_CACHE_SEGMENTS,
                                        .memory = gpu ? NULL : &ordinary_pages};
    memory->cache = block_cache_create(&config);
    if (!memory->cache)
        return cudaErrorMemoryAllocation;
    if (!gpu)
        return cudaSuccess;
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = block_store_create(&memory->store, memory->cache, device, 1, BLOCK_DEFAULT_STREAMS,
                                   policy);
    if (error != cudaSuccess)
        memory_close(memory);
    return error;
}

void memory_close(struct worker_memory *memory)
{
    block_store_destroy(memory->store);
    if (memory->cache)
        block_cache_destroy(memory->cache);
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
                                                         .elements = data->elements});
}

static bool note_access(struct worker_memory *memory, const struct block_data *data,
                        enum block_intent intent, int slot)
{
    static const enum trace_kind kinds[] = {
        [BLOCK_READ] = TRACE_READ, [BLOCK_UPDATE] = TRACE_UPDATE, [BLOCK_WRITE] = TRACE_WRITE};
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
    if (memory->store && !(data->block = block_create(memory->store, elements)))
        return cudaErrorMemoryAllocation;
    if (note(memory, data, TRACE_ALLOCATE, 0))
        return cudaSuccess;
    block_destroy(data->block);
    return cudaErrorMemoryAllocation;
}

void memory_destroy(struct worker_memory *memory, struct block_data *data)
{
    if (data->host)
        block_cache_release(memory->cache, data->host);
    block_destroy(data->block);
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
    block_destroy(data->block);
    data->block = block_create(memory->store, data->elements);
    return data->block ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t access_slot(struct worker_memory *memory, struct block_data *data, int slot,
                               enum block_intent intent, double **pointer)
{
    if (data->block)
        return block_access(data->block, slot, intent, pointer);
    void *host = data->host;
    if (!host && block_cache_allocate(memory->cache, data->elements * sizeof(double), &host) !=
                     BLOCK_CACHE_OK)
        return cudaErrorMemoryAllocation;
    *pointer = data->host = host;
    return cudaSuccess;
}

static cudaError_t make_zero(struct worker_memory *memory, struct block_data *data)
{
    double *pointer;
    cudaError_t error = memory_access(memory, data, HOST_SLOT, BLOCK_WRITE, &pointer);
    if (error == cudaSuccess)
        memset(pointer, 0, data->elements * sizeof *pointer);
    return error;
}

cudaError_t memory_access(struct worker_memory *memory, struct block_data *data, int slot,
                          enum block_intent intent, double **pointer)
{
    *pointer = NULL;
    cudaError_t error = cudaSuccess;
    if (data->renewed)
        error = forget_contents(memory, data, slot);
    if (error == cudaSuccess && data->newest == 0 && intent != BLOCK_WRITE)
        error = make_zero(memory, data);
    if (error == cudaSuccess)
        error = access_slot(memory, data, slot, intent, pointer);
    if (error != cudaSuccess)
        return error;
    unsigned bit = 1u << slot;
    data->newest = intent == BLOCK_READ ? data->newest | bit : bit;
    return note_access(memory, data, intent, slot) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t memory_set_busy(struct block_data *data, cudaStream_t stream)
{
    return block_set_busy(data->block, GPU_SLOT, stream);
}

struct block_counters memory_copies(const struct worker_memory *memory)
{
    return memory->store ? *block_store_counters(memory->store) : (struct block_counters){0};
}
