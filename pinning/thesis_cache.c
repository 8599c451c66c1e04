/* thesis_cache.c: the block cache of kind PINNING_CACHE_THESIS (Peshne 2018, algorithm 5.4).
 *
 *   allocate: smallest free block that is large enough            (free_list, size_map.h)
 *             else page-lock a new one; at the limit, free blocks are given back before, those of
 *             the smallest sizes first
 *   release:  into the free list under its real size              (reverse look-up,
 * pointer_table.h)
 *
 * Blocks are neither split nor merged. Where the printed algorithm is silent or wrong: sizes are in
 * bytes everywhere; a block that is given back leaves free list, reverse look-up and the count of
 * allocated bytes; only as much is given back as is missing; unknown pointers are errors. One mutex
 * makes it thread-safe. */
#include <stdlib.h>

#include "block_cache_internal.h"
#include "pointer_table.h"
#include "size_map.h"

struct thesis_cache {
    struct pinning_cache base;
    pthread_mutex_t lock;
    struct size_map free_list;
    struct pointer_table reverse_lookup;
    struct reserve reserve;
    struct pinning_cache_statistics counted;
};

static struct thesis_cache *of(struct pinning_cache *cache)
{
    return (struct thesis_cache *)cache;
}

/* Gives one free block of the smallest size back; 0 if there is none. */
static size_t give_back_one(struct thesis_cache *cache)
{
    void *block = size_map_take(&cache->free_list, 0);
    if (!block)
        return 0;
    size_t bytes = pointer_table_find(&cache->reverse_lookup, block)->bytes;
    pointer_table_remove(&cache->reverse_lookup, block);
    cache->base.memory.release(block);
    cache->reserve.bytes -= bytes;
    cache->reserve.unlocks++;
    return bytes;
}

static struct block_record *lock_block(struct thesis_cache *cache, size_t bytes)
{
    size_t limit = cache->base.limit_bytes;
    while (bytes > limit || cache->reserve.bytes > limit - bytes)
        if (give_back_one(cache) == 0)
            return NULL;
    void *pointer = NULL;
    for (;;) {
        cudaError_t error = cache->base.memory.allocate(&pointer, bytes);
        if (error == cudaSuccess)
            break;
        if (error == cudaErrorMemoryAllocation)
            cudaGetLastError(); /* handled here, and shall not be found later */
        if (give_back_one(cache) == 0)
            return NULL;
    }
    if (!pointer_table_insert(&cache->reverse_lookup,
                              (struct block_record){.pointer = pointer, .bytes = bytes})) {
        cache->base.memory.release(pointer);
        return NULL;
    }
    cache->reserve.bytes += bytes;
    if (cache->reserve.bytes > cache->reserve.peak_bytes)
        cache->reserve.peak_bytes = cache->reserve.bytes;
    return pointer_table_find(&cache->reverse_lookup, pointer);
}

static void count_live(struct thesis_cache *cache, size_t bytes)
{
    cache->counted.live_blocks++;
    cache->counted.live_bytes += bytes;
    if (cache->counted.live_bytes > cache->counted.peak_live_bytes)
        cache->counted.peak_live_bytes = cache->counted.live_bytes;
}

static enum dm_status allocate(struct pinning_cache *base, size_t bytes, void **pointer)
{
    struct thesis_cache *cache = of(base);
    size_t needed = bytes ? bytes : 1;
    *pointer = NULL;
    pending_poll(&base->pending, base->operations->reclaim, base);
    pthread_mutex_lock(&cache->lock);
    void *block = size_map_take(&cache->free_list, needed);
    struct block_record *record =
        block ? pointer_table_find(&cache->reverse_lookup, block) : lock_block(cache, needed);
    if (record) {
        record->state = BLOCK_LIVE;
        record->requested_bytes = bytes;
        *pointer = record->pointer;
        count_live(cache, bytes);
    }
    *(block    ? &cache->counted.hits
      : record ? &cache->counted.misses
               : &cache->counted.failures) += 1;
    pthread_mutex_unlock(&cache->lock);
    return record ? DM_OK : block_cache_no_memory(base, bytes);
}

/* The live block's record, no longer counted as live, or NULL. */
static struct block_record *end_life(struct thesis_cache *cache, const void *pointer)
{
    struct block_record *record = pointer_table_find(&cache->reverse_lookup, pointer);
    if (!record || record->state != BLOCK_LIVE)
        return NULL;
    cache->counted.live_blocks--;
    cache->counted.live_bytes -= record->requested_bytes;
    return record;
}

/* Without memory for the free list the block cannot be kept: it is given back to the system. */
static void make_free(struct thesis_cache *cache, struct block_record *record)
{
    record->state = BLOCK_FREE;
    if (size_map_add(&cache->free_list, record->bytes, record->pointer))
        return;
    void *pointer = record->pointer;
    cache->reserve.bytes -= record->bytes;
    cache->reserve.unlocks++;
    pointer_table_remove(&cache->reverse_lookup, pointer);
    cache->base.memory.release(pointer);
}

static enum dm_status release(struct pinning_cache *base, void *pointer)
{
    struct thesis_cache *cache = of(base);
    pthread_mutex_lock(&cache->lock);
    struct block_record *record = end_life(cache, pointer);
    if (record)
        make_free(cache, record);
    pthread_mutex_unlock(&cache->lock);
    return record ? DM_OK : block_cache_not_live(pointer);
}

static enum dm_status detach(struct pinning_cache *base, void *pointer, void **block)
{
    struct thesis_cache *cache = of(base);
    pthread_mutex_lock(&cache->lock);
    struct block_record *record = end_life(cache, pointer);
    if (record)
        record->state = BLOCK_PENDING;
    pthread_mutex_unlock(&cache->lock);
    *block = pointer;
    return record ? DM_OK : block_cache_not_live(pointer);
}

static void reclaim(void *context, void *block)
{
    struct thesis_cache *cache = context;
    pthread_mutex_lock(&cache->lock);
    make_free(cache, pointer_table_find(&cache->reverse_lookup, block));
    pthread_mutex_unlock(&cache->lock);
}

static size_t trim(struct pinning_cache *base)
{
    struct thesis_cache *cache = of(base);
    pthread_mutex_lock(&cache->lock);
    size_t sum = 0, bytes;
    while ((bytes = give_back_one(cache)) != 0)
        sum += bytes;
    pthread_mutex_unlock(&cache->lock);
    return sum;
}

static void statistics(struct pinning_cache *base, struct pinning_cache_statistics *statistics)
{
    struct thesis_cache *cache = of(base);
    pthread_mutex_lock(&cache->lock);
    *statistics = cache->counted;
    statistics->unlocks = cache->reserve.unlocks;
    statistics->reserved_bytes = cache->reserve.bytes;
    statistics->peak_reserved_bytes = cache->reserve.peak_bytes;
    pthread_mutex_unlock(&cache->lock);
}

static void destroy(struct pinning_cache *base)
{
    struct thesis_cache *cache = of(base);
    for (size_t i = 0; i < cache->reverse_lookup.capacity; i++)
        if (cache->reverse_lookup.places[i].pointer)
            cache->base.memory.release(cache->reverse_lookup.places[i].pointer);
    free(cache->reverse_lookup.places);
    size_map_free(&cache->free_list);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static const struct block_cache_operations operations = {allocate, release,    detach, reclaim,
                                                         trim,     statistics, destroy};

struct pinning_cache *thesis_cache_create(void)
{
    struct thesis_cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->base.operations = &operations;
    pthread_mutex_init(&cache->lock, NULL);
    return &cache->base;
}
