/* blp_persistent.h: the persistent kernel. Device code, part of blp_device.h; nothing here is for
 * callers.
 *
 * All blocks are resident (a cooperative launch) and each goes through its items in ascending
 * order. blp/README.md shows that they never wait for one another in a circle. */
#ifndef DATAMOTION_BLP_PERSISTENT_H
#define DATAMOTION_BLP_PERSISTENT_H

#include <datamotion/blp_copy.h>
#include <datamotion/blp_items.h>
#include <datamotion/blp_signals.h>

#if defined(__CUDACC__) || (defined(SOFTGPU) && defined(__cplusplus))

#include <cooperative_groups.h>

/* ---- what a block knows, and what it notes for the trace ---- */

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

/* ---- begin ---- */

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
    if (work->summed >= 0) /* zeros of any type are those of floats */
        for (long i = thread; i < blp_summing_blocks(work) * work->partial_words; i += threads)
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

/* Whether slots may be written again when a piece has been copied to the host. If not, only the
 * host waits for it, for the end of the kernel, and the block need not wait until its stores have
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
            if (blp_holds_engine_back(work, &work->arrays[a]))
                blp_end_part(work, group);
        }
}

/* ---- compute ---- */

/* Until all slices of the window have arrived and the slots of results are free. One thread. */
static inline __device__ void blp_await_window(const struct blp_work *work, long task)
{
    if (work->engines.in)
        blp_await_engines(work, work->engines.arrived, task);
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        bool whole = array->split == DM_REGION_WHOLE, copied = blp_copies(array, DM_REGION_TO);
        long group = whole ? 0 : task, last = whole ? 0 : task + array->halo;
        for (; copied && !work->engines.in && group <= last; group++)
            blp_await(&work->arrived, a * work->groups + group, array->pieces);
        if (copied)
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
    if (unit->stage + 1 == work->stages)
        blp_end_part(work, task);
    if (work->progress)
        *(volatile unsigned *)work->progress =
            work->progress_before +
            (unsigned)((task * work->stages + unit->stage) * work->parts + unit->part) + 1;
    for (int a = 0; a < work->array_count; a++)
        for (long more = 0; more <= work->arrays[a].halo; more++)
            blp_release(work, a, task + more);
    if (work->out_whole || work->summed >= 0)
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
    unit.partial = work->partial + row * work->partial_words;
    return unit;
}

template <class Context>
static __forceinline__ __device__ void
blp_compute_unit(struct blp_block *block, long number,
                 void (*compute)(const struct blp_unit *, const Context *), const Context *context)
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
    compute(&unit, context);
    __syncthreads();
    if (threadIdx.x == 0)
        blp_end_unit(block, &unit, task);
}

/* One share of the elements of the array that sums over all iterations. */
template <class Sum> static inline __device__ void blp_sum(struct blp_block *block, long share)
{
    static_assert(sizeof(Sum) % sizeof(unsigned) == 0, "sums are of 4 bytes or a multiple");
    const struct blp_work *work = &block->work;
    long count = work->partial_words / (long)(sizeof(Sum) / sizeof(unsigned)),
         shares = blp_summing_blocks(work);
    Sum *sum = (Sum *)work->arrays[work->summed].view.base;
    if (threadIdx.x == 0) {
        blp_note_start(block);
        blp_await_word(&work->counters[BLP_UNITS_DONE], (unsigned)blp_units(work),
                       work->arrived.read);
        blp_note_ready(block);
    }
    __syncthreads();
    for (long i = count * share / shares + threadIdx.x; i < count * (share + 1) / shares;
         i += blockDim.x) {
        Sum total = 0;
        for (long b = 0; b < shares; b++)
            total += ((const Sum *)work->partial)[b * count + i];
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

template <class Sum, class Context>
static __forceinline__ __device__ void
blp_persistent(const struct blp_work *work,
               void (*compute)(const struct blp_unit *, const Context *), const Context *context)
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
            blp_compute_unit(&block, item.number, compute, context);
        else if (item.step == BLP_STEP_OUT)
            blp_copy_out(&block, item.number);
        else if (item.step == BLP_STEP_SUM)
            blp_sum<Sum>(&block, item.number);
        else
            break;
    }
}

#endif
#endif
