/* segments_cache.c: the block cache of kind PINNING_CACHE_SEGMENTS.
 *
 *   request --> this thread's magazine --> heap of the request's band --> new page-locked segment
 *               (no lock)                  (spin lock)                    (mutex, milliseconds)
 *
 * A band is a range of sizes with segments of its own: small blocks that live long cannot pin down
 * a segment that a large block needs. Before memory is page-locked, pending copies are polled,
 * magazines are emptied, and segments that are wholly free are given back as long as the reserve
 * would exceed the largest live volume by more than the spare share. */
#include <stdlib.h>
#include <string.h>

#include "address_map.h"
#include "block_cache_internal.h"
#include "magazine.h"
#include "spin_lock.h"

enum {
    BANDS = 10,        /* to 1 MiB, 8 MiB, then each octave; the last is open */
    GROWTH_SHARE = 16, /* a new segment has 1/16 of its band's bytes, where that allows it */
    PAGE_BYTES = 4096
};
static const size_t segment_least = (size_t)1 << 20, segment_most = (size_t)256 << 20;

struct segments_cache {
    struct pinning_cache base;
    struct magazine_owner magazines;
    struct spin_lock lock; /* guards heaps and the insertion into the map */
    struct heap heaps[BANDS];
    struct address_map map;
    pthread_mutex_t growth; /* guards what follows, and page-locking as a whole */
    struct reserve reserve;
    size_t band_bytes[BANDS];
    uint64_t misses, failures;
};

static struct segments_cache *of(struct pinning_cache *cache)
{
    return (struct segments_cache *)cache;
}

static unsigned band_of(size_t bytes)
{
    if (bytes <= (size_t)1 << 20)
        return 0;
    if (bytes <= (size_t)8 << 20)
        return 1;
    unsigned octave = 64u - (unsigned)__builtin_clzll(bytes - 1); /* bytes <= 2^octave */
    return octave - 22 < BANDS ? octave - 22 : BANDS - 1;
}

/* ---- the shared heaps ---- */

static struct extent *take_from(struct segments_cache *cache, unsigned band, size_t bytes,
                                bool thorough)
{
    spin_lock(&cache->lock);
    struct extent *extent = heap_allocate(&cache->heaps[band], bytes, thorough);
    if (extent && !address_map_set(&cache->map, extent->base, extent)) {
        heap_release(extent->segment->heap, extent);
        extent = NULL;
    }
    spin_unlock(&cache->lock);
    return extent;
}

static struct extent *take_shared(struct segments_cache *cache, size_t bytes, bool thorough)
{
    return take_from(cache, band_of(bytes), bytes, thorough);
}

/* From a band of larger sizes: better than a reserve beyond its share, but not else. */
static struct extent *take_from_larger(struct segments_cache *cache, size_t bytes)
{
    struct extent *extent = NULL;
    for (unsigned band = band_of(bytes) + 1; band < BANDS && !extent; band++)
        extent = take_from(cache, band, bytes, true);
    return extent;
}

static void give_shared(struct segments_cache *cache, struct extent *extent)
{
    spin_lock(&cache->lock);
    heap_release(extent->segment->heap, extent);
    spin_unlock(&cache->lock);
}

static void take_back(struct magazine_owner *owner, struct extent *chain)
{
    struct segments_cache *cache =
        (struct segments_cache *)((char *)owner - offsetof(struct segments_cache, magazines));
    spin_lock(&cache->lock);
    while (chain) {
        struct extent *next = chain->next;
        heap_release(chain->segment->heap, chain);
        chain = next;
    }
    spin_unlock(&cache->lock);
}

/* ---- page-locking; all with the mutex `growth` held ---- */

/* Gives one wholly free segment back, of the band with the largest sizes that has one. Returns its
 * bytes, 0 if there is none. */
static size_t give_back_one(struct segments_cache *cache)
{
    for (unsigned band = BANDS; band-- > 0;) {
        size_t bytes;
        spin_lock(&cache->lock);
        void *base = heap_take_free_segment(&cache->heaps[band], &bytes);
        spin_unlock(&cache->lock);
        if (!base)
            continue;
        cache->base.memory.release(base);
        cache->reserve.bytes -= bytes;
        cache->reserve.unlocks++;
        cache->band_bytes[band] -= bytes;
        return bytes;
    }
    return 0;
}

static size_t give_back_all(struct segments_cache *cache)
{
    size_t sum = 0, bytes;
    while ((bytes = give_back_one(cache)) != 0)
        sum += bytes;
    return sum;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* A generous size for a new segment if free memory stays within its share, else just enough. */
static size_t segment_bytes(const struct segments_cache *cache, size_t bytes, size_t allowed)
{
    size_t least = larger((bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1), segment_least);
    size_t share = cache->band_bytes[band_of(bytes)] / GROWTH_SHARE & ~(size_t)(PAGE_BYTES - 1);
    size_t generous = larger(least, share < segment_most ? share : segment_most);
    return cache->reserve.bytes + generous <= allowed ? generous : least;
}

/* Page-locks a segment and adds it to the heap of the band. */
static bool lock_segment(struct segments_cache *cache, size_t bytes, unsigned band)
{
    size_t limit = cache->base.limit_bytes;
    while (bytes > limit || cache->reserve.bytes > limit - bytes)
        if (give_back_one(cache) == 0)
            return false;
    void *base = NULL;
    const struct pinning_memory *memory = &cache->base.memory;
    cudaError_t error = memory->allocate(&base, bytes);
    if (error != cudaSuccess) {
        if (error == cudaErrorMemoryAllocation)
            cudaGetLastError(); /* handled here, and shall not be found later */
        if (give_back_all(cache) == 0 || memory->allocate(&base, bytes) != cudaSuccess)
            return false;
    }
    spin_lock(&cache->lock);
    bool added = heap_add_segment(&cache->heaps[band], base, bytes);
    spin_unlock(&cache->lock);
    if (!added) {
        memory->release(base);
        return false;
    }
    cache->band_bytes[band] += bytes;
    cache->reserve.bytes += bytes;
    cache->reserve.peak_bytes = larger(cache->reserve.peak_bytes, cache->reserve.bytes);
    return true;
}

static struct extent *grow(struct segments_cache *cache, size_t bytes)
{
    struct magazine_sums sums = magazine_sum(&cache->magazines);
    size_t live = (size_t)sums.live_bytes + bytes;
    size_t most_live = larger(live, (size_t)sums.peak_live_bytes);
    size_t allowed = most_live + most_live / 100 * cache->base.spare_percent;
    if (allowed > cache->base.limit_bytes)
        allowed = cache->base.limit_bytes;
    size_t segment = segment_bytes(cache, bytes, allowed);
    while (cache->reserve.bytes + segment > allowed && give_back_one(cache))
        ;
    if (cache->reserve.bytes + segment > allowed) {
        struct extent *extent = take_from_larger(cache, bytes);
        if (extent)
            return extent;
    }
    /* Another thread may take what was just added: then once more. */
    while (lock_segment(cache, segment, band_of(bytes)) ||
           lock_segment(cache, bytes, band_of(bytes))) {
        struct extent *extent = take_shared(cache, bytes, true);
        if (extent) {
            cache->misses++;
            return extent;
        }
    }
    cache->failures++;
    return NULL;
}

/* The way of a request that the magazine could not serve. Out of line, to keep a hit short. */
__attribute__((noinline)) static struct extent *take_or_grow(struct segments_cache *cache,
                                                             size_t bytes)
{
    struct extent *extent = take_shared(cache, bytes, false);
    if (extent)
        return extent;
    pthread_mutex_lock(&cache->growth);
    pending_poll(&cache->base.pending, cache->base.operations->reclaim, cache);
    magazine_collect(&cache->magazines);
    extent = take_shared(cache, bytes, true);
    if (!extent)
        extent = grow(cache, bytes);
    pthread_mutex_unlock(&cache->growth);
    return extent;
}

/* ---- the interface ---- */

static enum dm_status allocate(struct pinning_cache *base, size_t bytes, void **pointer)
{
    struct segments_cache *cache = of(base);
    struct magazine *magazine = magazine_of(&cache->magazines);
    size_t rounded = heap_round(bytes);
    *pointer = NULL;
    if (!magazine || !rounded)
        return block_cache_no_memory(base, bytes);
    struct extent *extent = magazine_pop(magazine, rounded);
    if (!extent)
        extent = take_or_grow(cache, rounded);
    if (!extent)
        return block_cache_no_memory(base, bytes);
    extent->requested_bytes = bytes;
    magazine_count_allocation(magazine, bytes);
    *pointer = atomic_load_explicit(&extent->base, memory_order_relaxed);
    return DM_OK;
}

/* The live extent that starts at `pointer`, now in the state `next`, or NULL. Of several threads
 * that release a block at once, one gets it. */
static struct extent *claim(struct segments_cache *cache, void *pointer, enum extent_state next)
{
    struct extent *extent = address_map_get(&cache->map, pointer);
    if (!extent || atomic_load_explicit(&extent->base, memory_order_relaxed) != pointer)
        return NULL;
    uint8_t live = EXTENT_LIVE;
    if (!atomic_compare_exchange_strong_explicit(&extent->state, &live, (uint8_t)next,
                                                 memory_order_acq_rel, memory_order_relaxed))
        return NULL;
    return extent;
}

/* The magazine is full. A small block makes room, so that old sizes leave; the many releases that
 * it takes to fill it again pay for that. */
__attribute__((noinline)) static void
release_to_full(struct segments_cache *cache, struct magazine *magazine, struct extent *extent)
{
    if (extent->bytes < MAGAZINE_BYTES / 64) {
        take_back(&cache->magazines, magazine_empty_own(magazine));
        if (magazine_push(magazine, extent))
            return;
    }
    give_shared(cache, extent);
}

static enum dm_status release(struct pinning_cache *base, void *pointer)
{
    struct segments_cache *cache = of(base);
    struct magazine *magazine = magazine_of(&cache->magazines);
    if (!magazine)
        return block_cache_no_magazine();
    struct extent *extent = claim(cache, pointer, EXTENT_KEPT);
    if (!extent)
        return block_cache_not_live(pointer);
    magazine_count_release(magazine, extent->requested_bytes);
    if (magazine_push(magazine, extent))
        return DM_OK;
    release_to_full(cache, magazine, extent);
    return DM_OK;
}

static enum dm_status detach(struct pinning_cache *base, void *pointer, void **block)
{
    struct segments_cache *cache = of(base);
    struct magazine *magazine = magazine_of(&cache->magazines);
    if (!magazine)
        return block_cache_no_magazine();
    struct extent *extent = claim(cache, pointer, EXTENT_PENDING);
    if (!extent)
        return block_cache_not_live(pointer);
    magazine_count_release(magazine, extent->requested_bytes);
    *block = extent;
    return DM_OK;
}

static void reclaim(void *cache, void *block)
{
    give_shared(cache, block);
}

static size_t trim(struct pinning_cache *base)
{
    struct segments_cache *cache = of(base);
    pthread_mutex_lock(&cache->growth);
    magazine_collect(&cache->magazines);
    size_t bytes = give_back_all(cache);
    pthread_mutex_unlock(&cache->growth);
    return bytes;
}

static void statistics(struct pinning_cache *base, struct pinning_cache_statistics *statistics)
{
    struct segments_cache *cache = of(base);
    pthread_mutex_lock(&cache->growth);
    struct magazine_sums sums = magazine_sum(&cache->magazines);
    statistics->misses = cache->misses;
    statistics->hits = sums.allocations - cache->misses;
    statistics->failures = cache->failures;
    statistics->unlocks = cache->reserve.unlocks;
    statistics->live_bytes = (size_t)sums.live_bytes;
    statistics->live_blocks = sums.allocations - sums.releases;
    statistics->peak_live_bytes = (size_t)sums.peak_live_bytes;
    statistics->reserved_bytes = cache->reserve.bytes;
    statistics->peak_reserved_bytes = cache->reserve.peak_bytes;
    pthread_mutex_unlock(&cache->growth);
}

static void destroy(struct pinning_cache *base)
{
    struct segments_cache *cache = of(base);
    magazine_owner_close(&cache->magazines);
    for (unsigned band = 0; band < BANDS; band++) {
        for (struct segment *s = cache->heaps[band].segments; s; s = s->next)
            cache->base.memory.release(s->base);
        heap_clear(&cache->heaps[band]);
    }
    address_map_clear(&cache->map);
    pthread_mutex_destroy(&cache->growth);
    free(cache);
}

static const struct block_cache_operations operations = {allocate, release,    detach, reclaim,
                                                         trim,     statistics, destroy};

struct pinning_cache *segments_cache_create(void)
{
    struct segments_cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    if (!magazine_owner_init(&cache->magazines, take_back)) {
        free(cache);
        return NULL;
    }
    cache->base.operations = &operations;
    pthread_mutex_init(&cache->growth, NULL);
    return &cache->base;
}
