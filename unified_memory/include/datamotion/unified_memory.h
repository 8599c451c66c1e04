/* unified_memory.h: executes loops whose arrays are managed memory, with hints where pages should
 * be, and counts how much of it moves.
 *
 * Kernels read and write the host arrays themselves; there are no copies. Without hints pages
 * migrate when they are touched. With hints, each copy of an execution with explicit copies on
 * streams is replaced by a cudaMemPrefetchAsync on the same stream: of the slices that a chunk
 * needs to the device (GPU prefetching), of its results to the host (CPU prefetching). Arrays split
 * by columns are not contiguous, and a prefetch takes no 2-D region: they are prefetched as a
 * whole, once. Source: Cui, Directive-based data partitioning, pipelining and auto-tuning for
 * high-performance GPU computing (Virginia Tech, 2020), 3.3 and 3.4.3.
 *
 * A plan belongs to the device that is current when it is opened, and is used by one thread at a
 * time. */
#ifndef DATAMOTION_UNIFIED_MEMORY_H
#define DATAMOTION_UNIFIED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/region.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { UNIFIED_STREAMS_MAX = 64 };

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
     * their own. Arrays that rounds swap are results in turn, so both stay. The other hints are for
     * the arrays that are not mapped: those that are input and result at once, and whole ones,
     * which each chunk uses again. */
    UNIFIED_MAP_RESULTS = 8
};

struct unified_config {
    enum unified_hints hints;
    long chunk_size; /* iterations per chunk, >= 1; larger than the loop: one launch */
    int streams;     /* chunks in flight, 1 to UNIFIED_STREAMS_MAX */
    /* The arrays may be more than 80 % of the device's free memory. With some drivers more managed
     * memory than the device has hangs the device. */
    bool oversubscribe;
    /* The report says what each phase took, by events on the stream between them, which cost time.
     * Of one stream; prefetches of UNIFIED_MAP_RESULTS share it then. */
    bool phases;
};

/* What a run took, all rounds together. */
struct unified_report {
    long chunk_size, chunks; /* of a round */
    int streams;
    long prefetches;                                 /* calls that replace copies */
    size_t prefetched_to_device, prefetched_to_host; /* bytes of these calls, moved or not */
    long api_calls;    /* CUDA calls; a call of the region's launch function counts as one */
    double time_s;     /* from the call to the results on the host: one element of each page was
                          read within the time; without advice (UNIFIED_MAP_RESULTS) */
    double host_cpu_s; /* CPU time of the calling thread in that time */
    /* With phases, else NaN: prefetches to the device and placing of results, kernels with their
     * page faults, prefetches to the host. */
    double to_device_s, kernel_s, from_device_s;
    double between_s; /* the region's function between rounds, with its page faults */
    double read_s;    /* reading an element of each page of the results */
};

/* What moved. The software GPU counts by itself. With CUDA, CUPTI's records of managed memory are
 * summed up; recording costs time, so do not time a run that is counted. The driver drops records
 * without a word when its queue is full (seen on an H200: bytes and faults of 1 GiB in one run are
 * too many), so each run counts one of the two. */
enum unified_counted { UNIFIED_COUNT_BYTES, UNIFIED_COUNT_FAULTS };

struct unified_traffic {
    bool known; /* bytes and evictions are; false: they mean nothing */
    unsigned long long bytes_to_device;
    unsigned long long bytes_from_device;
    unsigned long long evictions; /* pieces that left a full device; their size is the driver's */
    bool faults_known;
    unsigned long long device_faults; /* CUDA: groups of faults on a page; software GPU: faults */
    unsigned long long host_faults;   /* CUDA: those recorded, there may have been more */
};

struct unified_plan;

/* Prepares the execution of a region all of whose host arrays are managed memory; the region must
 * outlive the plan. *plan is NULL after an error. DM_INVALID: the region (dm_region_check), a chunk
 * size or number of streams out of range, phases of several streams, an array that is not managed
 * memory. DM_NO_MEMORY: the arrays are too much for the device (see oversubscribe), or there is
 * none for scratch arrays. */
DM_API enum dm_status unified_open(struct unified_plan **plan, const struct dm_region *region,
                                   const struct unified_config *config);

/* Executes all rounds and waits; the results are on the host. Advice (UNIFIED_MAP_RESULTS) belongs
 * to arrays, which other plans may use: it is given before the time begins and taken back after it;
 * an error leaves it. Pages of mapped arrays should be on the host, or else kernels use them where
 * they are.
 *
 * traffic: NULL, or receives what moved. Where that cannot be counted, known and faults_known are
 * false, unified_count_check says why, and the run succeeds all the same. known is also false if
 * fewer bytes were recorded than must have moved. The launch function's error ends the run with its
 * status; CUDA's, with DM_FAILED, DM_NO_MEMORY or DM_LOST. */
DM_API enum dm_status unified_run(struct unified_plan *plan, struct unified_report *report,
                                  enum unified_counted counted, struct unified_traffic *traffic);

DM_API void unified_close(struct unified_plan *plan);

/* Prefetches all host arrays of the region to the host and waits: the state before a measurement.
 */
DM_API enum dm_status unified_to_host(const struct dm_region *region);

/* Starts to count what moves between the host and the current device, which must be idle: with CUDA
 * only `counted`, on the software GPU everything. Where that is not possible, it returns DM_OK,
 * too, and unified_count_stop reports that nothing is known. */
DM_API enum dm_status unified_count_start(enum unified_counted counted);

/* Waits for the device and stops counting. */
DM_API enum dm_status unified_count_stop(struct unified_traffic *traffic);

/* DM_UNAVAILABLE, with the reason, if it was not possible to count on this machine, or if records
 * were lost. */
DM_API enum dm_status unified_count_check(void);

#ifdef __cplusplus
}
#endif
#endif
