/* managed_plan.h: what managed.c (order of execution) and managed_prefetch.c share. */
#ifndef COMMON_REGIONS_MANAGED_PLAN_H
#define COMMON_REGIONS_MANAGED_PLAN_H

#include "common/error_cuda.h"

#include "chunks.h"
#include "managed.h"

/* Before and after what precedes a chunk's kernels, after them, after its results. */
enum { MANAGED_MARKS = 4 };

struct managed_plan {
    const struct dm_region *region;
    struct managed_config config;
    struct chunks chunks;
    int streams, device;
    int ahead; /* 1: prefetches that precede kernels have the stream of number `streams` */
    cudaStream_t stream[COPIES_STREAMS_MAX + 1];
    cudaEvent_t arrived[COPIES_STREAMS_MAX];  /* what a chunk needs, and all before it */
    cudaEvent_t computed[COPIES_STREAMS_MAX]; /* its kernels; at the end of a round: all of it */
    cudaEvent_t *marks; /* MANAGED_MARKS for each chunk of all rounds; NULL: no phases */
    long mark_count, marked;
    void *scratch[DM_REGION_ARRAYS];
    void *host[DM_REGION_ARRAYS]; /* in the current round */
    struct copies_report *report; /* of the current run */
};

/* A call of the CUDA runtime within a run; returns from the function if it fails. */
#define MANAGED_CALL(plan, expression)                                                             \
    do {                                                                                           \
        (plan)->report->api_calls++;                                                               \
        TRY_CUDA(expression);                                                                      \
    } while (0)

/* Enqueues on stream s the prefetches of what the chunk needs and no chunk before it has
 * prefetched, or of its results; after the last chunk also of those that come as a whole. */
enum dm_status managed_prefetch_inputs(struct managed_plan *plan, long chunk, int s);
enum dm_status managed_prefetch_results(struct managed_plan *plan, long chunk, int s);

/* Enqueues what brings the pages of the chunk's results to the device. */
enum dm_status managed_place_results(struct managed_plan *plan, long chunk, int s);

#endif
