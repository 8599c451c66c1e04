/* blp_block.h: what a block of the persistent kernel knows, and what it notes for the trace. Device
 * code. */
#ifndef BLP_BLOCK_H
#define BLP_BLOCK_H

#include "blp_signals.h"
#include "blp_trace.h"

/* What a workload's function is to compute, by all threads of the block. It may read what earlier
 * stages of this task and, within the windows of scratch arrays, of earlier tasks have written. */
struct blp_unit {
    const struct dm_slices *views;
    long begin, end; /* iterations */
    bool first;      /* of the loop */
    int stage, part, parts;
    float *partial; /* the block's own partial sum, all zeros at first */
};

/* The same view. Its address comes from shared memory, which does not tell the compiler that it is
 * one of global memory; loads that might be of any memory are slower. */
static inline __device__ struct dm_slices blp_in_global_memory(struct dm_slices view)
{
#if defined(__CUDA_ARCH__)
    size_t address;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(address) : "l"(view.base));
    view.base = __cvta_global_to_generic(address);
#endif
    return view;
}

typedef void blp_compute(const struct blp_unit *unit, const void *shape);

/* Of a block, in shared memory. */
struct blp_block {
    struct blp_work work;
    struct dm_slices views[DM_REGION_ARRAYS];
    struct blp_piece piece; /* of a copy */
    unsigned queued;
    long long start, ready; /* of the current item */
};

/* Called by one thread when an item is done. */
static inline __device__ void blp_note(const struct blp_block *block, enum blp_role role, int array,
                                       long task, long first, long end)
{
    const struct blp_work *work = &block->work;
    if (!work->records)
        return;
    struct blp_record *record = &work->records[atomicAdd(&work->counters[BLP_RECORDS], 1u)];
    record->block = (int)blockIdx.x;
    record->role = role;
    record->array = array;
    record->task = task;
    record->first = first;
    record->end = end;
    record->start = block->start;
    record->ready = block->ready;
    record->finished = blp_now_ns();
}

static inline __device__ void blp_note_start(struct blp_block *block)
{
    if (block->work.records)
        block->start = blp_now_ns();
}

static inline __device__ void blp_note_ready(struct blp_block *block)
{
    if (block->work.records)
        block->ready = blp_now_ns();
}

static inline __device__ void blp_note_copy(const struct blp_block *block, enum blp_role role,
                                            int a, long group)
{
    long first, end;
    blp_group(&block->work, &block->work.arrays[a], group, &first, &end);
    blp_note(block, role, a, group, first, end);
}

#endif
