/* graph.c: graphs, made by stream capture and launched as often as wanted.
 *
 *   captured                              launched
 *   stream A  copy --- record e           lane 0   waits for the stream of the launch, then copy,
 * ... stream B        '- wait e - kernel    lane 1   waits likewise, and for the record's place,
 * ...
 *
 * While a stream is captured, what is submitted to it becomes a node of the graph. Events recorded
 * there are nodes, too, and a stream that waits for one is captured with it, as a lane of its own.
 * An executable graph has a stream per lane; a launch submits all nodes to them in the order of
 * their capture, so that a node only ever waits for earlier ones. */
#include <stdlib.h>

#include "graph.h"

enum { NOTHING = -1 };

struct node {
    int lane;
    struct operation *operation; /* NULL: a recorded event or a wait */
    int after;                   /* node of another lane, or NOTHING */
    bool awaited;
};

struct CUgraph_st {
    unsigned references; /* graph, its executable ones and its capture */
    int lanes, node_count, node_capacity;
    struct node *nodes;
};

/* Streams that are captured together; the first one began. */
struct capture {
    struct capture *next;
    uint64_t number; /* events remember it, and may be older than the capture that has it */
    struct CUgraph_st *graph;
    cudaError_t error; /* of a node that could not be kept */
    stream_t *streams[GRAPH_LANES];
};

struct CUgraphExec_st {
    struct CUgraph_st *graph;
    stream_t *lanes[GRAPH_LANES];
};

/* Those in progress. */
static struct capture *captures;

/* ---- capture; schedule_lock is held ---- */

static int lane_of(const struct capture *capture, const stream_t *stream)
{
    int lane = 0;

    while (capture->streams[lane] != stream)
        lane++;
    return lane;
}

static cudaError_t add_node(struct capture *capture, struct node node)
{
    struct CUgraph_st *graph = capture->graph;

    if (graph->node_count == graph->node_capacity) {
        int capacity = graph->node_capacity ? 2 * graph->node_capacity : 64;
        struct node *nodes = realloc(graph->nodes, (size_t)capacity * sizeof *nodes);
        if (!nodes)
            return capture->error = cudaErrorMemoryAllocation;
        graph->nodes = nodes;
        graph->node_capacity = capacity;
    }
    if (node.after != NOTHING)
        graph->nodes[node.after].awaited = true;
    graph->nodes[graph->node_count++] = node;
    return cudaSuccess;
}

cudaError_t capture_operation(stream_t *stream, struct operation *operation)
{
    int lane = lane_of(stream->capture, stream);

    return add_node(stream->capture, (struct node){lane, operation, NOTHING, false});
}

cudaError_t capture_record(stream_t *stream, uint64_t *number, int *node)
{
    *number = stream->capture->number;
    *node = stream->capture->graph->node_count;
    return capture_operation(stream, NULL);
}

cudaError_t capture_wait(stream_t *stream, uint64_t number, int node)
{
    struct capture *capture = captures;

    while (capture && capture->number != number)
        capture = capture->next;
    if (!capture)
        return cudaErrorCapturedEvent;
    struct CUgraph_st *graph = capture->graph;
    if (stream->capture && stream->capture != capture)
        return cudaErrorStreamCaptureMerge;
    if (!stream->capture && graph->lanes == GRAPH_LANES)
        return cudaErrorNotSupported;
    if (!stream->capture) {
        stream->capture = capture;
        capture->streams[graph->lanes++] = stream;
    }
    return add_node(capture, (struct node){lane_of(capture, stream), NULL, node, false});
}

/* ---- graphs ---- */

static void graph_drop(struct CUgraph_st *graph) /* schedule_lock is not held */
{
    pthread_mutex_lock(&schedule_lock);
    bool last = --graph->references == 0;
    pthread_mutex_unlock(&schedule_lock);
    if (!last)
        return;
    for (int i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].operation)
            graph->nodes[i].operation->destroy(graph->nodes[i].operation);
    free(graph->nodes);
    free(graph);
}

/* The first lane has waited, directly or not, for the end of all others. */
static bool is_joined(const struct CUgraph_st *graph)
{
    int upto[GRAPH_LANES]; /* what of a lane the first lane's end follows */

    for (int lane = 0; lane < graph->lanes; lane++)
        upto[lane] = lane == 0 ? graph->node_count - 1 : NOTHING;
    for (int i = graph->node_count - 1; i >= 0; i--) {
        const struct node *node = &graph->nodes[i];
        if (i > upto[node->lane])
            return false;
        if (node->after != NOTHING && node->after > upto[graph->nodes[node->after].lane])
            upto[graph->nodes[node->after].lane] = node->after;
    }
    return true;
}

/* Ends the capture; its graph is for the caller. */
static struct CUgraph_st *end_capture(struct capture *capture) /* schedule_lock is held */
{
    struct CUgraph_st *graph = capture->graph;
    struct capture **place = &captures;

    for (int lane = 0; lane < graph->lanes; lane++)
        capture->streams[lane]->capture = NULL;
    while (*place != capture)
        place = &(*place)->next;
    *place = capture->next;
    free(capture);
    return graph;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (unsigned)mode > cudaStreamCaptureModeRelaxed)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && stream->is_default)
        error = cudaErrorStreamCaptureUnsupported;
    if (error != cudaSuccess)
        return api_end(error);
    struct capture *capture = calloc(1, sizeof *capture);
    struct CUgraph_st *graph = calloc(1, sizeof *graph);
    pthread_mutex_lock(&schedule_lock);
    if (!capture || !graph)
        error = cudaErrorMemoryAllocation;
    else if (stream->capture)
        error = cudaErrorIllegalState;
    if (error == cudaSuccess) {
        *graph = (struct CUgraph_st){.references = 1, .lanes = 1};
        static uint64_t count;
        *capture = (struct capture){
            .next = captures, .number = ++count, .graph = graph, .streams = {stream}};
        captures = stream->capture = capture;
    }
    pthread_mutex_unlock(&schedule_lock);
    if (error != cudaSuccess) {
        free(capture);
        free(graph);
    }
    return api_end(error);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph)
{
    struct device *device;
    stream_t *stream;
    struct CUgraph_st *made = NULL;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !graph)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error != cudaSuccess)
        return api_end(error);
    *graph = NULL;
    pthread_mutex_lock(&schedule_lock);
    struct capture *capture = stream->capture;
    if (!capture)
        error = cudaErrorIllegalState;
    else if (capture->streams[0] != stream)
        error = cudaErrorStreamCaptureUnmatched;
    if (error == cudaSuccess) {
        error = capture->error;
        made = end_capture(capture);
    }
    pthread_mutex_unlock(&schedule_lock);
    if (error == cudaSuccess && !is_joined(made))
        error = cudaErrorStreamCaptureUnjoined;
    if (error == cudaSuccess)
        *graph = made;
    else if (made)
        graph_drop(made);
    return api_end(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !status)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error != cudaSuccess)
        return api_end(error);
    *status = stream_captured(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return api_end(cudaSuccess);
}

bool stream_captured(stream_t *stream)
{
    pthread_mutex_lock(&schedule_lock);
    bool captured = stream->capture != NULL;
    pthread_mutex_unlock(&schedule_lock);
    return captured;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !graph)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        graph_drop(graph);
    return api_end(error);
}

/* ---- executable graphs ---- */

static void destroy_executable(struct CUgraphExec_st *executable)
{
    for (int lane = 0; lane < executable->graph->lanes && executable->lanes[lane]; lane++) {
        stream_wait(executable->lanes[lane]); /* launches use the graph's operations */
        stream_retire(executable->lanes[lane]);
    }
    graph_drop(executable->graph);
    free(executable);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (!executable || !graph || flags != 0))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api_end(error);
    struct CUgraphExec_st *made = calloc(1, sizeof *made);
    if (!made)
        return api_end(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&schedule_lock);
    graph->references++;
    pthread_mutex_unlock(&schedule_lock);
    made->graph = graph;
    for (int lane = 0; lane < graph->lanes && error == cudaSuccess; lane++)
        error = stream_make(device, cudaStreamNonBlocking, 0, false, &made->lanes[lane]);
    if (error != cudaSuccess)
        destroy_executable(made);
    else
        *executable = made;
    return api_end(error);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !executable)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        destroy_executable(executable);
    return api_end(error);
}

/* ---- launches ---- */

/* A node's operation, or none, once more. */
struct replay {
    struct operation base;
    struct operation *operation;
};

static void replay_run(struct operation *operation, cudaError_t status)
{
    struct operation *captured = ((struct replay *)operation)->operation;

    if (captured)
        captured->run(captured, status);
}

static void replay_destroy(struct operation *operation)
{
    free(operation);
}

static cudaError_t submit(stream_t *stream, struct operation *captured, struct point *wait_for,
                          struct point *point)
{
    struct replay *replay = calloc(1, sizeof *replay);

    if (!replay)
        return cudaErrorMemoryAllocation;
    replay->base.run = replay_run;
    replay->base.destroy = replay_destroy;
    replay->base.engine = captured ? captured->engine : NULL;
    replay->operation = captured;
    if (wait_for)
        return schedule_submit(stream, &replay->base, wait_for);
    return point ? schedule_submit_point(stream, &replay->base, point)
                 : schedule_submit(stream, &replay->base, NULL);
}

/* `stream` waits for what `before` has been given so far. */
static cudaError_t follow(stream_t *stream, stream_t *before)
{
    pthread_mutex_lock(&schedule_lock);
    struct point point = point_last(before);
    pthread_mutex_unlock(&schedule_lock);
    cudaError_t error = submit(stream, NULL, &point, NULL);

    pthread_mutex_lock(&schedule_lock);
    point_drop(&point);
    pthread_mutex_unlock(&schedule_lock);
    return error;
}

/* points[i]: of node i, if another one waits for it. */
static cudaError_t submit_nodes(struct CUgraphExec_st *executable, struct point *points)
{
    const struct CUgraph_st *graph = executable->graph;
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < graph->node_count && error == cudaSuccess; i++) {
        const struct node *node = &graph->nodes[i];
        stream_t *lane = executable->lanes[node->lane];
        if (node->after != NOTHING)
            error = submit(lane, NULL, &points[node->after], NULL);
        if (error == cudaSuccess && (node->operation || node->awaited))
            error = submit(lane, node->operation, NULL, node->awaited ? &points[i] : NULL);
    }
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t handle)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !executable)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && stream_captured(stream))
        error = cudaErrorNotSupported; /* graphs within graphs */
    if (error != cudaSuccess)
        return api_end(error);
    const struct CUgraph_st *graph = executable->graph;
    struct point *points = calloc((size_t)graph->node_count + 1, sizeof *points);
    if (!points)
        return api_end(cudaErrorMemoryAllocation);
    for (int lane = 0; lane < graph->lanes && error == cudaSuccess; lane++)
        error = follow(executable->lanes[lane], stream);
    if (error == cudaSuccess)
        error = submit_nodes(executable, points);
    for (int lane = 0; lane < graph->lanes && error == cudaSuccess; lane++)
        error = follow(stream, executable->lanes[lane]);
    pthread_mutex_lock(&schedule_lock);
    for (int i = 0; i < graph->node_count; i++)
        if (points[i].timeline)
            point_drop(&points[i]);
    pthread_mutex_unlock(&schedule_lock);
    free(points);
    return api_end(error);
}
