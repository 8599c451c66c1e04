/* pinning.h: page-locked host memory for blocks: a cache that saves page-locking, and blocks that
 * know where their newest copy is. Link with -ldatamotion-pinning (pkg-config datamotion-pinning).
 *
 * Errors are reported as datamotion/status.h says. Source: Peshne, Enhancements to looping
 * constructs by prefetching and exploiting GPU (University of Florida, 2018), chapter 5. */
#ifndef DATAMOTION_PINNING_H
#define DATAMOTION_PINNING_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- caches of page-locked memory ----
 *
 * Page-locking costs from tens of microseconds to milliseconds, so released blocks stay locked and
 * serve later requests. All functions may be called by several threads at once, except
 * pinning_cache_destroy. */

enum pinning_cache_kind {
    PINNING_CACHE_SEGMENTS, /* page-locked segments cut by a two-level segregated fit, with a
                               magazine of free blocks per thread in front */
    PINNING_CACHE_THESIS    /* whole blocks, never split: an ordered map from size to free blocks
                               (Peshne, 5.3.3.2, algorithm 5.4) */
};

/* Where page-locked memory comes from. Blocks must be aligned to pages; allocate returns
 * cudaErrorMemoryAllocation when there is no more. */
struct pinning_memory {
    cudaError_t (*allocate)(void **pointer, size_t bytes);
    cudaError_t (*release)(void *pointer);
};

struct pinning_cache_config {
    enum pinning_cache_kind kind;
    size_t
        limit_bytes; /* maximum of page-locked bytes at any time; 0: as much as the system gives */
    /* Segments only. Before more memory is page-locked, free segments are given back that would
     * make the reserve larger than the maximum of live bytes so far plus this share; 0: 6 %. A
     * larger share spends memory to save page-locking. */
    unsigned spare_percent;
    /* NULL: cudaMallocHost for segments; malloc and cudaHostRegister for the thesis's cache, as
     * there. */
    const struct pinning_memory *memory;
};

struct pinning_cache_statistics {
    uint64_t hits;     /* requests served without page-locking anything */
    uint64_t misses;   /* requests that page-locked memory */
    uint64_t failures; /* requests that could not be served */
    uint64_t unlocks;  /* calls that gave page-locked memory back */
    size_t live_bytes; /* requested and not yet released */
    size_t live_blocks;
    size_t reserved_bytes; /* page-locked now */
    size_t peak_reserved_bytes;
    /* Exact for a cache that one thread uses, else an upper bound. */
    size_t peak_live_bytes;
    size_t pending_blocks; /* released while a copy was in flight, when last checked */
};

struct pinning_cache;

/* Makes a cache that has page-locked nothing yet. config NULL: segments without a limit.
 * DM_NO_MEMORY: no memory for its tables; DM_INVALID: no such kind. */
DM_API enum dm_status pinning_cache_create(struct pinning_cache **cache,
                                           const struct pinning_cache_config *config);

/* A page-locked block of at least `bytes` (0 counts as 1), aligned to 256 bytes or more, contents
 * undefined. Memory whose copy is in flight is never handed out. Under pressure (limit, or the
 * system has no more) free memory is given back first, smallest size classes first in the thesis's
 * kind. DM_NO_MEMORY: neither helped; then *pointer is NULL. */
DM_API enum dm_status pinning_cache_allocate(struct pinning_cache *cache, size_t bytes,
                                             void **pointer);

/* Takes a block back; no copy may be in flight. DM_INVALID: it is not a live block of this cache
 * (NULL, never allocated, or released before). */
DM_API enum dm_status pinning_cache_release(struct pinning_cache *cache, void *pointer);

/* Takes a block back whose copies were enqueued on `stream`, which belongs to the current device:
 * it is handed out again only when everything enqueued there so far is done. Returns at once.
 * DM_INVALID as above; DM_FAILED or DM_LOST: the GPU refused an event, and the block is still live.
 */
DM_API enum dm_status pinning_cache_release_after(struct pinning_cache *cache, void *pointer,
                                                  cudaStream_t stream);

/* Gives back all page-locked memory in which no block is live or pending. Returns the bytes. */
DM_API size_t pinning_cache_trim(struct pinning_cache *cache);

DM_API void pinning_cache_statistics(struct pinning_cache *cache,
                                     struct pinning_cache_statistics *statistics);

/* Waits for pending copies, then gives all memory back, that of live blocks too. No other call may
 * run or follow. */
DM_API void pinning_cache_destroy(struct pinning_cache *cache);

/* ---- blocks with a copy per device, kept in step by version numbers ----
 *
 * Slot 0 is the host, slot g the g-th GPU used. The program asks for a block's data in a slot and
 * says what it is going to do with them; the newest copy is brought there if need be (Peshne, 5.2
 * and 5.3.1, algorithms 5.1 to 5.3), on streams used in turn (5.3.4, algorithm 5.5). A store and
 * its blocks belong to one thread.
 *
 * Where the printed algorithms are silent: versions are set after a copy; memory is allocated on
 * first use; a block that was never written has no newest copy and is not copied; write and update
 * make the slot's version the newest one plus 1; both ends of a copy in flight are waited for
 * before they are handed out, and memory in flight is not released.
 *
 * Every function that returns a status can fail with DM_INVALID (a slot that is not there),
 * DM_NO_MEMORY, DM_LOST or DM_FAILED (the GPU's first error); the block stays usable. */

enum { PINNING_SLOTS = 16, PINNING_STREAMS = 8, PINNING_DEFAULT_STREAMS = 2 };

enum pinning_intent {
    PINNING_READ,
    PINNING_UPDATE, /* reads and changes */
    PINNING_WRITE   /* overwrites the whole block, so the old data are not needed */
};

/* Which accesses bring the newest copy. */
enum pinning_policy {
    PINNING_UNOPTIMIZED, /* all: algorithm 5.2 */
    PINNING_OPTIMIZED    /* all but PINNING_WRITE: algorithm 5.3 */
};

struct pinning_counters {
    uint64_t accesses;
    uint64_t copies; /* of a whole block from slot to slot */
    uint64_t copied_bytes;
    uint64_t saved_copies; /* not made, because the block was to be overwritten */
};

struct pinning_store;

/* Shared by the blocks of a program. GPUs first_gpu .. first_gpu + gpus - 1 become the slots 1 ..
 * gpus (at most PINNING_SLOTS - 1); `streams` (1 .. PINNING_STREAMS) per GPU. Host memory comes
 * from `cache`, which must outlive the store. */
DM_API enum dm_status pinning_store_create(struct pinning_store **store,
                                           struct pinning_cache *cache, int first_gpu, int gpus,
                                           int streams, enum pinning_policy policy);

/* All its blocks must have been destroyed. */
DM_API void pinning_store_destroy(struct pinning_store *store);

DM_API const struct pinning_counters *pinning_store_counters(const struct pinning_store *store);

struct pinning_block;

/* A block of `bytes` (0 counts as 1) that was never written; allocates no data yet. */
DM_API enum dm_status pinning_block_create(struct pinning_block **block,
                                           struct pinning_store *store, size_t bytes);

/* Releases all copies; memory of a copy in flight when the copy is done. */
DM_API void pinning_block_destroy(struct pinning_block *block);

/* The slot with the newest data, the lowest one if several have it; -1 if the block was never
 * written. Algorithm 5.1. */
DM_API int pinning_block_latest_slot(const struct pinning_block *block);

/* Brings the newest data into the slot, if they are not there: starts the copy and returns.
 * Algorithm 5.3, update_data. */
DM_API enum dm_status pinning_block_update_data(struct pinning_block *block, int slot);

/* The slot's data pointer, when no copy from or to it is in flight any more; allocated, with
 * undefined contents, if the slot has none. Algorithms 5.3 and 5.5, get_data. *data is NULL on
 * error. */
DM_API enum dm_status pinning_block_get_data(struct pinning_block *block, int slot, void **data);

/* One access by the store's policy: update_data if the intent or the policy asks for it, then
 * get_data, then the new version. The caller finishes using *data before its next access, or calls
 * pinning_block_set_busy. */
DM_API enum dm_status pinning_block_access(struct pinning_block *block, int slot,
                                           enum pinning_intent intent, void **data);

/* Says that work enqueued on `stream`, of the slot's GPU (or GPU 1 for the host), uses the slot's
 * data, which must be there: the block waits for it as for a copy. */
DM_API enum dm_status pinning_block_set_busy(struct pinning_block *block, int slot,
                                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
