/* block.h: a block with a copy per device, kept in step by version numbers.
 *
 * Slot 0 is the host, slot g the g-th GPU used. The program asks for a block's data in a slot and
 * says what it is going to do with them; the newest copy is brought there if need be (Peshne 2018,
 * 5.2 and 5.3.1, algorithms 5.1 to 5.3), on streams that take turns (5.3.4, algorithm 5.5).
 *
 * Filled in where the printed algorithms are silent: versions are set after a copy; memory is
 * allocated on first use; a block that was never written has no newest copy and is not copied;
 * write and update make the slot's version the newest one plus 1; both ends of a copy in flight are
 * waited for before they are handed out, and memory in flight is not released.
 *
 * A store and its blocks belong to one thread. Functions that return cudaError_t report the first
 * error of the GPU, or cudaErrorMemoryAllocation, and leave the block usable. */
#ifndef PINNING_BLOCK_H
#define PINNING_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block_cache.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BLOCK_SLOTS = 16, BLOCK_STREAMS = 8, BLOCK_DEFAULT_STREAMS = 2 };

enum block_intent {
    BLOCK_READ,
    BLOCK_UPDATE, /* reads and changes */
    BLOCK_WRITE   /* overwrites the whole block, so the old data are not needed */
};

/* Which accesses bring the newest copy. */
enum block_policy {
    BLOCK_UNOPTIMIZED, /* all: algorithm 5.2 */
    BLOCK_OPTIMIZED    /* all but BLOCK_WRITE: algorithm 5.3 */
};

struct block_counters {
    uint64_t accesses;
    uint64_t copies; /* of a whole block from slot to slot */
    uint64_t copied_bytes;
    uint64_t saved_copies; /* not made, because the block was to be overwritten */
};

struct block_store;

/* Shared by the blocks of a program. GPUs first_gpu .. first_gpu + gpus - 1 become the slots 1 ..
 * gpus; `streams` (1 .. BLOCK_STREAMS) per GPU. Host memory comes from `cache`, which must outlive
 * the store. cudaErrorInvalidValue for numbers out of range. */
cudaError_t block_store_create(struct block_store **store, struct block_cache *cache, int first_gpu,
                               int gpus, int streams, enum block_policy policy);

/* All blocks must have been destroyed. */
void block_store_destroy(struct block_store *store);

const struct block_counters *block_store_counters(const struct block_store *store);

struct block;

/* A block of `elements` doubles that was never written; allocates no data yet. NULL: no memory. */
struct block *block_create(struct block_store *store, size_t elements);

/* Releases all copies; memory of a copy in flight when the copy is done. */
void block_destroy(struct block *block);

/* The slot with the newest data, the lowest one if several have it; -1 if the block was never
 * written. Algorithm 5.1. */
int block_latest_slot(const struct block *block);

/* Brings the newest data into the slot, if it has not got them: starts the copy and returns.
 * Algorithm 5.3, update_data. */
cudaError_t block_update_data(struct block *block, int slot);

/* The slot's data pointer, when no copy from or to it is in flight any more; allocated, with
 * undefined contents, if the slot has none. Algorithms 5.3 and 5.5, get_data. */
cudaError_t block_get_data(struct block *block, int slot, double **data);

/* One access by the store's policy: update_data if the intent or the policy asks for it, then
 * get_data, then the new version. The caller finishes using *data before its next access, or calls
 * block_set_busy. */
cudaError_t block_access(struct block *block, int slot, enum block_intent intent, double **data);

/* Says that work enqueued on `stream`, of the slot's GPU (or GPU 1 for the host), uses the slot's
 * data: the block waits for it like for a copy. */
cudaError_t block_set_busy(struct block *block, int slot, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
