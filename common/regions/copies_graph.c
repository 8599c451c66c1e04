/* copies_graph.c: a whole run as a CUDA graph: enqueued once, while its streams are captured, and
 * launched by one call per run, however many chunks there are. */
#include "common/error_cuda.h"

#include "common/regions/copies_plan.h"

enum { ORIGIN = 0 }; /* the stream on which capture begins and ends */

static enum dm_status can_be_captured(const struct copies_plan *plan)
{
    const struct dm_region *region = plan->region;
    if (region->between && region->rounds > 1)
        return dm_fail(DM_INVALID, "%s: a graph cannot call the host between its rounds",
                       region->name);
    if (plan->trace || plan->version == COPIES_NAIVE)
        return dm_fail(DM_INVALID, "%s: there are graphs of %s and %s, without traces",
                       region->name, copies_version_names[COPIES_STREAMS],
                       copies_version_names[COPIES_RINGS]);
    return DM_OK;
}

/* Other streams are captured from where they wait for a captured one, and have to be waited for. */
static enum dm_status fork(struct copies_plan *plan)
{
    TRY(copies_issue_record(plan, plan->captured[ORIGIN], ORIGIN));
    for (int s = 0; s < plan->stream_count; s++)
        if (s != ORIGIN)
            TRY(copies_issue_wait(plan, plan->captured[ORIGIN], s));
    return DM_OK;
}

static enum dm_status join(struct copies_plan *plan)
{
    for (int s = 0; s < plan->stream_count; s++)
        if (s != ORIGIN) {
            TRY(copies_issue_record(plan, plan->captured[s], s));
            TRY(copies_issue_wait(plan, plan->captured[s], ORIGIN));
        }
    return DM_OK;
}

static enum dm_status enqueue(struct copies_plan *plan)
{
    TRY(fork(plan));
    TRY(plan->method->execute(plan));
    return join(plan);
}

static enum dm_status capture(struct copies_plan *plan, cudaGraph_t *graph)
{
    TRY_CUDA(cudaStreamBeginCapture(plan->stream[ORIGIN], cudaStreamCaptureModeThreadLocal));
    plan->capturing = true;
    plan->report = &plan->graph_report;
    enum dm_status status = enqueue(plan);
    plan->report = NULL;
    plan->capturing = false;
    cudaError_t error = cudaStreamEndCapture(plan->stream[ORIGIN], graph);
    if (status != DM_OK) {
        cudaGetLastError();
        return status;
    }
    TRY_CUDA(error);
    return DM_OK;
}

enum dm_status copies_graph_make(struct copies_plan *plan)
{
    cudaGraph_t graph = NULL;
    TRY(can_be_captured(plan));
    TRY(copies_events_create(&plan->captured, plan->stream_count, false));
    enum dm_status status = capture(plan, &graph);
    if (status == DM_OK)
        status = status_of_cuda(cudaGraphInstantiate(&plan->graph, graph, 0));
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}

enum dm_status copies_graph_execute(struct copies_plan *plan)
{
    plan->report->copies = plan->graph_report.copies;
    plan->report->bytes_to_device = plan->graph_report.bytes_to_device;
    plan->report->bytes_from_device = plan->graph_report.bytes_from_device;
    plan->report->api_calls++;
    TRY_CUDA(cudaGraphLaunch(plan->graph, plan->stream[ORIGIN]));
    return copies_issue_finish(plan, ORIGIN);
}

void copies_graph_release(struct copies_plan *plan)
{
    if (plan->graph)
        cudaGraphExecDestroy(plan->graph);
    copies_events_release(plan->captured, plan->stream_count);
}
