/* event.c: events. A record is one cudaEventRecord: a point on a stream's timeline and the time at
 * which the stream got there. An event refers to its latest record; the operation that will set the
 * time holds a reference too, so an event may be destroyed or recorded again at any time. */
#include <stdlib.h>
#include <time.h>

#include "graph.h"

struct record {
    unsigned references;
    struct point point;
    struct timespec time;
};

struct CUevent_st {
    struct CUevent_st *next_unused;
    bool live;
    unsigned flags;
    struct device *device;
    struct record *latest; /* NULL: never recorded */
    uint64_t capture;      /* that its latest record is part of, and the node there; 0: none */
    int node;
};

/* Handles of destroyed events are kept, marked dead, so that a stale one is recognised. */
static struct CUevent_st *unused_events;

static void record_drop(struct record *record) /* schedule_lock is held */
{
    if (--record->references == 0) {
        if (record->point.timeline)
            point_drop(&record->point);
        free(record);
    }
}

/* schedule_lock is held */
static bool usable(cudaEvent_t event)
{
    return event && event->live;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (flags & cudaEventInterprocess))
        error = cudaErrorNotSupported;
    if (error == cudaSuccess && (!event || (flags & ~known)))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api_end(error);
    pthread_mutex_lock(&schedule_lock);
    struct CUevent_st *made = unused_events;
    if (made)
        unused_events = made->next_unused;
    else
        made = malloc(sizeof *made);
    if (made) {
        *made = (struct CUevent_st){.live = true, .flags = flags, .device = device};
        *event = made;
    }
    pthread_mutex_unlock(&schedule_lock);
    return api_end(made ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error != cudaSuccess)
        return api_end(error);
    pthread_mutex_lock(&schedule_lock);
    if (usable(event)) {
        if (event->latest)
            record_drop(event->latest);
        event->latest = NULL;
        event->live = false;
        event->next_unused = unused_events;
        unused_events = event;
    } else {
        error = cudaErrorInvalidResourceHandle;
    }
    pthread_mutex_unlock(&schedule_lock);
    return api_end(error);
}

/* ---- recording ---- */

struct record_operation {
    struct operation base;
    struct record *record;
};

static void record_run(struct operation *operation, cudaError_t status)
{
    struct record_operation *self = (struct record_operation *)operation;

    (void)status; /* reached all the same: who waits must not wait for ever */
    clock_gettime(CLOCK_MONOTONIC, &self->record->time);
}

static void record_destroy(struct operation *operation)
{
    struct record_operation *self = (struct record_operation *)operation;

    pthread_mutex_lock(&schedule_lock);
    record_drop(self->record);
    pthread_mutex_unlock(&schedule_lock);
    free(self);
}

/* Submits the operation that sets the record's time, or sets it here and now if the stream is idle.
 */
static cudaError_t submit_record(stream_t *stream, struct record *record)
{
    struct operation here = {0};

    if (schedule_inline_begin(stream, &here)) {
        clock_gettime(CLOCK_MONOTONIC, &record->time);
        pthread_mutex_lock(&schedule_lock);
        record->point = point_last(stream);
        record->point.value = here.value;
        record_drop(record);
        pthread_mutex_unlock(&schedule_lock);
        schedule_inline_end(stream, &here);
        return cudaSuccess;
    }
    struct record_operation *operation = calloc(1, sizeof *operation);
    if (!operation) {
        pthread_mutex_lock(&schedule_lock);
        record_drop(record);
        pthread_mutex_unlock(&schedule_lock);
        return cudaErrorMemoryAllocation;
    }
    operation->base.run = record_run;
    operation->base.destroy = record_destroy;
    operation->record = record;
    return schedule_submit_point(stream, &operation->base, &record->point);
}

/* Whether the stream is captured; then the record is a node of the graph. */
static bool record_captured(cudaEvent_t event, stream_t *stream, cudaError_t *error)
{
    pthread_mutex_lock(&schedule_lock);
    bool captured = stream->capture != NULL;
    event->capture = 0;
    if (captured)
        *error = capture_record(stream, &event->capture, &event->node);
    pthread_mutex_unlock(&schedule_lock);
    return captured;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned flags)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && flags != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess) {
        pthread_mutex_lock(&schedule_lock);
        if (!usable(event) || event->device != stream->device)
            error = cudaErrorInvalidResourceHandle;
        pthread_mutex_unlock(&schedule_lock);
    }
    if (error == cudaSuccess && record_captured(event, stream, &error))
        return api_end(error);
    if (error != cudaSuccess)
        return api_end(error);
    struct record *record = calloc(1, sizeof *record);
    if (!record)
        return api_end(cudaErrorMemoryAllocation);
    record->references = 2; /* the event's and the operation's */
    error = submit_record(stream, record);

    pthread_mutex_lock(&schedule_lock);
    struct record *old = record;
    if (error == cudaSuccess) {
        old = event->latest;
        event->latest = record;
    }
    if (old)
        record_drop(old);
    pthread_mutex_unlock(&schedule_lock);
    return api_end(error);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

/* ---- waiting ---- */

/* The point of the event's latest record in *point, with a reference; *recorded tells if there is
 * one. */
static cudaError_t latest_point(cudaEvent_t event, struct point *point, bool *recorded)
{
    cudaError_t error = cudaSuccess;

    pthread_mutex_lock(&schedule_lock);
    *recorded = false;
    if (!usable(event)) {
        error = cudaErrorInvalidResourceHandle;
    } else if (event->capture) {
        error = cudaErrorCapturedEvent;
    } else if (event->latest) {
        *point = event->latest->point;
        point->timeline->references++;
        *recorded = true;
    }
    pthread_mutex_unlock(&schedule_lock);
    return error;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    struct device *device;
    struct point point;
    bool recorded, reached = true;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = latest_point(event, &point, &recorded);
    if (error != cudaSuccess)
        return api_end(error);
    if (recorded) {
        pthread_mutex_lock(&schedule_lock);
        reached = point_reached(&point);
        point_drop(&point);
        pthread_mutex_unlock(&schedule_lock);
    }
    return api_end(reached ? device_status(event->device) : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    struct device *device;
    struct point point;
    bool recorded;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = latest_point(event, &point, &recorded);
    if (error != cudaSuccess)
        return api_end(error);
    device = event->device;
    if (recorded)
        point_wait(&point);
    return api_end(device_status(device));
}

static void wait_run(struct operation *operation, cudaError_t status)
{
    (void)operation; /* its point did the waiting */
    (void)status;
}

static void wait_destroy(struct operation *operation)
{
    free(operation);
}

/* Whether the event or the stream is captured; then the wait is a node of the graph. */
static bool wait_captured(cudaEvent_t event, stream_t *stream, cudaError_t *error)
{
    pthread_mutex_lock(&schedule_lock);
    bool captured = usable(event) && (event->capture || (stream->capture && event->latest));
    if (captured)
        *error = event->capture ? capture_wait(stream, event->capture, event->node)
                                : cudaErrorStreamCaptureIsolation;
    pthread_mutex_unlock(&schedule_lock);
    return captured;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags)
{
    struct device *device;
    stream_t *stream;
    struct point point;
    bool recorded;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && flags != cudaEventWaitDefault)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && wait_captured(event, stream, &error))
        return api_end(error);
    if (error == cudaSuccess)
        error = latest_point(event, &point, &recorded);
    if (error != cudaSuccess || !recorded)
        return api_end(error);
    pthread_mutex_lock(&schedule_lock);
    bool reached = point_reached(&point); /* then there is nothing to wait for */
    pthread_mutex_unlock(&schedule_lock);
    struct operation *operation = reached ? NULL : calloc(1, sizeof *operation);
    if (operation) {
        operation->run = wait_run;
        operation->destroy = wait_destroy;
        error = schedule_submit(stream, operation, &point);
    } else if (!reached) {
        error = cudaErrorMemoryAllocation;
    }
    pthread_mutex_lock(&schedule_lock);
    point_drop(&point);
    pthread_mutex_unlock(&schedule_lock);
    return api_end(error);
}

/* ---- time ---- */

/* schedule_lock is held */
static cudaError_t check_time(cudaEvent_t event)
{
    if (!usable(event) || (event->flags & cudaEventDisableTiming) || !event->latest)
        return cudaErrorInvalidResourceHandle;
    return point_reached(&event->latest->point) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !milliseconds)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api_end(error);
    pthread_mutex_lock(&schedule_lock);
    error = check_time(start);
    cudaError_t error_end = check_time(end);
    if (error == cudaSuccess || error_end == cudaErrorInvalidResourceHandle)
        error = error_end != cudaSuccess ? error_end : error;
    if (error == cudaSuccess && start->device != end->device)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        const struct timespec *a = &start->latest->time, *b = &end->latest->time;
        double ns = (double)(b->tv_sec - a->tv_sec) * 1e9 + (double)(b->tv_nsec - a->tv_nsec);
        *milliseconds = (float)(ns / 1e6);
    }
    pthread_mutex_unlock(&schedule_lock);
    return api_end(error);
}
