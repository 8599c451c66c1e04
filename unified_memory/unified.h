/* unified.h: executes a region whose host arrays are managed memory: no copies, only hints.
 *
 * Kernels read and write the host arrays themselves. Without hints pages migrate when they are
 * touched. With hints, in the place of each asynchronous copy of pipeline/ stands a
 * cudaMemPrefetchAsync on the same stream: of the slices a chunk needs to the device (GPU
 * prefetching), of its results to the host (CPU prefetching). Arrays split by columns are not
 * contiguous, and a prefetch takes no 2-D region: they are prefetched as a whole, once. Source:
 * Cui, 3.3 and 3.4.3. */
#ifndef UNIFIED_H
#define UNIFIED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/regions/copies.h"

#include "unified_counters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits. */
enum unified_hints {
    UNIFIED_ON_DEMAND = 0,
    UNIFIED_GPU_PREFETCH = 1,
    UNIFIED_CPU_PREFETCH = 2,
    UNIFIED_BOTH = 3,
    /* Not in the thesis. The pages of results are brought to the device before a kernel writes
     * them, too, so that it does not fault on those that lie on the host. With CUDA 13 their old
     * contents are discarded, so that only the results themselves move. */
    UNIFIED_PLACE_RESULTS = 4,
    /* Not in the thesis. Arrays of results stay on the host: they are advised to be there, mapped
     * for the device, and kernels store over the link. The prefetches of inputs have a stream of
     * their own. Arrays that rounds exchange are results in turn, so both stay. The other hints are
     * for the arrays that are not mapped: those that are input and result at once, and whole ones,
     * which each chunk uses again. */
    UNIFIED_MAP_RESULTS = 8
};

struct unified_plan;

/* As copies_open, with all host arrays in managed memory. The region is executed in chunks on
 * streams, as copies_open's COPIES_STREAMS does it; a chunk size of the whole loop is one
 * launch. options->budget_bytes and trace are not looked at: the driver decides where pages are.
 *
 * Further complaints: a host array that is not managed memory, and arrays that are together more
 * than unified_capacity.h allows, unless `oversubscribe`. */
struct unified_plan *unified_open(enum unified_hints hints, const struct dm_region *region,
                                  const struct copies_options *options, bool oversubscribe,
                                  const char **complaint);

/* Executes all rounds. Then the results are on the host: one element of each page was read within
 * the time. Advice (UNIFIED_MAP_RESULTS) belongs to arrays, which other plans may use: it is given
 * before the time begins and taken back after it. Pages of mapped arrays should be on the host, or
 * else kernels use them where they are.
 * In the report copies, bytes_to_device and bytes_from_device are those of prefetch calls
 * that stand for copies, device_bytes is 0 and phases are NaN. What really moved is in *traffic,
 * which may be NULL; asking for it costs time with CUDA, and `counted` says for what. Ends the
 * program on CUDA errors. */
void unified_run(struct unified_plan *plan, struct copies_report *report,
                 enum unified_counted counted, struct unified_traffic *traffic);

void unified_close(struct unified_plan *plan);

/* Prefetches all host arrays of the region to the host and waits: what is so before a measurement.
 */
void unified_to_host(const struct dm_region *region);

#ifdef __cplusplus
}
#endif
#endif
