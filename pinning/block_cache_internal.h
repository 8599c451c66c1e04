/* block_cache_internal.h: what the kinds of block caches have in common. */
#ifndef PINNING_BLOCK_CACHE_INTERNAL_H
#define PINNING_BLOCK_CACHE_INTERNAL_H

#include "block_cache.h"
#include "pending.h"

/* What a kind does. `cache` is the first member of the kind's own structure. */
struct block_cache_operations {
    enum block_cache_status (*allocate)(struct block_cache *cache, size_t bytes, void **pointer);
    enum block_cache_status (*release)(struct block_cache *cache, void *pointer);
    /* The block leaves the live ones without becoming free; *block is what reclaim takes. */
    enum block_cache_status (*detach)(struct block_cache *cache, void *pointer, void **block);
    void (*reclaim)(void *cache, void *block);
    size_t (*trim)(struct block_cache *cache);
    void (*statistics)(struct block_cache *cache, struct block_cache_statistics *statistics);
    /* Gives the memory back and frees the structure. Nothing is pending. */
    size_t (*destroy)(struct block_cache *cache);
};

struct block_cache {
    const struct block_cache_operations *operations;
    const struct memory_operations *memory;
    size_t limit_bytes;
    unsigned spare_percent;
    struct pending pending;
};

/* Memory counted against the limit; the caller locks. */
struct reserve {
    size_t bytes, peak_bytes;
    uint64_t unlocks;
};

struct block_cache *segments_cache_create(void);
struct block_cache *thesis_cache_create(void);

#endif
