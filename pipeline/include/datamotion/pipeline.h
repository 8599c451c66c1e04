/* pipeline.h: executes a loop on the GPU while its input and its results are copied. Link with
 * -ldatamotion-pipeline (pkg-config datamotion-pipeline).
 *
 * The loop is a region (datamotion/region.h): its range, the slices of arrays that an iteration
 * needs, and a function that launches the caller's kernels, for elements of any type. It is cut
 * into chunks of iterations; while one is computed, the next one's input is copied in and the
 * results of the one before are copied out. On the device each array is a ring buffer of a few
 * slices, so the data may be larger than the device's memory:
 *
 *     region, by hand ------------------------------+
 *                                                   v
 *     text of a directive -> parse -> bind -> struct pipeline_loop -> open -> run, run, ... ->
 * close
 *                                                   ^
 *     pipeline_choose: chunk size, streams ---------+
 *
 * Errors are reported as datamotion/status.h says. All functions use the current device; a plan
 * belongs to one thread at a time. Host memory should be page-locked: with pageable memory results
 * are right, but little overlaps. Source: Cui, Directive-based data partitioning and pipelining and
 * auto-tuning for high-performance GPU computing (Virginia Tech, 2020), chapter 3. */
#ifndef DATAMOTION_PIPELINE_H
#define DATAMOTION_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/region.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- execution ---- */

enum { PIPELINE_STREAMS_MAX = 64, PIPELINE_GPUS_MAX = 16 };

struct pipeline_options {
    long chunk_size; /* iterations of a chunk; 0: this and `streams` are chosen by pipeline_choose;
                        larger than the loop: one chunk */
    int streams;     /* chunks in flight, 1 to PIPELINE_STREAMS_MAX */
    size_t budget_bytes; /* device memory that may be used; 0: what is free */
    bool graph; /* all rounds are enqueued once, by pipeline_open, into a CUDA graph that each
                   run launches by one call. Not of regions that call the host between */
    int gpus;   /* that share the iterations in equal parts: the current one and those behind it; 0
                   or 1: it alone. The other options are for each of them */
};

/* What a run took; counts are of all its rounds, and of all GPUs. */
struct pipeline_report {
    long chunk_size; /* after fitting into the budget */
    int streams;
    long chunks;
    size_t device_bytes;                       /* that the ring buffers take */
    size_t bytes_to_device, bytes_from_device; /* copied */
    long copies;                               /* calls that copy */
    long api_calls;    /* of the CUDA runtime; a call of the launch function counts as one */
    double time_s;     /* from the call to the results in host memory */
    double host_cpu_s; /* CPU time of the calling thread during that; and of one per further GPU */
};

struct pipeline_plan;

/* Allocates ring buffers, streams and events for executing `region`, which must outlive the plan.
 * If the ring buffers do not fit, first fewer streams are taken (down to 2), then smaller chunks
 * (down to 1 iteration), then one stream. DM_INVALID: the region makes no sense (dm_region_check),
 * an option is out of range, or a graph is wanted of a region with `between`; of several GPUs also:
 * there are fewer, the region is ordered, an array is copied out as a whole, or a graph is wanted
 * of several rounds. DM_NO_MEMORY: the budget or a device has less than pipeline_minimum_bytes.
 * Source: Cui, 3.3.
 *
 * On several GPUs the launch function is called with each GPU current, by one thread per GPU, at
 * the same time, and with a region that begins and ends with the GPU's part of the loop. Rounds end
 * on all GPUs before the next begins, and `between` is called by the calling thread. */
DM_API enum dm_status pipeline_open(struct pipeline_plan **plan, const struct dm_region *region,
                                    const struct pipeline_options *options);

/* Executes all rounds of the region; the results are in host memory when it returns. `report` may
 * be NULL. Fails with the first error of CUDA or of the launch function (DM_FAILED, DM_LOST, or as
 * status.h names it); then nothing is in flight any more, results are undefined, and the plan can
 * only be closed. */
DM_API enum dm_status pipeline_run(struct pipeline_plan *plan, struct pipeline_report *report);

DM_API void pipeline_close(struct pipeline_plan *plan);

/* Minimum of device memory for the region: chunks of one iteration on one stream. */
DM_API size_t pipeline_minimum_bytes(const struct dm_region *region);

/* Device memory of the ring buffers with chunks of that size on that many streams (each at least
 * 1): streams * chunk_size + length - 1 slices of each array that is split. */
DM_API size_t pipeline_ring_bytes(const struct dm_region *region, long chunk_size, int streams);

/* ---- the choice of chunk size and streams ---- */

struct pipeline_choice {
    long chunk_size;
    int streams;
    double kernel_s;    /* of all iterations of a round, estimated from sample chunks */
    double predicted_s; /* of one round */
};

/* Measures the link and the kernels of a few chunks (input is copied, results are not written), for
 * tens of milliseconds, and chooses what takes least memory within 1 % of the shortest time that a
 * model of link, kernels and host predicts within the budget (0: what is free). Meanwhile 32 MiB of
 * device memory are used beside the budget, or half of what is free. Errors are those of
 * pipeline_open. */
DM_API enum dm_status pipeline_choose(struct pipeline_choice *choice,
                                      const struct dm_region *region, size_t budget_bytes);

/* ---- the directive ----
 *
 * The pipeline extension of OpenMP as a text; no compiler needs to know it. Two forms: the first
 * says how a loop is cut, the second how many thread blocks copy:
 *
 *     #pragma omp target teams distribute \
 *         map(pipeline(k, chunk_size, overlap), to: A0[k-1:3][0:ny][0:nx]) \
 *         map(pipeline(k, chunk_size, overlap), from: Anext[k:1][0:ny][0:nx]) \
 *         iterator(k = 1:nz-1)
 *
 *     #pragma omp target teams distribute \
 *         map(pipeline(i, to, num_block): A[i-1:3][0:n], pipeline(i, from, num_block): B[i:1][0:n])
 * \ iterator(i = 1:n-1)
 *
 * A range is begin:end, end excluded, or begin:end:step. A bracket is begin:length as in OpenMP;
 * the one whose begin moves with the iterator is the split dimension, and its length is what one
 * iteration needs. Expressions hold integers, named constants and the iterator. Source: Cui, 3.2
 * and 4.2.1; pipeline/README.md has the whole syntax. */

enum { PIPELINE_DIMENSIONS = 8 };

struct pipeline_directive;

/* Reads a directive of at most 4095 bytes. DM_INVALID: it is not understood, or what it says makes
 * no sense whatever its names stand for; the sentence begins with the place, as "column 50: ..." or
 * "line 2, column 7: ...", which count from 1. *directive is NULL then. */
DM_API enum dm_status pipeline_directive_parse(struct pipeline_directive **directive,
                                               const char *text);

DM_API void pipeline_directive_free(struct pipeline_directive *directive);

/* Writes the directive on one line in one spelling: parsing that gives the same directive. Returns
 * what snprintf would. */
DM_API int pipeline_directive_print(const struct pipeline_directive *directive, char *text,
                                    size_t bytes);

/* What the names of a directive stand for. */
struct pipeline_constant {
    const char *name;
    long value;
};

struct pipeline_array {
    const char *name;
    void *host; /* row-major; NULL for an array mapped with `alloc` */
    size_t element_bytes;
    int dimensions;
    long extents[PIPELINE_DIMENSIONS]; /* elements, slowest dimension first */
};

struct pipeline_names {
    const struct pipeline_constant *constants;
    int constant_count;
    const struct pipeline_array *arrays; /* in the order in which the launch function has views */
    int array_count;
};

/* A directive whose names have values. What it does not say has these values: chunk size 1 (Cui,
 * 3.4.2), streams PIPELINE_OVERLAP, 0 blocks, which leaves the choice to whoever executes it. */
struct pipeline_loop {
    struct dm_region region;
    long chunk_size;
    int streams;                      /* the directive's overlap */
    long num_block[DM_REGION_ARRAYS]; /* thread blocks that copy this array; 0: not said */
};

enum { PIPELINE_OVERLAP = 2 };

/* Makes a region of the directive, array a being names->arrays[a]. Its iterations are those of the
 * loop divided by the step; an iteration's slice is as many elements of the split dimension as one
 * step moves. Slices are copied with all of their other dimensions, whose brackets must lie within
 * the array. The region is not `ordered`: a loop that is distributed has no order; a caller who
 * needs one sets it. `launch` may be NULL for those who execute it without one, as blp does. The
 * arrays and the texts of their names must outlive the region; `names` and the directive need not.
 * DM_INVALID: the names do not fit the directive,
 * or the region would make no sense; the sentence begins with the place in the directive. */
DM_API enum dm_status pipeline_directive_bind(const struct pipeline_directive *directive,
                                              const struct pipeline_names *names,
                                              dm_region_launch *launch, const void *context,
                                              struct pipeline_loop *loop);

/* ---- for translated loops (pipelinecc) ---- */

/* Page-locks the host memory of the region's arrays. locked[a] says whether it did that to array a:
 * not if it is page-locked already, or cannot be, which makes copies slower but not wrong. `locked`
 * has DM_REGION_ARRAYS elements. */
DM_API void pipeline_page_lock(const struct dm_region *region, bool *locked);

/* Undoes it. */
DM_API void pipeline_page_unlock(const struct dm_region *region, const bool *locked);

/* How many thread blocks copy in each direction: the sum over the arrays that are split; 0 if the
 * directive does not say it of one of them. */
DM_API void pipeline_copy_blocks(const struct pipeline_loop *loop, int *in, int *out);

#ifdef __cplusplus
}
#endif
#endif
