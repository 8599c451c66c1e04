#include "prefetch/sip/worker_memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error_cuda.h"

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

static enum dm_status make_block(struct worker_memory *memory, struct block_data *data)
{
    return pinning_block_create(&data->block, memory->store, data->elements * sizeof(double));
}

static enum dm_status open_store(struct worker_memory *memory, enum pinning_policy policy)
{
    int device = 0;
    TRY_CUDA(cudaGetDevice(&device));
    return pinning_store_create(&memory->store, memory->cache, device, 1, PINNING_DEFAULT_STREAMS,
                                policy);
}

enum dm_status memory_open(struct worker_memory *memory, bool gpu, enum pinning_policy policy,
                           const struct prefetch_config *observed)
{
    *memory = (struct worker_memory){.observed = observed};
    struct pinning_cache_config config = {.kind = PINNING_CACHE_SEGMENTS,
                                          .memory = gpu ? NULL : &ordinary_pages};
    TRY(pinning_cache_create(&memory->cache, &config));
    enum dm_status status = gpu ? open_store(memory, policy) : DM_OK;
    if (status != DM_OK)
        memory_close(memory);
    return status;
}

void memory_close(struct worker_memory *memory)
{
    pinning_store_destroy(memory->store);
    if (memory->cache)
        pinning_cache_destroy(memory->cache);
    free(memory->free_ids);
    *memory = (struct worker_memory){0};
}

/* ---- who observes the blocks ---- */

static enum dm_status tell(struct worker_memory *memory, const struct block_data *data,
                           enum prefetch_block_event_kind kind, int slot)
{
    if (!memory->observed)
        return DM_OK;
    struct prefetch_block_event event = {kind, slot, data->id, data->elements};
    return memory->observed->block_event(memory->observed->block_event_context, &event);
}

static enum dm_status tell_access(struct worker_memory *memory, const struct block_data *data,
                                  enum pinning_intent intent, int slot)
{
    static const enum prefetch_block_event_kind kinds[] = {[PINNING_READ] = PREFETCH_BLOCK_READ,
                                                           [PINNING_UPDATE] = PREFETCH_BLOCK_UPDATE,
                                                           [PINNING_WRITE] = PREFETCH_BLOCK_WRITE};
    return tell(memory, data, kinds[intent], slot);
}

/* There is always room for the released IDs, so that a release cannot fail. */
static enum dm_status new_id(struct worker_memory *memory, uint32_t *id)
{
    if (!memory->observed)
        return DM_OK;
    if (memory->free_count > 0) {
        *id = memory->free_ids[--memory->free_count];
        return DM_OK;
    }
    if (memory->ids == memory->free_capacity) {
        size_t capacity = memory->free_capacity ? 2 * memory->free_capacity : 64;
        uint32_t *ids = realloc(memory->free_ids, capacity * sizeof *ids);
        if (!ids)
            return error_no_memory(capacity * sizeof *ids);
        memory->free_ids = ids;
        memory->free_capacity = capacity;
    }
    *id = memory->ids++;
    return DM_OK;
}

/* ---- blocks ---- */

enum dm_status memory_create(struct worker_memory *memory, struct block_data *data, size_t elements)
{
    *data = (struct block_data){.elements = elements};
    TRY(new_id(memory, &data->id));
    if (memory->store)
        TRY(make_block(memory, data));
    enum dm_status status = tell(memory, data, PREFETCH_BLOCK_ALLOCATE, 0);
    if (status != DM_OK)
        pinning_block_destroy(data->block);
    return status;
}

void memory_destroy(struct worker_memory *memory, struct block_data *data)
{
    if (data->host)
        pinning_cache_release(memory->cache, data->host);
    pinning_block_destroy(data->block);
    if (memory->observed) {
        tell(memory, data, PREFETCH_BLOCK_RELEASE, 0);
        memory->free_ids[memory->free_count++] = data->id;
    }
    *data = (struct block_data){0};
}

enum dm_status memory_renew(struct worker_memory *memory, struct block_data *data)
{
    data->renewed = true;
    TRY(tell(memory, data, PREFETCH_BLOCK_RELEASE, 0));
    return tell(memory, data, PREFETCH_BLOCK_ALLOCATE, 0);
}

/* The unoptimized policy would copy dead data to the slot, if they are newer elsewhere. */
static enum dm_status forget_contents(struct worker_memory *memory, struct block_data *data,
                                      int slot)
{
    data->renewed = false;
    bool stays = !data->block || data->newest & 1u << slot;
    data->newest = 0;
    if (stays)
        return DM_OK;
    pinning_block_destroy(data->block);
    return make_block(memory, data);
}

static enum dm_status access_slot(struct worker_memory *memory, struct block_data *data, int slot,
                                  enum pinning_intent intent, double **pointer)
{
    void *found = data->host;
    if (data->block)
        TRY(pinning_block_access(data->block, slot, intent, &found));
    else if (!found)
        TRY(pinning_cache_allocate(memory->cache, data->elements * sizeof(double), &found));
    if (!data->block)
        data->host = found;
    *pointer = found;
    return DM_OK;
}

static enum dm_status make_zero(struct worker_memory *memory, struct block_data *data)
{
    double *pointer;
    TRY(memory_access(memory, data, HOST_SLOT, PINNING_WRITE, &pointer));
    memset(pointer, 0, data->elements * sizeof *pointer);
    return DM_OK;
}

enum dm_status memory_access(struct worker_memory *memory, struct block_data *data, int slot,
                             enum pinning_intent intent, double **pointer)
{
    *pointer = NULL;
    if (data->renewed)
        TRY(forget_contents(memory, data, slot));
    if (data->newest == 0 && intent != PINNING_WRITE)
        TRY(make_zero(memory, data));
    TRY(access_slot(memory, data, slot, intent, pointer));
    unsigned bit = 1u << slot;
    data->newest = intent == PINNING_READ ? data->newest | bit : bit;
    return tell_access(memory, data, intent, slot);
}

enum dm_status memory_set_busy(struct block_data *data, cudaStream_t stream)
{
    return pinning_block_set_busy(data->block, GPU_SLOT, stream);
}

struct pinning_counters memory_copies(const struct worker_memory *memory)
{
    return memory->store ? *pinning_store_counters(memory->store) : (struct pinning_counters){0};
}
