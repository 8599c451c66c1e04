/* pipeline_plan.h: what the versions share: a region's memory on the device, streams, and the one
 * place where a run calls CUDA (pipeline_issue.c), which counts calls and writes the trace. */
#ifndef PIPELINE_PLAN_H
#define PIPELINE_PLAN_H

#include "pipeline.h"
#include "pipeline_trace.h"
#include "pipeline_waits.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array on the device: rings[a].capacity slots. */
struct pipeline_buffer {
    void *device;
    size_t pitch_bytes; /* from one row to the next of arrays split by columns; else 0 */
};

/* A way to execute a plan. */
struct pipeline_method {
    void (*prepare)(struct pipeline_plan *plan); /* makes plan->own */
    void (*execute)(struct pipeline_plan *plan); /* until the results are in host memory */
    void (*phases)(struct pipeline_plan *plan);  /* after the run, for the report; may be NULL */
    void (*release)(struct pipeline_plan *plan);
};

extern const struct pipeline_method pipeline_naive, pipeline_streams, pipeline_framework;

struct pipeline_plan {
    enum pipeline_version version;
    const struct pipeline_method *method;
    const struct dm_region *region;
    struct pipeline_schedule schedule;
    int streams;      /* chunks in flight */
    int stream_count; /* of CUDA; framework: one or two for kernels, one for copies each way */
    cudaStream_t stream[PIPELINE_STREAMS_MAX];
    struct pipeline_buffer buffers[DM_REGION_ARRAYS];
    size_t device_bytes;
    cudaEvent_t finished;           /* what the host waits for */
    void *own;                      /* of the method */
    struct pipeline_report *report; /* of the run in progress */
    struct pipeline_trace *trace;   /* NULL: none */
    cudaEvent_t origin;             /* start of a traced run */
    cudaEvent_t *marks;             /* two per trace entry: before and after */
    long mark_count;
};

/* ---- memory on the device (pipeline_buffers.c) ---- */

/* Bytes that an array of `capacity` slots takes; rows of columns are padded to 512 bytes, as
 * cudaMallocPitch does on GPUs up to now. */
size_t pipeline_buffer_bytes(const struct dm_region_array *array, long capacity);

/* Allocates the buffers of plan->schedule's rings; false, with nothing allocated, if there is not
 * enough memory. */
bool pipeline_buffers_allocate(struct pipeline_plan *plan);
void pipeline_buffers_release(struct pipeline_plan *plan);

/* Array `array` as the kernels of a chunk see it. */
struct dm_slices pipeline_view(const struct pipeline_plan *plan, int array, long chunk);

/* ---- options and memory (pipeline_fit.c) ---- */

/* Chunk size and streams, as asked for, reduced until the rings take at most `limit` bytes; false
 * if one iteration on one stream needs more. */
bool pipeline_fit(const struct dm_region *region, size_t limit, long *chunk_size, int *streams);

/* ---- operations of a run (pipeline_issue.c) ---- */

struct pipeline_task {
    long number, round, chunk;
    int stream;
};
struct pipeline_task pipeline_task(const struct pipeline_plan *plan, long number);

/* Copies in of the slices that the task's chunk is the first to touch, or copies out of those that
 * it is the last to touch; one or two calls per array. */
void pipeline_issue_copies(struct pipeline_plan *plan, const struct pipeline_task *task,
                           enum pipeline_stage stage);
/* The same of one array. */
void pipeline_issue_copy(struct pipeline_plan *plan, const struct pipeline_task *task,
                         enum pipeline_stage stage, int array);
void pipeline_issue_kernels(struct pipeline_plan *plan, const struct pipeline_task *task);
void pipeline_issue_record(struct pipeline_plan *plan, cudaEvent_t event, int stream);
void pipeline_issue_wait(struct pipeline_plan *plan, cudaEvent_t event, int stream);
/* The host sleeps until what was enqueued on the stream is done. */
void pipeline_issue_finish(struct pipeline_plan *plan, int stream);
/* Whether the host has to be called after this round, with all its results; and the call. */
bool pipeline_pauses(const struct pipeline_plan *plan, long round);
void pipeline_issue_between(struct pipeline_plan *plan, long round);

/* An event for waiting, not for timing. */
cudaEvent_t pipeline_event_create(void);

/* ---- trace (pipeline_trace.c) ---- */

/* All of them do nothing in a run that is not traced. */
void pipeline_trace_start(struct pipeline_plan *plan);
void pipeline_trace_before(struct pipeline_plan *plan, struct trace_entry entry);
void pipeline_trace_after(struct pipeline_plan *plan);
void pipeline_trace_finish(struct pipeline_plan *plan);
void pipeline_trace_forget(struct pipeline_plan *plan); /* releases what the plan has for it */

#ifdef __cplusplus
}
#endif
#endif
