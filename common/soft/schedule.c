/* schedule.c: streams as queues of operations, and the worker threads.
 *
 * Operations of a stream run in the order of submission, each when its points are reached and its
 * engine is free. A dependency always points at something submitted earlier and an engine is asked
 * for only after all dependencies are met, so there is no cycle to get stuck in. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "graph.h"
#include "timeline.h"

/* Handles of destroyed streams are kept, marked dead, so that a stale one is recognised. */
static stream_t *unused_streams;

/* ---- dependencies of the default stream ---- */

/* Must a new operation of `stream` wait for what `other` has left to do? The default stream waits
 * for all blocking streams of its device, and they wait for the default stream. */
static bool must_wait_for(const stream_t *stream, const stream_t *other)
{
    if (other == stream || other->nonblocking || stream->nonblocking)
        return false;
    return (stream->is_default || other->is_default) && !timeline_idle(other->timeline);
}

static unsigned count_dependencies(const stream_t *stream)
{
    unsigned count = 0;

    if (stream->nonblocking)
        return 0;
    if (!stream->is_default)
        return must_wait_for(stream, stream->device->default_stream);
    for (stream_t *other = stream->device->streams; other; other = other->next)
        count += must_wait_for(stream, other);
    return count;
}

static bool add_dependencies(stream_t *stream, struct operation *operation,
                             const struct point *wait_for)
{
    bool waits = wait_for && !point_reached(wait_for);
    unsigned count = count_dependencies(stream) + waits;

    operation->points = NULL;
    operation->point_count = 0;
    if (count == 0)
        return true;
    operation->points = malloc(count * sizeof *operation->points);
    if (!operation->points)
        return false;
    if (waits)
        operation->points[operation->point_count++] =
            point_take(wait_for->timeline, wait_for->value);
    for (stream_t *other = stream->device->streams; other; other = other->next)
        if (must_wait_for(stream, other))
            operation->points[operation->point_count++] = point_last(other);
    return true;
}

static void wait_for_dependencies(struct operation *operation)
{
    for (unsigned i = 0; i < operation->point_count; i++)
        point_wait_locked(&operation->points[i]);
    free(operation->points);
    operation->points = NULL;
    operation->point_count = 0;
}

static void discard(struct operation *operation)
{
    for (unsigned i = 0; i < operation->point_count; i++)
        point_drop(&operation->points[i]);
    free(operation->points);
    operation->points = NULL;
    operation->point_count = 0;
}

/* ---- the worker ---- */

/* Runs the stream's next operation; schedule_lock is held on entry and on return. */
static void run_next(stream_t *stream)
{
    struct operation *operation = stream->first;
    struct timeline *timeline = stream->timeline;
    void (*destroy)(struct operation *) = operation->destroy;

    stream->first = operation->next;
    if (!stream->first)
        stream->last = NULL;
    wait_for_dependencies(operation);
    while (timeline->completed + 1 < operation->value) /* a copy of a calling thread is in flight */
        pthread_cond_wait(&timeline->progress, &schedule_lock);
    if (operation->engine)
        engine_acquire(operation->engine, stream->priority);
    pthread_mutex_unlock(&schedule_lock);

    operation->run(operation, (cudaError_t)atomic_load(&stream->device->sticky));

    struct engine *engine = operation->engine;
    uint64_t value = operation->value;
    destroy(operation); /* before completion: who waits for it then sees everything released */
    pthread_mutex_lock(&schedule_lock);
    if (engine)
        engine_release(engine);
    timeline_complete(timeline, value);
}

static void *worker_main(void *argument)
{
    stream_t *stream = argument;

    pthread_mutex_lock(&schedule_lock);
    for (;;) {
        while (!stream->first && stream->live)
            pthread_cond_wait(&stream->wake, &schedule_lock);
        if (!stream->first)
            break;
        run_next(stream);
    }
    stream->worker_finished = true;
    pthread_mutex_unlock(&schedule_lock);
    return NULL;
}

/* Workers take no signals meant for the program, only those of their own faults. */
static bool worker_start(stream_t *stream)
{
    sigset_t all, old;

    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGTRAP);
    sigdelset(&all, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    stream->worker_started = pthread_create(&stream->worker, NULL, worker_main, stream) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return stream->worker_started;
}

/* ---- submission ---- */

static cudaError_t submit_locked(stream_t *stream, struct operation *operation,
                                 const struct point *wait_for)
{
    if (!stream->live)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture)
        return capture_operation(stream, operation);
    if (!stream->worker_started && !worker_start(stream))
        return cudaErrorLaunchOutOfResources;
    if (!add_dependencies(stream, operation, wait_for))
        return cudaErrorMemoryAllocation;
    operation->value = ++stream->timeline->submitted;
    operation->next = NULL;
    if (stream->last)
        stream->last->next = operation;
    else
        stream->first = operation;
    stream->last = operation;
    pthread_cond_signal(&stream->wake);
    return cudaSuccess;
}

cudaError_t schedule_submit(stream_t *stream, struct operation *operation,
                            const struct point *wait_for)
{
    pthread_mutex_lock(&schedule_lock);
    cudaError_t error = submit_locked(stream, operation, wait_for);
    pthread_mutex_unlock(&schedule_lock);
    if (error != cudaSuccess)
        operation->destroy(operation);
    return error;
}

cudaError_t schedule_submit_point(stream_t *stream, struct operation *operation,
                                  struct point *point)
{
    pthread_mutex_lock(&schedule_lock);
    cudaError_t error = submit_locked(stream, operation, NULL);
    if (error == cudaSuccess)
        *point = point_last(stream);
    pthread_mutex_unlock(&schedule_lock);
    if (error != cudaSuccess)
        operation->destroy(operation);
    return error;
}

bool schedule_inline_begin(stream_t *stream, struct operation *operation)
{
    pthread_mutex_lock(&schedule_lock);
    bool free_to_run = stream->live && !stream->capture && timeline_idle(stream->timeline) &&
                       count_dependencies(stream) == 0;
    if (free_to_run) {
        operation->value = ++stream->timeline->submitted;
        stream->timeline->references++;
        if (operation->engine)
            engine_acquire(operation->engine, stream->priority);
    }
    pthread_mutex_unlock(&schedule_lock);
    return free_to_run;
}

void schedule_inline_end(stream_t *stream, struct operation *operation)
{
    pthread_mutex_lock(&schedule_lock);
    if (operation->engine)
        engine_release(operation->engine);
    timeline_complete(stream->timeline, operation->value);
    timeline_drop(stream->timeline);
    pthread_mutex_unlock(&schedule_lock);
}

/* ---- life of a stream ---- */

static void unlink_stream(stream_t *stream)
{
    stream_t **place = &stream->device->streams;

    while (*place != stream)
        place = &(*place)->next;
    *place = stream->next;
    timeline_drop(stream->timeline);
    pthread_cond_destroy(&stream->wake);
    stream->next = unused_streams;
    unused_streams = stream;
}

/* Joins the workers of destroyed streams that have nothing left to do. */
static void reap(struct device *device)
{
    for (stream_t *stream = device->streams, *next; stream; stream = next) {
        next = stream->next;
        if (stream->live || !timeline_idle(stream->timeline))
            continue;
        if (stream->worker_started) {
            if (!stream->worker_finished)
                continue;
            pthread_join(stream->worker, NULL); /* it has left the lock for good */
        }
        unlink_stream(stream);
    }
}

cudaError_t stream_make(struct device *device, unsigned flags, int priority, bool is_default,
                        stream_t **made)
{
    struct timeline *timeline = timeline_make();

    pthread_mutex_lock(&schedule_lock);
    reap(device);
    stream_t *stream = unused_streams;
    if (stream)
        unused_streams = stream->next;
    else
        stream = malloc(sizeof *stream);
    if (!stream || !timeline) {
        pthread_mutex_unlock(&schedule_lock);
        free(stream);
        free(timeline);
        return cudaErrorMemoryAllocation;
    }
    *stream = (stream_t){.device = device,
                         .owner = soft_owner,
                         .live = true,
                         .is_default = is_default,
                         .nonblocking = (flags & cudaStreamNonBlocking) != 0,
                         .flags = flags,
                         .priority = priority,
                         .timeline = timeline,
                         .next = device->streams};
    pthread_cond_init(&stream->wake, NULL);
    device->streams = stream;
    pthread_mutex_unlock(&schedule_lock);
    *made = stream;
    return cudaSuccess;
}

void stream_retire(stream_t *stream)
{
    pthread_mutex_lock(&schedule_lock);
    stream->live = false;
    pthread_cond_signal(&stream->wake);
    reap(stream->device);
    pthread_mutex_unlock(&schedule_lock);
}

void stream_wait(stream_t *stream)
{
    pthread_mutex_lock(&schedule_lock);
    struct point last = point_last(stream);
    point_wait_locked(&last);
    pthread_mutex_unlock(&schedule_lock);
}

void device_wait(struct device *device)
{
    unsigned count = 0;

    pthread_mutex_lock(&schedule_lock);
    for (stream_t *stream = device->streams; stream; stream = stream->next)
        count += !timeline_idle(stream->timeline);
    if (count > 0) {
        struct point last[count]; /* what is submitted from now on is not waited for */
        count = 0;
        for (stream_t *stream = device->streams; stream; stream = stream->next)
            if (!timeline_idle(stream->timeline))
                last[count++] = point_last(stream);
        while (count > 0)
            point_wait_locked(&last[--count]);
    }
    pthread_mutex_unlock(&schedule_lock);
}

/* After device_wait: the streams, but not the default one, cease to exist. */
void streams_discard(struct device *device, const void *owner)
{
    pthread_mutex_lock(&schedule_lock);
    for (stream_t *stream = device->streams; stream; stream = stream->next)
        if (!stream->is_default && (!owner || stream->owner == owner)) {
            stream->live = false;
            pthread_cond_signal(&stream->wake);
        }
    reap(device);
    pthread_mutex_unlock(&schedule_lock);
}

/* ---- the end of the process ---- */

static void drop_queue(stream_t *stream)
{
    struct operation *operation = stream->first;

    stream->first = stream->last = NULL;
    stream->live = false;
    pthread_cond_signal(&stream->wake);
    while (operation) {
        struct operation *next = operation->next;
        discard(operation);
        pthread_mutex_unlock(&schedule_lock);
        operation->destroy(operation);
        pthread_mutex_lock(&schedule_lock);
        operation = next;
    }
    timeline_complete(stream->timeline, stream->timeline->submitted);
}

/* Discards what has not begun and waits for the workers; one that is stuck in a kernel that never
 * ends is left behind after two seconds, for exit() to end. */
void schedule_shut_down(void)
{
    struct timespec limit;

    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    for (int i = 0; i < soft_settings.devices; i++) {
        device_break(&soft_devices[i], cudaErrorCudartUnloading);
        pthread_mutex_lock(&schedule_lock);
        for (stream_t *stream = soft_devices[i].streams; stream; stream = stream->next)
            drop_queue(stream);
        pthread_mutex_unlock(&schedule_lock);
    }
    for (int i = 0; i < soft_settings.devices; i++) {
        for (stream_t *stream = soft_devices[i].streams; stream; stream = stream->next)
            if (stream->worker_started && !pthread_equal(stream->worker, pthread_self()))
                pthread_timedjoin_np(stream->worker, NULL, &limit);
    }
}
