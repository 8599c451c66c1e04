/* pipeline_issue.c: the operations of a run. Every call of the CUDA runtime between the begin and
 * the end of a run is made here or in pipeline_trace.c, and counted. */
#include "common/harness/exit.h"

#include "pipeline_plan.h"

#define call(plan, expression)                                                                     \
    do {                                                                                           \
        (plan)->report->api_calls++;                                                               \
        check_cuda(expression);                                                                    \
    } while (0)

struct pipeline_task pipeline_task(const struct pipeline_plan *plan, long number)
{
    long chunks = plan->schedule.chunks.count;
    return (struct pipeline_task){number, number / chunks, number % chunks,
                                  (int)(number % plan->streams)};
}

/* ---- copies ---- */

/* Slices that lie side by side in the ring, between host and device. */
static void copy_piece(struct pipeline_plan *plan, const struct pipeline_task *task, int array,
                       struct chunk_range piece, bool in)
{
    const struct dm_region_array *a = &plan->region->arrays[array];
    const struct pipeline_buffer *buffer = &plan->buffers[array];
    cudaStream_t stream = plan->stream[task->stream];
    enum cudaMemcpyKind kind = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    size_t slot = (size_t)pipeline_ring_slot(&plan->schedule.rings[array], piece.first);
    char *host = (char *)dm_region_host(plan->region, array, task->round) +
                 (size_t)piece.first * a->slice_bytes;
    char *device = (char *)buffer->device + slot * a->slice_bytes;
    size_t width = (size_t)(piece.end - piece.first) * a->slice_bytes;
    if (a->split != DM_REGION_COLUMNS)
        call(plan, cudaMemcpyAsync(in ? device : host, in ? host : device, width, kind, stream));
    else if (in)
        call(plan, cudaMemcpy2DAsync(device, buffer->pitch_bytes, host, a->pitch_bytes, width,
                                     a->rows, kind, stream));
    else
        call(plan, cudaMemcpy2DAsync(host, a->pitch_bytes, device, buffer->pitch_bytes, width,
                                     a->rows, kind, stream));
    plan->report->copies++;
    *(in ? &plan->report->bytes_to_device : &plan->report->bytes_from_device) += width * a->rows;
}

static void copy_traced(struct pipeline_plan *plan, const struct pipeline_task *task, int array,
                        struct chunk_range piece, bool in)
{
    bool whole = plan->region->arrays[array].split == DM_REGION_WHOLE;
    pipeline_trace_before(
        plan,
        (struct trace_entry){
            .kind = in ? TRACE_TO_DEVICE : TRACE_FROM_DEVICE,
            .round = task->round,
            .chunk = task->chunk,
            .stream = task->stream,
            .array = array,
            .first = piece.first,
            .end = piece.end,
            .slots = whole ? 0 : plan->schedule.rings[array].capacity,
            .slot = whole ? -1 : pipeline_ring_slot(&plan->schedule.rings[array], piece.first),
        });
    copy_piece(plan, task, array, piece, in);
    pipeline_trace_after(plan);
}

void pipeline_issue_copy(struct pipeline_plan *plan, const struct pipeline_task *task,
                         enum pipeline_stage stage, int array)
{
    const struct dm_region_array *a = &plan->region->arrays[array];
    const struct chunks *chunks = &plan->schedule.chunks;
    bool in = stage == PIPELINE_IN;
    if (!(a->direction & (in ? DM_REGION_TO : DM_REGION_FROM)))
        return;
    struct chunk_range slices = in ? chunk_new_slices(chunks, a, task->chunk)
                                   : chunk_finished_slices(chunks, a, task->chunk);
    while (slices.first < slices.end) {
        struct chunk_range piece = pipeline_ring_piece(&plan->schedule.rings[array], slices);
        copy_traced(plan, task, array, piece, in);
        slices.first = piece.end;
    }
}

void pipeline_issue_copies(struct pipeline_plan *plan, const struct pipeline_task *task,
                           enum pipeline_stage stage)
{
    for (int a = 0; a < plan->region->array_count; a++)
        pipeline_issue_copy(plan, task, stage, a);
}

/* ---- kernels ---- */

void pipeline_issue_kernels(struct pipeline_plan *plan, const struct pipeline_task *task)
{
    const struct dm_region *region = plan->region;
    struct dm_slices views[DM_REGION_ARRAYS];
    for (int a = 0; a < region->array_count; a++)
        views[a] = pipeline_view(plan, a, task->chunk);
    struct chunk_range iterations = chunk_iterations(&plan->schedule.chunks, task->chunk);
    pipeline_trace_before(plan, (struct trace_entry){.kind = TRACE_KERNEL,
                                                     .round = task->round,
                                                     .chunk = task->chunk,
                                                     .stream = task->stream,
                                                     .array = -1,
                                                     .first = iterations.first,
                                                     .end = iterations.end,
                                                     .slot = -1});
    call(plan, region->launch(region, views, iterations.first, iterations.end,
                              plan->stream[task->stream]));
    pipeline_trace_after(plan);
}

/* ---- order ---- */

cudaEvent_t pipeline_event_create(void)
{
    cudaEvent_t event;
    check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

void pipeline_issue_record(struct pipeline_plan *plan, cudaEvent_t event, int stream)
{
    call(plan, cudaEventRecord(event, plan->stream[stream]));
}

void pipeline_issue_wait(struct pipeline_plan *plan, cudaEvent_t event, int stream)
{
    call(plan, cudaStreamWaitEvent(plan->stream[stream], event, 0));
}

void pipeline_issue_finish(struct pipeline_plan *plan, int stream)
{
    pipeline_issue_record(plan, plan->finished, stream);
    call(plan, cudaEventSynchronize(plan->finished));
}

bool pipeline_pauses(const struct pipeline_plan *plan, long round)
{
    return plan->region->between && round + 1 < plan->region->rounds;
}

void pipeline_issue_between(struct pipeline_plan *plan, long round)
{
    plan->region->between(plan->region, round, plan->region->between_context);
}
