/* unified_plan.h: what unified.c (order of execution) and unified_hints.c (hints) share. */
#ifndef UNIFIED_PLAN_H
#define UNIFIED_PLAN_H

#include "common/harness/exit.h"
#include "common/regions/chunks.h"

#include "unified.h"

struct unified_plan {
    const struct dm_region *region;
    enum unified_hints hints;
    struct chunks chunks;
    bool ahead; /* prefetches that precede kernels have stream number `streams` */
    int streams, device;
    cudaStream_t stream[COPIES_STREAMS_MAX + 1];
    cudaEvent_t arrived[COPIES_STREAMS_MAX];  /* what a chunk needs, and all before it */
    cudaEvent_t computed[COPIES_STREAMS_MAX]; /* its kernels; at the end of a round: all of it */
    void *scratch[DM_REGION_ARRAYS];
    void *host[DM_REGION_ARRAYS]; /* in the round that is executed */
    struct copies_report *report; /* of the run in progress */
};

/* A call of the CUDA runtime within a run. */
#define unified_call(plan, expression)                                                             \
    do {                                                                                           \
        (plan)->report->api_calls++;                                                               \
        check_cuda(expression);                                                                    \
    } while (0)

/* From the first byte of an array in host memory to its last. */
size_t unified_host_bytes(const struct dm_region_array *array);

/* Enqueues on stream s the prefetches of what the chunk needs and no chunk before it has
 * prefetched, or of its results; after the last chunk also of those that come as a whole. */
void unified_prefetch_inputs(struct unified_plan *plan, long chunk, int s);
void unified_prefetch_results(struct unified_plan *plan, long chunk, int s);

/* Enqueues what brings the pages of the chunk's results to the device. */
void unified_place_results(struct unified_plan *plan, long chunk, int s);

/* Whether an array stays on the host, where kernels access it. */
bool unified_is_mapped(const struct unified_plan *plan, int array);

/* Gives the advice of mapped arrays, or takes it back, with its effects. */
void unified_map(const struct unified_plan *plan);
void unified_unmap(const struct unified_plan *plan);

#endif
