/* stream.c: the API of streams and host functions. */
#include <stdlib.h>

#include "graph.h"

/* Turns a handle into a stream. With `current`, the stream must belong to that device. */
cudaError_t stream_check(cudaStream_t handle, struct device *current, stream_t **stream)
{
    bool good;

    if (handle == NULL || handle == cudaStreamLegacy) {
        *stream = device_current()->default_stream;
        return cudaSuccess;
    }
    if (handle == cudaStreamPerThread)
        return cudaErrorNotSupported;
    pthread_mutex_lock(&schedule_lock);
    good = handle->live && (!current || handle->device == current);
    pthread_mutex_unlock(&schedule_lock);
    *stream = handle;
    return good ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static int clamp_priority(int priority)
{
    if (priority > 0)
        return 0;
    return priority < PRIORITY_HIGHEST ? PRIORITY_HIGHEST : priority;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (!stream || (flags & ~(unsigned)cudaStreamNonBlocking)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = stream_make(device, flags, clamp_priority(priority), false, stream);
    return api_end(error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

/* Returns at once; work that is left is still done. */
cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && stream->is_default)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && stream_captured(stream))
        error = cudaErrorStreamCaptureUnsupported;
    if (error == cudaSuccess)
        stream_retire(stream);
    return api_end(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && stream_captured(stream))
        error = cudaErrorStreamCaptureUnsupported;
    if (error == cudaSuccess) {
        device = stream->device;
        stream_wait(stream);
        error = device_status(device);
    }
    return api_end(error);
}

cudaError_t cudaStreamQuery(cudaStream_t handle)
{
    struct device *device;
    stream_t *stream;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess)
        error = stream_check(handle, NULL, &stream);
    if (error == cudaSuccess && stream_captured(stream))
        error = cudaErrorStreamCaptureUnsupported;
    if (error == cudaSuccess) {
        device = stream->device;
        pthread_mutex_lock(&schedule_lock);
        bool idle = stream->timeline->completed == stream->timeline->submitted;
        pthread_mutex_unlock(&schedule_lock);
        error = idle ? device_status(device) : cudaErrorNotReady;
    }
    return api_end(error);
}

/* The start of a call that asks a stream something; `answer` is where the caller wants it. */
static cudaError_t begin_question(cudaStream_t handle, const void *answer, stream_t **stream)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !answer)
        error = cudaErrorInvalidValue;
    return error == cudaSuccess ? stream_check(handle, NULL, stream) : error;
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    stream_t *stream;
    cudaError_t error = begin_question(handle, flags, &stream);

    if (error == cudaSuccess)
        *flags = stream->flags;
    return api_end(error);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    stream_t *stream;
    cudaError_t error = begin_question(handle, priority, &stream);

    if (error == cudaSuccess)
        *priority = stream->priority;
    return api_end(error);
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *index)
{
    stream_t *stream;
    cudaError_t error = begin_question(handle, index, &stream);

    if (error == cudaSuccess)
        *index = stream->device->index;
    return api_end(error);
}

/* ---- host functions ---- */

struct host_operation {
    struct operation base;
    cudaStream_t handle;
    cudaHostFn_t function;         /* of cudaLaunchHostFunc, or */
    cudaStreamCallback_t callback; /* of cudaStreamAddCallback */
    void *user_data;
};

/* A host function is skipped after a device error, a callback is told of it. */
static void host_run(struct operation *operation, cudaError_t status)
{
    struct host_operation *self = (struct host_operation *)operation;

    managed_show_host();
    soft_in_host_function = true;
    if (self->callback)
        self->callback(self->handle, status, self->user_data);
    else if (status == cudaSuccess)
        self->function(self->user_data);
    soft_in_host_function = false;
}

static void host_destroy(struct operation *operation)
{
    free(operation);
}

static cudaError_t submit_host(cudaStream_t handle, cudaHostFn_t function,
                               cudaStreamCallback_t callback, void *user_data)
{
    stream_t *stream;
    cudaError_t error = stream_check(handle, NULL, &stream);

    if (error != cudaSuccess)
        return error;
    struct host_operation *operation = calloc(1, sizeof *operation);
    if (!operation)
        return cudaErrorMemoryAllocation;
    operation->base.run = host_run;
    operation->base.destroy = host_destroy;
    operation->handle = handle;
    operation->function = function;
    operation->callback = callback;
    operation->user_data = user_data;
    return schedule_submit(stream, &operation->base, NULL);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user_data)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && !function)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = submit_host(stream, function, NULL, user_data);
    return api_end(error);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *user_data, unsigned flags)
{
    struct device *device;
    cudaError_t error = api_begin(&device);

    if (error == cudaSuccess && (!callback || flags != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = submit_host(stream, NULL, callback, user_data);
    return api_end(error);
}
