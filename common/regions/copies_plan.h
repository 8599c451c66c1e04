/* copies_plan.h: what the versions of copies.h share: a region's memory on the device, streams, and
 * the one place where a run calls CUDA (copies_issue.c), which counts calls and writes the trace.
 */
#ifndef COMMON_REGIONS_COPIES_PLAN_H
#define COMMON_REGIONS_COPIES_PLAN_H

#include "common/regions/copies.h"
#include "common/regions/copies_trace.h"
#include "common/regions/waits.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array on the device: rings[a].capacity slots. */
struct copies_buffer {
    void *device;
    size_t pitch_bytes; /* from one row to the next of arrays split by columns; else 0 */
};

/* A way to execute a plan. */
struct copies_method {
    enum dm_status (*prepare)(struct copies_plan *plan); /* makes plan->own */
    enum dm_status (*execute)(struct copies_plan *plan); /* until the results are in host memory */
    enum dm_status (*phases)(struct copies_plan *plan); /* after the run, for the report; or NULL */
    void (*release)(struct copies_plan *plan);          /* of what prepare made, all or a part */
};

extern const struct copies_method copies_naive, copies_streams, copies_rings;

struct copies_plan {
    enum copies_version version;
    const struct copies_method *method;
    const struct dm_region *region;
    struct copies_schedule schedule;
    int streams;      /* chunks in flight */
    int stream_count; /* of CUDA; rings: one or two for kernels, one for copies each way */
    cudaStream_t stream[COPIES_STREAMS_MAX];
    struct copies_buffer buffers[DM_REGION_ARRAYS];
    size_t device_bytes;
    cudaEvent_t finished; /* what the host waits for, asleep; or, if it is `awake`, watching: */
    cudaEvent_t nearly;   /* until this one it sleeps */
    cudaEvent_t watched;
    bool awake;
    void *own;                    /* of the method */
    struct copies_report *report; /* of the run in progress */
    struct copies_trace *trace;   /* NULL: none */
    cudaGraphExec_t graph;        /* of a run, launched instead; or NULL */
    cudaEvent_t *captured;        /* of each stream, that join them to the graph */
    bool capturing; /* what is enqueued now becomes the graph: nothing is waited for */
    struct copies_report graph_report; /* what a launch copies */
    cudaEvent_t origin;                /* start of a traced run */
    cudaEvent_t *marks;                /* two per trace entry: before and after */
    long mark_count, mark_capacity;
};

/* Waits for all streams, after a failure: copies in flight would go on using the caller's memory.
 */
void copies_drain(const struct copies_plan *plan);

/* ---- memory on the device (copies_buffers.c) ---- */

/* Bytes that an array of `capacity` slots takes; rows of columns are padded to 512 bytes, as
 * cudaMallocPitch does on GPUs up to now. */
size_t copies_buffer_bytes(const struct dm_region_array *array, long capacity);

/* Allocates the buffers of plan->schedule's rings; after a failure nothing is allocated. */
enum dm_status copies_buffers_allocate(struct copies_plan *plan);
void copies_buffers_release(struct copies_plan *plan);

/* Array `array` as the kernels of a chunk see it. */
struct dm_slices copies_view(const struct copies_plan *plan, int array, long chunk);

/* ---- options and memory (copies_fit.c) ---- */

/* Chunk size and streams, as requested, reduced until the rings take at most `limit` bytes; false
 * if one iteration on one stream needs more. */
bool copies_fit(const struct dm_region *region, size_t limit, long *chunk_size, int *streams);

/* ---- operations of a run (copies_issue.c) ---- */

struct copies_task {
    long number, round, chunk;
    int stream;
};
struct copies_task copies_task(const struct copies_plan *plan, long number);

/* Copies in of the slices that the task's chunk is the first to touch, or copies out of those that
 * it is the last to touch; one or two calls per array. */
enum dm_status copies_issue_copies(struct copies_plan *plan, const struct copies_task *task,
                                   enum copies_stage stage);
/* The same of one array. */
enum dm_status copies_issue_copy(struct copies_plan *plan, const struct copies_task *task,
                                 enum copies_stage stage, int array);
enum dm_status copies_issue_kernels(struct copies_plan *plan, const struct copies_task *task);
enum dm_status copies_issue_record(struct copies_plan *plan, cudaEvent_t event, int stream);
enum dm_status copies_issue_wait(struct copies_plan *plan, cudaEvent_t event, int stream);
/* The host waits until what was enqueued on the stream is done: asleep, but for the last part of a
 * run that has an end in sight. */
enum dm_status copies_issue_finish(struct copies_plan *plan, int stream);
/* After the copies out of a task: the end of the run is in sight. */
enum dm_status copies_issue_end_in_sight(struct copies_plan *plan, const struct copies_task *task);
/* Whether the host has to be called after this round, with all its results; and the call. */
bool copies_pauses(const struct copies_plan *plan, long round);
void copies_issue_between(struct copies_plan *plan, long round);

/* ---- events (copies_events.c) ---- */

/* An array of events, for timing or only for waiting; after a failure *events has those that were
 * created. release takes NULL. */
enum dm_status copies_events_create(cudaEvent_t **events, long count, bool timed);
void copies_events_release(cudaEvent_t *events, long count);

enum dm_status copies_seconds_between(cudaEvent_t start, cudaEvent_t end, double *seconds);

/* ---- a run as a graph (copies_graph.c) ---- */

/* Makes plan->graph of a plan that could be run. */
enum dm_status copies_graph_make(struct copies_plan *plan);
enum dm_status copies_graph_execute(struct copies_plan *plan);
void copies_graph_release(struct copies_plan *plan);

/* ---- trace (copies_trace.c) ---- */

/* All of them do nothing in a run that is not traced. */
enum dm_status copies_trace_start(struct copies_plan *plan);
enum dm_status copies_trace_before(struct copies_plan *plan, struct trace_entry entry);
enum dm_status copies_trace_after(struct copies_plan *plan);
enum dm_status copies_trace_finish(struct copies_plan *plan);
void copies_trace_forget(struct copies_plan *plan); /* releases what the plan has for it */

#ifdef __cplusplus
}
#endif
#endif
