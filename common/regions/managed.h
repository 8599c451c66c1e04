/* managed.h: executes a region whose host arrays are managed memory: no copies, only prefetches.
 *
 * Kernels read and write the host arrays themselves. Without prefetches pages migrate when they are
 * touched. With them, each copy of an execution with explicit copies on streams is replaced by a
 * cudaMemPrefetchAsync on the same stream: of the slices that a chunk needs to the device (GPU
 * prefetching), of its results to the host (CPU prefetching). Arrays split by columns are not
 * contiguous, and a prefetch takes no 2-D region: they are prefetched as a whole, once. Source:
 * Cui, 3.3 and 3.4.3. */
#ifndef COMMON_REGIONS_MANAGED_H
#define COMMON_REGIONS_MANAGED_H

#include <datamotion/region.h>

#include "copies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits. */
enum managed_prefetch {
    MANAGED_ON_DEMAND = 0,
    MANAGED_GPU_PREFETCH = 1,
    MANAGED_CPU_PREFETCH = 2,
    MANAGED_BOTH = 3
};

/* Brings the pages of [first, end), which are bytes of managed memory from `start`, to the device
 * before kernels overwrite them. Within [start, start + bytes) everything is overwritten before it
 * is read, so that contents may be lost; outside nothing may be. The calls for the chunks of an
 * array follow one another in the order of their ends. Adds its CUDA calls to *calls. */
typedef cudaError_t managed_place(char *start, size_t bytes, size_t first, size_t end, int device,
                                  cudaStream_t stream, long *calls);

struct managed_config {
    enum managed_prefetch prefetch;
    long chunk_size;    /* iterations per chunk, >= 1; larger than the loop: one launch */
    int streams;        /* chunks in flight, 1 to COPIES_STREAMS_MAX */
    bool oversubscribe; /* managed memory may be more than managed_limit.h allows */

    bool phases; /* of one stream, not ahead: the report has its phases; slower */

    /* Zero for the executions of the thesis. */
    unsigned fixed;       /* bit a: array a is never prefetched */
    bool ahead;           /* prefetches to the device have a stream of their own */
    managed_place *place; /* called for the results of each chunk before its kernels; NULL: none */
};

struct managed_plan;

/* Streams, events and managed memory for scratch arrays. The region must outlive the plan.
 * DM_INVALID: the region, a chunk size or number of streams out of range, phases of several
 * streams, a host array that is not managed memory. DM_NO_MEMORY: the arrays are together more than
 * managed_limit.h allows. */
enum dm_status managed_plan_open(struct managed_plan **plan, const struct dm_region *region,
                                 const struct managed_config *config);

/* Executes all rounds. Then the results are on the host: one element of each page was read within
 * the time. In the report copies, bytes_to_device and bytes_from_device are those of prefetches
 * that replace copies, moved or not; device_bytes is 0. */
enum dm_status managed_plan_run(struct managed_plan *plan, struct copies_report *report);

void managed_plan_close(struct managed_plan *plan);

/* From the first byte of an array in host memory to its last. */
size_t managed_host_bytes(const struct dm_region_array *array);

/* Prefetches all host arrays of the region to the host and waits: the state before a measurement.
 */
enum dm_status managed_to_host(const struct dm_region *region);

#ifdef __cplusplus
}
#endif
#endif
