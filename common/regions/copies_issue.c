/* copies_issue.c: the operations of a run. Every call of the CUDA runtime between the begin and
 * the end of a run is made here or in copies_trace.c, and counted. */
#include "common/clock.h"
#include "common/error_cuda.h"

#include "common/regions/copies_plan.h"

#define CALL(plan, expression)                                                                     \
    do {                                                                                           \
        (plan)->report->api_calls++;                                                               \
        TRY_CUDA(expression);                                                                      \
    } while (0)

struct copies_task copies_task(const struct copies_plan *plan, long number)
{
    long chunks = plan->schedule.chunks.count;
    return (struct copies_task){number, number / chunks, number % chunks,
                                (int)(number % plan->streams)};
}

/* ---- copies ---- */

/* Slices that lie side by side in the ring, between host and device. */
static enum dm_status copy_piece(struct copies_plan *plan, const struct copies_task *task,
                                 int array, struct chunk_range piece, bool in)
{
    const struct dm_region_array *a = &plan->region->arrays[array];
    const struct copies_buffer *buffer = &plan->buffers[array];
    cudaStream_t stream = plan->stream[task->stream];
    enum cudaMemcpyKind kind = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    size_t slot = (size_t)ring_slot(&plan->schedule.rings[array], piece.first);
    char *host = (char *)dm_region_host(plan->region, array, task->round) +
                 (size_t)piece.first * a->slice_bytes;
    char *device = (char *)buffer->device + slot * a->slice_bytes;
    size_t width = (size_t)(piece.end - piece.first) * a->slice_bytes;
    if (a->split != DM_REGION_COLUMNS)
        CALL(plan, cudaMemcpyAsync(in ? device : host, in ? host : device, width, kind, stream));
    else if (in)
        CALL(plan, cudaMemcpy2DAsync(device, buffer->pitch_bytes, host, a->pitch_bytes, width,
                                     a->rows, kind, stream));
    else
        CALL(plan, cudaMemcpy2DAsync(host, a->pitch_bytes, device, buffer->pitch_bytes, width,
                                     a->rows, kind, stream));
    plan->report->copies++;
    *(in ? &plan->report->bytes_to_device : &plan->report->bytes_from_device) += width * a->rows;
    return DM_OK;
}

static enum dm_status copy_traced(struct copies_plan *plan, const struct copies_task *task,
                                  int array, struct chunk_range piece, bool in)
{
    bool whole = plan->region->arrays[array].split == DM_REGION_WHOLE;
    TRY(copies_trace_before(
        plan, (struct trace_entry){
                  .kind = in ? TRACE_TO_DEVICE : TRACE_FROM_DEVICE,
                  .round = task->round,
                  .chunk = task->chunk,
                  .stream = task->stream,
                  .array = array,
                  .first = piece.first,
                  .end = piece.end,
                  .slots = whole ? 0 : plan->schedule.rings[array].capacity,
                  .slot = whole ? -1 : ring_slot(&plan->schedule.rings[array], piece.first),
              }));
    TRY(copy_piece(plan, task, array, piece, in));
    return copies_trace_after(plan);
}

enum dm_status copies_issue_copy(struct copies_plan *plan, const struct copies_task *task,
                                 enum copies_stage stage, int array)
{
    const struct dm_region_array *a = &plan->region->arrays[array];
    const struct chunks *chunks = &plan->schedule.chunks;
    bool in = stage == COPIES_IN;
    if (!(a->direction & (in ? DM_REGION_TO : DM_REGION_FROM)))
        return DM_OK;
    struct chunk_range slices = in ? chunk_new_slices(chunks, a, task->chunk)
                                   : chunk_finished_slices(chunks, a, task->chunk);
    while (slices.first < slices.end) {
        struct chunk_range piece = ring_piece(&plan->schedule.rings[array], slices);
        TRY(copy_traced(plan, task, array, piece, in));
        slices.first = piece.end;
    }
    return DM_OK;
}

enum dm_status copies_issue_copies(struct copies_plan *plan, const struct copies_task *task,
                                   enum copies_stage stage)
{
    for (int a = 0; a < plan->region->array_count; a++)
        TRY(copies_issue_copy(plan, task, stage, a));
    return DM_OK;
}

/* ---- kernels ---- */

enum dm_status copies_issue_kernels(struct copies_plan *plan, const struct copies_task *task)
{
    const struct dm_region *region = plan->region;
    struct dm_slices views[DM_REGION_ARRAYS];
    for (int a = 0; a < region->array_count; a++)
        views[a] = copies_view(plan, a, task->chunk);
    struct chunk_range iterations = chunk_iterations(&plan->schedule.chunks, task->chunk);
    TRY(copies_trace_before(plan, (struct trace_entry){.kind = TRACE_KERNEL,
                                                       .round = task->round,
                                                       .chunk = task->chunk,
                                                       .stream = task->stream,
                                                       .array = -1,
                                                       .first = iterations.first,
                                                       .end = iterations.end,
                                                       .slot = -1}));
    plan->report->api_calls++;
    enum dm_status status = error_cuda(
        region->launch(region, views, iterations.first, iterations.end, plan->stream[task->stream]),
        "the launch function", __FILE__, __LINE__);
    if (status != DM_OK)
        return error_within(status, "%s, iterations %ld to %ld", region->name, iterations.first,
                            iterations.end - 1);
    return copies_trace_after(plan);
}

/* ---- order ---- */

enum dm_status copies_issue_record(struct copies_plan *plan, cudaEvent_t event, int stream)
{
    CALL(plan, cudaEventRecord(event, plan->stream[stream]));
    return DM_OK;
}

enum dm_status copies_issue_wait(struct copies_plan *plan, cudaEvent_t event, int stream)
{
    CALL(plan, cudaStreamWaitEvent(plan->stream[stream], event, 0));
    return DM_OK;
}

/* Of at least 8 chunks, the last sixteenth is watched, or the last one. Waking up takes about 0.2
 * ms, on which nothing else is done, and which is 2 % of 10 ms. */
enum { CHUNKS_MIN = 8, WATCHED_SHARE = 16 };

enum dm_status copies_issue_end_in_sight(struct copies_plan *plan, const struct copies_task *task)
{
    long chunks = plan->schedule.chunks.count, tasks = plan->region->rounds * chunks;
    long last = plan->region->between ? chunks : tasks;
    long watched = last / WATCHED_SHARE > 1 ? last / WATCHED_SHARE : 1;
    if (plan->capturing || last < CHUNKS_MIN || task->number != tasks - 1 - watched)
        return DM_OK;
    plan->awake = true;
    return copies_issue_record(plan, plan->nearly, task->stream);
}

enum dm_status copies_issue_finish(struct copies_plan *plan, int stream)
{
    if (plan->capturing)
        return DM_OK;
    bool awake = plan->awake;
    plan->awake = false;
    TRY(copies_issue_record(plan, awake ? plan->watched : plan->finished, stream));
    if (awake)
        CALL(plan, cudaEventSynchronize(plan->nearly));
    CALL(plan, cudaEventSynchronize(awake ? plan->watched : plan->finished));
    return DM_OK;
}

bool copies_pauses(const struct copies_plan *plan, long round)
{
    return plan->region->between && round + 1 < plan->region->rounds;
}

void copies_issue_between(struct copies_plan *plan, long round)
{
    const double start_s = clock_now_s();
    plan->region->between(plan->region, round, plan->region->between_context);
    plan->report->between_s += clock_now_s() - start_s;
}
