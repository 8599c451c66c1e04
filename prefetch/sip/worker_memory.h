/* worker_memory.h: the memory of one worker's blocks.
 *
 * With a GPU a block is one of pinning's blocks: page-locked in host memory, with a copy on the
 * GPU, kept in step by versions. Without one it is ordinary memory from the same cache, and no
 * function of the GPU is called. Slot 0 is the host, slot 1 the GPU. */
#ifndef PREFETCH_SIP_WORKER_MEMORY_H
#define PREFETCH_SIP_WORKER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/prefetch.h>

enum { HOST_SLOT, GPU_SLOT };

struct worker_memory {
    struct pinning_cache *cache;
    struct pinning_store *store;            /* NULL: no GPU */
    const struct prefetch_config *observed; /* whose block_event is told; NULL: nobody's */
    uint32_t *free_ids; /* of blocks that were released, to be used again; if observed */
    size_t free_count, free_capacity;
    uint32_t ids;
};

/* The data of one block. */
struct block_data {
    size_t elements;
    double *host;                /* without a GPU; NULL until first used */
    struct pinning_block *block; /* with a GPU */
    unsigned newest;             /* bit s: slot s has the newest data; 0: never written */
    bool renewed;                /* what is in the memory belongs to nobody */
    uint32_t id;                 /* if observed */
};

/* gpu: the current GPU may compute. On error nothing is left open. */
enum dm_status memory_open(struct worker_memory *memory, bool gpu, enum pinning_policy policy,
                           const struct prefetch_config *observed);
/* All blocks must have been destroyed. */
void memory_close(struct worker_memory *memory);

/* A block that was never written. */
enum dm_status memory_create(struct worker_memory *memory, struct block_data *data,
                             size_t elements);
void memory_destroy(struct worker_memory *memory, struct block_data *data);

/* As destroy and create, but the memory is used again where that needs no copy: on a GPU,
 * allocating is expensive. */
enum dm_status memory_renew(struct worker_memory *memory, struct block_data *data);

/* One access; the data of a block that was never written are zero. The caller finishes using
 * *pointer before the block's next access, or calls memory_set_busy. */
enum dm_status memory_access(struct worker_memory *memory, struct block_data *data, int slot,
                             enum pinning_intent intent, double **pointer);

/* Says that work enqueued on `stream` uses the data on the GPU. */
enum dm_status memory_set_busy(struct block_data *data, cudaStream_t stream);

/* Copies between host and GPU so far. */
struct pinning_counters memory_copies(const struct worker_memory *memory);

#endif
