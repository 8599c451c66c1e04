#include <stdlib.h>

#include "common/error.h"
#include "common/memory.h"

#include "block_cache_internal.h"

static struct pinning_memory default_memory(enum pinning_cache_kind kind)
{
    const struct memory_operations *operations =
        &memory_operations[kind == PINNING_CACHE_THESIS ? MEMORY_REGISTERED : MEMORY_PINNED];
    return (struct pinning_memory){operations->allocate, operations->release};
}

enum dm_status pinning_cache_create(struct pinning_cache **cache,
                                    const struct pinning_cache_config *config)
{
    static const struct pinning_cache_config defaults;
    *cache = NULL;
    if (!config)
        config = &defaults;
    if (config->kind != PINNING_CACHE_THESIS && config->kind != PINNING_CACHE_SEGMENTS)
        return dm_fail(DM_INVALID, "%d is not a kind of block cache", (int)config->kind);
    struct pinning_cache *made =
        config->kind == PINNING_CACHE_THESIS ? thesis_cache_create() : segments_cache_create();
    if (!made)
        return dm_fail(DM_NO_MEMORY,
                       "no host memory, or no thread key, for the tables of a block cache");
    made->memory = config->memory ? *config->memory : default_memory(config->kind);
    made->limit_bytes = config->limit_bytes ? config->limit_bytes : SIZE_MAX;
    made->spare_percent = config->spare_percent ? config->spare_percent : 6;
    pending_init(&made->pending);
    *cache = made;
    return DM_OK;
}

enum dm_status block_cache_no_memory(struct pinning_cache *cache, size_t bytes)
{
    struct pinning_cache_statistics statistics;
    pinning_cache_statistics(cache, &statistics);
    if (cache->limit_bytes < SIZE_MAX)
        return dm_fail(DM_NO_MEMORY,
                       "no page-locked memory for a block of %zu bytes: %zu bytes are page-locked, "
                       "%zu of them in use, and the cache's limit is %zu",
                       bytes, statistics.reserved_bytes, statistics.live_bytes, cache->limit_bytes);
    return dm_fail(DM_NO_MEMORY,
                   "no page-locked memory for a block of %zu bytes: %zu bytes are page-locked, %zu "
                   "of them in use, and the system gives no more",
                   bytes, statistics.reserved_bytes, statistics.live_bytes);
}

enum dm_status block_cache_not_live(const void *pointer)
{
    return dm_fail(DM_INVALID, "%p is not a live block of this cache", pointer);
}

enum dm_status block_cache_no_magazine(void)
{
    return dm_fail(DM_NO_MEMORY, "no host memory for this thread's free blocks");
}

enum dm_status pinning_cache_allocate(struct pinning_cache *cache, size_t bytes, void **pointer)
{
    return cache->operations->allocate(cache, bytes, pointer);
}

enum dm_status pinning_cache_release(struct pinning_cache *cache, void *pointer)
{
    return cache->operations->release(cache, pointer);
}

enum dm_status pinning_cache_release_after(struct pinning_cache *cache, void *pointer,
                                           cudaStream_t stream)
{
    struct pending_release *release;
    TRY(pending_record(&cache->pending, stream, &release));
    void *block;
    enum dm_status status = cache->operations->detach(cache, pointer, &block);
    if (status != DM_OK) {
        pending_cancel(&cache->pending, release);
        return status;
    }
    if (pending_add(&cache->pending, release, block))
        pending_poll(&cache->pending, cache->operations->reclaim, cache);
    return DM_OK;
}

size_t pinning_cache_trim(struct pinning_cache *cache)
{
    pending_poll(&cache->pending, cache->operations->reclaim, cache);
    return cache->operations->trim(cache);
}

void pinning_cache_statistics(struct pinning_cache *cache,
                              struct pinning_cache_statistics *statistics)
{
    *statistics = (struct pinning_cache_statistics){0};
    cache->operations->statistics(cache, statistics);
    statistics->pending_blocks = pending_count(&cache->pending);
}

void pinning_cache_destroy(struct pinning_cache *cache)
{
    if (!cache)
        return;
    pending_destroy(&cache->pending);
    cache->operations->destroy(cache);
}
