/* blp_device.h: the persistent kernel. Device code, included by one .cu file per workload:
 *
 *   static inline __device__ void conv2d_compute(const struct blp_unit *unit, const void *shape);
 *   BLP_KERNEL(conv2d, struct conv2d_shape, conv2d_compute, 1024, 1)           (blp_kernel.h)
 *
 * All blocks are resident (a cooperative launch) and each goes through its items in ascending
 * order. README.md shows that they never wait for one another in a circle. */
#ifndef BLP_DEVICE_H
#define BLP_DEVICE_H

#include <cooperative_groups.h>
#include <limits.h>

#include "blp_block.h"
#include "blp_copy.h"
#include "blp_items.h"
#include "blp_kernels.h"

/* Before any block raises a flag; the grid's barrier follows. */
static inline __device__ void blp_begin(const struct blp_work *work)
{
    long thread = (long)blockIdx.x * blockDim.x + threadIdx.x;
    long threads = (long)gridDim.x * blockDim.x;
    long uses = work->uses - work->arrived.words;
    for (long i = thread; i < work->flag_words; i += threads) {
        long flag = i - uses;
        bool use = flag >= 0 && flag < work->array_count * work->groups;
        const struct blp_array *array = &work->arrays[use ? flag / work->groups : 0];
        use &= array->ring;
        work->arrived.words[i] = use ? blp_use_count(work, array, flag % work->groups) : 0;
    }
    if (work->summed >= 0)
        for (long i = thread; i < blp_summing_blocks(work) * work->partial_floats; i += threads)
            work->partial[i] = 0.0f;
}

/* ---- copy-in and copy-out ---- */

/* Until the slots that a piece is copied to are free. Called by one thread. */
static inline __device__ void blp_await_targets(const struct blp_work *work,
                                                const struct blp_piece *piece)
{
    for (int a = 0; a < work->array_count; a++)
        if (blp_takes_part(work, piece, a, DM_REGION_TO)) {
            long first, end;
            blp_group(work, &work->arrays[a], blp_group_in(piece, &work->arrays[a]), &first, &end);
            blp_await_slots(work, a, first, end);
        }
}

BLP_OUT_OF_LINE void blp_copy_in(struct blp_block *block, long item)
{
    const struct blp_work *work = &block->work;
    if (threadIdx.x == 0) {
        block->piece = blp_item(work, DM_REGION_TO, item);
        blp_note_start(block);
        blp_await_targets(work, &block->piece);
        blp_note_ready(block);
    }
    __syncthreads();
    struct blp_piece piece = block->piece;
    blp_copy_piece(work, &piece, true);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    __threadfence();
    for (int a = 0; a < work->array_count; a++)
        if (blp_takes_part(work, &piece, a, DM_REGION_TO)) {
            long group = blp_group_in(&piece, &work->arrays[a]);
            blp_note_copy(block, BLP_COPY_IN, a, group);
            blp_raise(&work->arrived, a * work->groups + group, piece.piece);
        }
}

/* Until the results of a task, or with task == tasks those of all, are there. One thread. */
static inline __device__ void blp_await_results(const struct blp_work *work, long task)
{
    if (task < work->tasks)
        blp_await(&work->finished, task, work->parts);
    else if (work->summed >= 0)
        blp_await_word(&work->counters[BLP_SUMS_DONE], (unsigned)blp_summing_blocks(work),
                       work->finished.read);
    else
        blp_await_word(&work->counters[BLP_UNITS_DONE], (unsigned)blp_units(work),
                       work->finished.read);
}

/* Whether slots may be written again when a piece has been copied to the host. If not, nobody waits
 * for it but the host, for the end of the kernel, and the block need not wait until its stores have
 * reached host memory. */
static inline __device__ bool blp_frees_slots(const struct blp_work *work,
                                              const struct blp_piece *piece)
{
    bool frees = false;
    for (int a = 0; a < work->array_count; a++)
        frees |= work->arrays[a].ring && blp_takes_part(work, piece, a, DM_REGION_FROM);
    return frees;
}

BLP_OUT_OF_LINE void blp_copy_out(struct blp_block *block, long item)
{
    const struct blp_work *work = &block->work;
    if (threadIdx.x == 0) {
        block->piece = blp_item(work, DM_REGION_FROM, item);
        blp_note_start(block);
        blp_await_results(work, block->piece.task);
        blp_note_ready(block);
    }
    __syncthreads();
    struct blp_piece piece = block->piece;
    blp_copy_piece(work, &piece, false);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    if (blp_frees_slots(work, &piece))
        __threadfence();
    for (int a = 0; a < work->array_count; a++)
        if (blp_takes_part(work, &piece, a, DM_REGION_FROM)) {
            long group = blp_group_in(&piece, &work->arrays[a]);
            blp_note_copy(block, BLP_COPY_OUT, a, group);
            blp_release(work, a, group);
        }
}

/* ---- compute ---- */

/* Until all slices of the window have arrived and the slots of results are free. One thread. */
static inline __device__ void blp_await_window(const struct blp_work *work, long task)
{
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        bool whole = array->split == DM_REGION_WHOLE;
        long group = whole ? 0 : task, last = whole ? 0 : task + array->halo;
        for (; blp_copies(array, DM_REGION_TO) && group <= last; group++)
            blp_await(&work->arrived, a * work->groups + group, array->pieces);
        if (blp_copies(array, DM_REGION_TO))
            continue;
        long first, end;
        blp_new_slices(work, array, task, &first, &end);
        blp_await_slots(work, a, first, end);
    }
}

/* Until an earlier stage is done, in this task and in those that write what is in the windows of
 * its scratch arrays. One thread. */
static inline __device__ void blp_await_stage(const struct blp_work *work, int stage, long task)
{
    long before = 0;
    for (int a = 0; a < work->array_count; a++)
        if (work->arrays[a].direction == DM_REGION_SCRATCH && work->arrays[a].halo > before)
            before = work->arrays[a].halo;
    for (long t = task > before ? task - before : 0; t <= task; t++)
        blp_await(&work->staged, stage * work->tasks + t, work->parts);
}

/* Where the window of a task lies. One thread. */
static inline __device__ void blp_set_views(struct blp_block *block, long task)
{
    const struct blp_work *work = &block->work;
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        bool whole = array->split == DM_REGION_WHOLE;
        long first = blp_first_slice(work, array) + (whole ? 0 : task * work->task_size);
        block->views[a] = array->view;
        block->views[a].first = first - first % array->view.capacity;
    }
}

/* Called by one thread when all of a unit is stored. */
static inline __device__ void blp_end_unit(struct blp_block *block, const struct blp_unit *unit,
                                           long task)
{
    const struct blp_work *work = &block->work;
    __threadfence();
    blp_note(block, BLP_COMPUTE, -1, task, unit->begin, unit->end);
    if (unit->stage + 1 < work->stages)
        blp_raise(&work->staged, unit->stage * work->tasks + task, unit->part);
    else
        blp_raise(&work->finished, task, unit->part);
    for (int a = 0; a < work->array_count; a++)
        for (long more = 0; more <= work->arrays[a].halo; more++)
            blp_release(work, a, task + more);
    if (work->out_whole)
        atomicAdd(&work->counters[BLP_UNITS_DONE], 1u);
}

static inline __device__ struct blp_unit blp_unit_of(const struct blp_block *block, long number,
                                                     long *task)
{
    const struct blp_work *work = &block->work;
    int row = (int)blockIdx.x - (work->dynamic ? 0 : work->in_blocks + work->out_blocks);
    struct blp_unit unit;
    *task = (unsigned)number / (unsigned)(work->stages * work->parts);
    blp_iterations(work, *task, &unit.begin, &unit.end);
    unit.views = block->views;
    unit.first = *task == 0;
    unit.stage = (int)((unsigned)number / (unsigned)work->parts % (unsigned)work->stages);
    unit.part = (int)((unsigned)number % (unsigned)work->parts);
    unit.parts = work->parts;
    unit.partial = work->partial + row * work->partial_floats;
    return unit;
}

static __forceinline__ __device__ void blp_compute_unit(struct blp_block *block, long number,
                                                        blp_compute *compute, const void *shape)
{
    long task;
    struct blp_unit unit = blp_unit_of(block, number, &task);
    if (threadIdx.x == 0) {
        blp_note_start(block);
        blp_await_window(&block->work, task);
        if (unit.stage > 0)
            blp_await_stage(&block->work, unit.stage - 1, task);
        blp_set_views(block, task);
        blp_note_ready(block);
    }
    __syncthreads();
    compute(&unit, shape);
    __syncthreads();
    if (threadIdx.x == 0)
        blp_end_unit(block, &unit, task);
}

/* One share of the elements of the array that sums over all iterations. */
static inline __device__ void blp_sum(struct blp_block *block, long share)
{
    const struct blp_work *work = &block->work;
    long count = work->partial_floats, shares = blp_summing_blocks(work);
    float *sum = (float *)work->arrays[work->summed].view.base;
    if (threadIdx.x == 0) {
        blp_note_start(block);
        blp_await_word(&work->counters[BLP_UNITS_DONE], (unsigned)blp_units(work),
                       work->arrived.read);
        blp_note_ready(block);
    }
    __syncthreads();
    for (long i = count * share / shares + threadIdx.x; i < count * (share + 1) / shares;
         i += blockDim.x) {
        float total = 0.0f;
        for (long b = 0; b < shares; b++)
            total += work->partial[b * count + i];
        sum[i] = total;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        blp_note(block, BLP_COMPUTE, -1, work->tasks, work->end, work->end);
        atomicAdd(&work->counters[BLP_SUMS_DONE], 1u);
    }
}

/* All threads get the same item. */
static inline __device__ struct blp_item_number blp_next_item(struct blp_block *block, long turn)
{
    const struct blp_work *work = &block->work;
    if (!work->dynamic && (int)blockIdx.x < work->in_blocks + work->out_blocks)
        return blp_copy_item(work, turn);
    __syncthreads(); /* all have read the last one */
    if (threadIdx.x == 0)
        block->queued = atomicAdd(&block->work.counters[BLP_QUEUE], 1u);
    __syncthreads();
    return work->dynamic ? blp_queued_item(work, block->queued)
                         : blp_compute_item(work, block->queued);
}

static __forceinline__ __device__ void blp_persistent(const struct blp_work *work,
                                                      blp_compute *compute, const void *shape)
{
    __shared__ struct blp_block block;
    if (threadIdx.x == 0)
        block.work = *work;
    __syncthreads();
    blp_begin(&block.work);
    cooperative_groups::this_grid().sync();
    for (long turn = 0;; turn++) {
        struct blp_item_number item = blp_next_item(&block, turn);
        if (item.step == BLP_STEP_IN)
            blp_copy_in(&block, item.number);
        else if (item.step == BLP_STEP_COMPUTE)
            blp_compute_unit(&block, item.number, compute, shape);
        else if (item.step == BLP_STEP_OUT)
            blp_copy_out(&block, item.number);
        else if (item.step == BLP_STEP_SUM)
            blp_sum(&block, item.number);
        else
            break;
    }
}

#endif
