/* copies.h: executes a region (datamotion/region.h) by explicit copies.
 *
 * Three ways, with the same kernels:
 *   naive      everything is copied in, computed, copied out, one after the other
 *   streams    whole arrays on the device; chunks of iterations are copied in, computed and copied
 *              out on streams in turn, as one would write it by hand
 *   rings      the same with a ring buffer per array instead of the whole array: slice i lies in
 *              slot i mod capacity, so device memory does not grow with the data
 *
 *     open:  memory on the device, streams, events      (copies.c, copies_fit.c, copies_buffers.c)
 *     run:   naive | streams | rings                    (copies_naive.c, _streams.c, _rings.c)
 *              each operation of a run is enqueued in   copies_issue.c
 *              and noted, if it is traced, in           copies_trace.c
 *            or all of them as one graph                  (copies_graph.c)
 *
 * Source: Cui, 3.2 to 3.4. */
#ifndef COMMON_REGIONS_COPIES_H
#define COMMON_REGIONS_COPIES_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/region.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum copies_version { COPIES_NAIVE, COPIES_STREAMS, COPIES_RINGS, COPIES_VERSIONS };

/* "naive", "pipeline", "framework", as the thesis and the programs call them. */
extern const char *const copies_version_names[COPIES_VERSIONS];

struct copies_trace; /* copies_trace.h */

struct copies_options {
    long chunk_size;            /* iterations per chunk, >= 1; larger than the loop: one chunk */
    int streams;                /* chunks in flight, 1 to COPIES_STREAMS_MAX */
    size_t budget_bytes;        /* device memory that may be used; 0: what is free */
    struct copies_trace *trace; /* NULL: none */
    /* Everything is enqueued once, when the plan is opened, into a CUDA graph that each run
     * launches. Of COPIES_STREAMS and COPIES_RINGS, without trace. */
    bool graph;
};

enum { COPIES_STREAMS_MAX = 64 };

/* What executing a region took. Counts are of the last copies_run. */
struct copies_report {
    long chunk_size; /* after fitting into the budget */
    int streams;
    long chunks;
    size_t device_bytes;    /* allocated on the device for this plan */
    size_t bytes_to_device; /* copied in one run, all rounds */
    size_t bytes_from_device;
    long copies;    /* cudaMemcpy*Async calls */
    long api_calls; /* CUDA runtime calls between begin and end of the run; a call of the region's
                       launch function counts as one */
    double time_s;  /* from the call to the results in host memory */
    double host_cpu_s; /* CPU time of the calling thread during that */
    /* Phases, NaN unless naive or managed with phases. */
    double to_device_s, kernel_s, from_device_s;
    double between_s; /* the region's function between rounds, on the host's clock */
    double read_s;    /* of managed memory: reading an element of each page of the results */
};

/* DM_INVALID: chunk size or number of streams out of range. */
enum dm_status copies_check_options(const struct copies_options *options);

struct copies_plan;

/* Allocates device memory, streams and events for executing `region`, which must outlive the plan.
 * COPIES_RINGS first takes fewer streams (down to 2), then smaller chunks (down to 1 iteration),
 * then one stream, until the rings fit the budget and what is free; naive and streams need whole
 * arrays. DM_INVALID: the region makes no sense, options are out of range, or a graph is wanted of
 * naive, of a traced run, or of a region that calls the host between rounds. DM_NO_MEMORY: the
 * budget or the device is too small, with the minimum in the sentence; or no host memory. */
enum dm_status copies_open(struct copies_plan **plan, enum copies_version version,
                           const struct dm_region *region, const struct copies_options *options);

/* Executes all rounds; the results are in host memory afterwards. Fails with the first error of
 * CUDA or of the launch function; then nothing is in flight any more, results are undefined, and
 * the plan can only be closed. */
enum dm_status copies_run(struct copies_plan *plan, struct copies_report *report);

/* NULL is taken. */
void copies_close(struct copies_plan *plan);

/* Minimum of device bytes with which COPIES_RINGS can execute the region: one stream, chunks of one
 * iteration. */
size_t copies_minimum_bytes(const struct dm_region *region);

/* Device bytes of the ring buffers with these options. */
size_t copies_ring_bytes(const struct dm_region *region, long chunk_size, int streams);

#ifdef __cplusplus
}
#endif
#endif
