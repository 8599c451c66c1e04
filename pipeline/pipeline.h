/* pipeline.h: executes a region (common/region.h) with copies and kernels overlapped on streams.
 *
 * Three ways to execute the same region with the same kernels:
 *   naive      everything is copied in, computed, copied out, one after the other
 *   pipeline   whole arrays on the device; chunks of iterations are copied in, computed and copied
 *              out on streams taken in turn, as one would write it by hand
 *   framework  the same with a ring buffer per array instead of the whole array: slice i lies in
 *              slot i mod capacity, so device memory does not grow with the data
 * Source: Cui, 3.2 to 3.4. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pipeline_version { PIPELINE_NAIVE, PIPELINE_STREAMS, PIPELINE_FRAMEWORK, PIPELINE_VERSIONS };

/* "naive", "pipeline", "framework". */
extern const char *const pipeline_version_names[PIPELINE_VERSIONS];

struct pipeline_trace; /* pipeline_trace.h */

struct pipeline_options {
    long chunk_size;              /* iterations per chunk, >= 1; larger than the loop: one chunk */
    int streams;                  /* chunks in flight, 1 to PIPELINE_STREAMS_MAX */
    size_t budget_bytes;          /* device memory that may be used; 0: what is free */
    struct pipeline_trace *trace; /* NULL: none */
};

enum { PIPELINE_STREAMS_MAX = 64 };

/* What executing a region took. Counts are of the last pipeline_run. */
struct pipeline_report {
    long chunk_size; /* after fitting into the budget */
    int streams;
    long chunks;
    size_t device_bytes;    /* allocated on the device for this plan */
    size_t bytes_to_device; /* copied in one run, all rounds */
    size_t bytes_from_device;
    long copies;    /* cudaMemcpy*Async and cudaMemcpy* calls */
    long api_calls; /* CUDA runtime calls between begin and end of the run; a call of the region's
                       launch function counts as one */
    double time_s;  /* from the call to the results in host memory */
    double host_cpu_s;                           /* CPU time of the calling thread during that */
    double to_device_s, kernel_s, from_device_s; /* phases; NaN unless naive */
};

/* NULL, or a sentence: chunk size or number of streams out of range. */
const char *pipeline_options_complaint(const struct pipeline_options *options);

struct pipeline_plan;

/* Allocates device memory, streams and events for executing `region`, which must outlive the plan.
 * On failure returns NULL and sets *complaint to one sentence (the thread's until the next call):
 * an invalid region, options out of range, or a budget that is too small, with the bytes needed at
 * least. PIPELINE_FRAMEWORK first takes fewer streams (down to 2), then smaller chunks (down to 1
 * iteration), then one stream. naive and pipeline need whole arrays. Ends the program on CUDA
 * errors other than lack of memory. */
struct pipeline_plan *pipeline_open(enum pipeline_version version, const struct dm_region *region,
                                    const struct pipeline_options *options, const char **complaint);

/* Executes all rounds; the results are in host memory afterwards. Ends the program on CUDA errors.
 */
void pipeline_run(struct pipeline_plan *plan, struct pipeline_report *report);

void pipeline_close(struct pipeline_plan *plan);

/* Least device bytes with which PIPELINE_FRAMEWORK can execute the region: one stream, chunks of
 * one iteration. */
size_t pipeline_least_bytes(const struct dm_region *region);

/* Device bytes of PIPELINE_FRAMEWORK's ring buffers with these options. */
size_t pipeline_ring_bytes(const struct dm_region *region, long chunk_size, int streams);

#ifdef __cplusplus
}
#endif
#endif
