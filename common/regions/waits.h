/* waits.h: which operations on ring buffers must wait for which.
 *
 * A task is a chunk in a round: task = round * chunks + chunk. It has three stages: copies in,
 * kernels, copies out, enqueued in this order. All copies in are on one stream, all copies out on
 * another, the kernels on one or more streams in turn. What a stage must wait for beyond its own
 * stream follows from the numbers alone:
 *
 *   copies in   kernels (of results: copies out) that still use the slots to be overwritten;
 *               copies out of the previous round that bring the host slices to be read
 *   kernels     the copies that bring the chunk's slices; copies out of, or kernels that use, the
 *               slots to be overwritten; the previous kernels, if chunks are chained
 *   copies out  the kernels that write the slices, of all chunks for whole arrays; copies in of the
 *               previous round that read the host slices to be overwritten */
#ifndef COMMON_REGIONS_WAITS_H
#define COMMON_REGIONS_WAITS_H

#include "common/regions/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

enum copies_stage { COPIES_IN, COPIES_KERNEL, COPIES_OUT, COPIES_STAGES };

struct copies_schedule {
    const struct dm_region *region;
    struct chunks chunks;
    struct ring rings[DM_REGION_ARRAYS];
};

struct copies_schedule copies_schedule_make(const struct dm_region *region, long chunk_size,
                                            int streams);

/* This stage of tasks first to last. */
struct copies_wait {
    enum copies_stage stage;
    long first, last;
};

/* Per array: what its slots held, and every array that may have the same host memory. */
enum { COPIES_WAITS_MAX = DM_REGION_ARRAYS * (RING_SPANS + DM_REGION_ARRAYS) + 1 };

/* Writes what the stage of the task waits for, and returns how many: stages of earlier tasks, and
 * earlier stages of its own. */
int copies_waits(const struct copies_schedule *schedule, long task, enum copies_stage stage,
                 struct copies_wait waits[COPIES_WAITS_MAX]);

#ifdef __cplusplus
}
#endif
#endif
