/* block_cache.h: caches of page-locked host memory for blocks.
 *
 * Page-locking costs from tens of microseconds to milliseconds, so released blocks stay locked and
 * serve later requests. Two kinds share one interface:
 *
 *   BLOCK_CACHE_THESIS    whole blocks, never split: an ordered map from size to free blocks
 *                         (Peshne 2018, 5.3.3.2, algorithm 5.4)
 *   BLOCK_CACHE_SEGMENTS  page-locked segments cut by a two-level segregated fit, with a magazine
 *                         of free blocks per thread in front (heap.h, magazine.h)
 *
 * All functions may be called by several threads at once, except block_cache_destroy. */
#ifndef PINNING_BLOCK_CACHE_H
#define PINNING_BLOCK_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "memory.h"

#ifdef __cplusplus
extern "C" {
#endif

enum block_cache_kind { BLOCK_CACHE_THESIS, BLOCK_CACHE_SEGMENTS };

enum block_cache_status {
    BLOCK_CACHE_OK,
    BLOCK_CACHE_NO_MEMORY, /* the limit is reached, or the system has no more, even after trimming
                            */
    BLOCK_CACHE_UNKNOWN,  /* not the address of a live block: never allocated, or released before */
    BLOCK_CACHE_GPU_ERROR /* an event could not be made or recorded; the block is still live */
};

struct block_cache_config {
    enum block_cache_kind kind;
    size_t limit_bytes; /* most page-locked bytes at any time; 0: as much as the system gives */
    /* Segments only. Before more memory is page-locked, free segments are given back that would
     * make the reserve larger than the most bytes ever live plus this share; 0: 6 %. A larger
     * share spends memory to save page-locking. */
    unsigned spare_percent;
    /* Where page-locked memory comes from; NULL: cudaMallocHost for segments, malloc and
     * cudaHostRegister for the thesis's cache, as there. Must be of page alignment. */
    const struct memory_operations *memory;
};

struct block_cache_statistics {
    uint64_t hits;     /* requests served without page-locking anything */
    uint64_t misses;   /* requests that page-locked memory */
    uint64_t failures; /* requests that could not be served */
    uint64_t unlocks;  /* calls that gave page-locked memory back */
    size_t live_bytes; /* asked for and not yet released */
    size_t live_blocks;
    size_t reserved_bytes; /* page-locked now */
    size_t peak_reserved_bytes;
    /* Exact for a cache that one thread uses, else an upper bound. */
    size_t peak_live_bytes;
    size_t pending_blocks; /* released, their copy was in flight when last looked */
};

struct block_cache;

/* NULL if there is no memory for the cache's own tables. Locks no pages yet. */
struct block_cache *block_cache_create(const struct block_cache_config *config);

/* A page-locked block of at least `bytes` (0 counts as 1), aligned to 256 bytes or more, contents
 * undefined. Memory whose copy is in flight is never handed out. Under pressure (limit, or the
 * system says no) free memory is given back first, smallest size classes first in the thesis's
 * kind. *pointer is NULL unless BLOCK_CACHE_OK. */
enum block_cache_status block_cache_allocate(struct block_cache *cache, size_t bytes,
                                             void **pointer);

/* Takes a block back; no copy may be in flight. NULL is UNKNOWN. */
enum block_cache_status block_cache_release(struct block_cache *cache, void *pointer);

/* Takes a block back whose copies were enqueued on `stream`, which belongs to the current device:
 * it is handed out again only when everything enqueued there so far is done. Returns at once. */
enum block_cache_status block_cache_release_after(struct block_cache *cache, void *pointer,
                                                  cudaStream_t stream);

/* Gives back all page-locked memory in which no block is live or pending. Returns the bytes. */
size_t block_cache_trim(struct block_cache *cache);

void block_cache_statistics(struct block_cache *cache, struct block_cache_statistics *statistics);

/* Waits for pending copies, then gives all memory back, that of live blocks too. Returns the number
 * of blocks that were still live. No other call may run or follow. */
size_t block_cache_destroy(struct block_cache *cache);

const char *block_cache_status_text(enum block_cache_status status);

#ifdef __cplusplus
}
#endif
#endif
