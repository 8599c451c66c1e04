#include "block_cache_internal.h"

struct block_cache *block_cache_create(const struct block_cache_config *config)
{
    bool thesis = config->kind == BLOCK_CACHE_THESIS;
    struct block_cache *cache = thesis ? thesis_cache_create() : segments_cache_create();
    if (!cache)
        return NULL;
    cache->memory = config->memory;
    if (!cache->memory)
        cache->memory = &memory_operations[thesis ? MEMORY_REGISTERED : MEMORY_PINNED];
    cache->limit_bytes = config->limit_bytes ? config->limit_bytes : SIZE_MAX;
    cache->spare_percent = config->spare_percent ? config->spare_percent : 6;
    pending_init(&cache->pending);
    return cache;
}

enum block_cache_status block_cache_allocate(struct block_cache *cache, size_t bytes,
                                             void **pointer)
{
    return cache->operations->allocate(cache, bytes, pointer);
}

enum block_cache_status block_cache_release(struct block_cache *cache, void *pointer)
{
    return cache->operations->release(cache, pointer);
}

enum block_cache_status block_cache_release_after(struct block_cache *cache, void *pointer,
                                                  cudaStream_t stream)
{
    struct pending_release *release = pending_record(&cache->pending, stream);
    if (!release)
        return BLOCK_CACHE_GPU_ERROR;
    void *block;
    enum block_cache_status status = cache->operations->detach(cache, pointer, &block);
    if (status != BLOCK_CACHE_OK) {
        pending_cancel(&cache->pending, release);
        return status;
    }
    if (pending_add(&cache->pending, release, block))
        pending_poll(&cache->pending, cache->operations->reclaim, cache);
    return BLOCK_CACHE_OK;
}

size_t block_cache_trim(struct block_cache *cache)
{
    pending_poll(&cache->pending, cache->operations->reclaim, cache);
    return cache->operations->trim(cache);
}

void block_cache_statistics(struct block_cache *cache, struct block_cache_statistics *statistics)
{
    *statistics = (struct block_cache_statistics){0};
    cache->operations->statistics(cache, statistics);
    statistics->pending_blocks = pending_count(&cache->pending);
}

size_t block_cache_destroy(struct block_cache *cache)
{
    pending_destroy(&cache->pending);
    return cache->operations->destroy(cache);
}

const char *block_cache_status_text(enum block_cache_status status)
{
    switch (status) {
    case BLOCK_CACHE_OK:
        return "no error";
    case BLOCK_CACHE_NO_MEMORY:
        return "no page-locked memory is left below the cache's limit";
    case BLOCK_CACHE_UNKNOWN:
        return "the pointer is not a live block of this cache";
    case BLOCK_CACHE_GPU_ERROR:
        return "the GPU refused an event";
    }
    return "unknown status";
}
