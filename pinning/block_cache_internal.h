/* block_cache_internal.h: what the kinds of block caches have in common. */
#ifndef PINNING_BLOCK_CACHE_INTERNAL_H
#define PINNING_BLOCK_CACHE_INTERNAL_H

#include <datamotion/pinning.h>

#include "pending.h"

/* What a kind does. `cache` is the first member of the kind's own structure. Requests go straight
 * to the kind, without anything behind its return: a hit takes some 12 ns. */
struct block_cache_operations {
    enum dm_status (*allocate)(struct pinning_cache *cache, size_t bytes, void **pointer);
    enum dm_status (*release)(struct pinning_cache *cache, void *pointer);
    /* The block leaves the live ones without becoming free; *block is what reclaim takes. */
    enum dm_status (*detach)(struct pinning_cache *cache, void *pointer, void **block);
    void (*reclaim)(void *cache, void *block);
    size_t (*trim)(struct pinning_cache *cache);
    void (*statistics)(struct pinning_cache *cache, struct pinning_cache_statistics *statistics);
    /* Gives the memory back and frees the structure. Nothing is pending. */
    void (*destroy)(struct pinning_cache *cache);
};

struct pinning_cache {
    const struct block_cache_operations *operations;
    struct pinning_memory memory;
    size_t limit_bytes;
    unsigned spare_percent;
    struct pending pending;
};

/* Memory counted against the limit; the caller locks. */
struct reserve {
    size_t bytes, peak_bytes;
    uint64_t unlocks;
};

/* Fail with the sentence: a request that could not be served, a pointer that is no live block, a
 * thread without memory for its free blocks. */
enum dm_status block_cache_no_memory(struct pinning_cache *cache, size_t bytes);
enum dm_status block_cache_not_live(const void *pointer);
enum dm_status block_cache_no_magazine(void);

struct pinning_cache *segments_cache_create(void);
struct pinning_cache *thesis_cache_create(void);

#endif
