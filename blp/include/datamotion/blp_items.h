/* blp_items.h: which block does what, and when. Device code, part of blp_device.h; nothing here is
 * for callers.
 *
 * Static: three groups of blocks. Each copy block has items of its own; computing blocks take the
 * next unit, so that none waits for those that share a multiprocessor with more blocks. Dynamic:
 * one queue. */
#ifndef DATAMOTION_BLP_ITEMS_H
#define DATAMOTION_BLP_ITEMS_H

#include <datamotion/blp_work.h>

#if defined(__CUDACC__) || (defined(SOFTGPU) && defined(__cplusplus))

#include <datamotion/launch.h>

enum blp_step { BLP_STEP_IN, BLP_STEP_COMPUTE, BLP_STEP_OUT, BLP_STEP_SUM, BLP_STEP_END };

struct blp_item_number {
    enum blp_step step;
    long number;
};

/* The turn-th item of a copy block: copy-in blocks come first, then copy-out blocks. */
static inline __device__ struct blp_item_number blp_copy_item(const struct blp_work *work,
                                                              long turn)
{
    struct blp_item_number item;
    long block = blockIdx.x;
    bool in = block < work->in_blocks;
    if (in)
        item.number = block + turn * work->in_blocks;
    else
        item.number = block - work->in_blocks + turn * work->out_blocks;
    item.step = in ? BLP_STEP_IN : BLP_STEP_OUT;
    if (item.number >= (in ? blp_in_items(work) : blp_out_items(work)))
        item.step = BLP_STEP_END;
    return item;
}

/* What the computing block does that takes this number: units, then shares of the sums. */
static inline __device__ struct blp_item_number blp_compute_item(const struct blp_work *work,
                                                                 long number)
{
    struct blp_item_number item;
    long units = blp_units(work), sums = work->summed >= 0 ? blp_summing_blocks(work) : 0;
    item.step = number < units          ? BLP_STEP_COMPUTE
                : number < units + sums ? BLP_STEP_SUM
                                        : BLP_STEP_END;
    item.number = number < units ? number : number - units;
    return item;
}

/* The queue: whole arrays; for each task its copies in, its units and its copies out; then sums and
 * whole arrays again. So everything that an item waits for comes before it. */
static inline __device__ struct blp_item_number blp_queued_item(const struct blp_work *work,
                                                                long number)
{
    struct blp_item_number item;
    long units = work->stages * work->parts;                               /* of a task */
    long first = work->in_whole + work->in_first + units + work->out_each; /* with task 0 */
    long each = work->in_each + units + work->out_each;
    long task = number < first ? 0 : 1 + (number - first) / each;
    long in = task ? work->in_each : work->in_whole + work->in_first;
    long sums = work->summed >= 0 ? blp_summing_blocks(work) : 0;
    item.step = BLP_STEP_END;
    item.number = number - (task ? first + (task - 1) * each : 0);
    if (task >= work->tasks) {
        item.number = number - first - (work->tasks - 1) * each;
        if (item.number < sums) {
            item.step = BLP_STEP_SUM;
        } else if (item.number < sums + work->out_whole) {
            item.step = BLP_STEP_OUT;
            item.number += work->tasks * work->out_each - sums;
        }
    } else if (item.number < in) {
        item.step = BLP_STEP_IN;
        item.number += task ? work->in_whole + work->in_first + (task - 1) * in : 0;
    } else if (item.number < in + units) {
        item.step = BLP_STEP_COMPUTE;
        item.number += task * units - in;
    } else {
        item.step = BLP_STEP_OUT;
        item.number += task * work->out_each - in - units;
    }
    return item;
}

#endif
#endif
