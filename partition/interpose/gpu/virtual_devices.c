/* virtual_devices.c: contexts, streams and peers of the devices behind the virtual GPU. */
#include "virtual_devices.h"

#include <pthread.h>

#include "order.h"
#include "partition/interpose/copies/pull.h"

/* The first device that is the same GPU: their context is one. */
static int twin(const struct virtual_gpu *gpu, int d)
{
    int e = 0;
    while (gpu->device[e].device != gpu->device[d].device)
        e++;
    return e;
}

/* Makes the context of a device, which is not current afterwards. */
static CUresult make_context(struct virtual_device *one, const struct context_request *request)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    switch (request->kind) {
    case CONTEXT_PRIMARY:
        return real.cuDevicePrimaryCtxRetain(&one->context, one->device);
    case CONTEXT_V2:
        result = real.cuCtxCreate_v2(&one->context, request->flags, one->device);
        break;
    case CONTEXT_V4:
        result =
            real.cuCtxCreate_v4(&one->context, request->parameters, request->flags, one->device);
    }
    /* It was made current: the caller decides that. */
    CUcontext popped;
    return result == CUDA_SUCCESS ? real.cuCtxPopCurrent_v2(&popped) : result;
}

/* A context of one device, made by a thread of its own. */
struct making {
    struct virtual_device *device;
    const struct context_request *request;
    pthread_t thread;
    bool has_thread;
    CUresult result;
};

static void *make(void *argument)
{
    struct making *making = argument;
    making->result =
        making->device->shared ? CUDA_SUCCESS : make_context(making->device, making->request);
    return NULL;
}

/* A context takes a tenth of a second and more, and most of that is not the host's: side by side.
 * Without threads, one after the other. */
static CUresult make_contexts(struct virtual_gpu *gpu, const struct context_request *request)
{
    struct making makings[PARTITION_MAX_DEVICES];
    CUresult result = CUDA_SUCCESS;
    for (int d = 0; d < gpu->devices; d++) {
        makings[d] = (struct making){.device = &gpu->device[d], .request = request};
        makings[d].has_thread =
            d > 0 && pthread_create(&makings[d].thread, NULL, make, &makings[d]) == 0;
    }
    for (int d = 0; d < gpu->devices; d++)
        if (!makings[d].has_thread)
            make(&makings[d]);
    for (int d = 0; d < gpu->devices; d++) {
        if (makings[d].has_thread)
            pthread_join(makings[d].thread, NULL);
        if (makings[d].result != CUDA_SUCCESS)
            result = makings[d].result;
    }
    for (int d = 0; d < gpu->devices && result != CUDA_SUCCESS; d++)
        if (makings[d].result == CUDA_SUCCESS)
            virtual_device_close(gpu, d);
    return result;
}

CUresult virtual_devices_open(struct virtual_gpu *gpu, const struct context_request *request)
{
    const struct partition_settings *settings = &gpu->settings;
    for (int d = 0; d < gpu->devices; d++) {
        CUresult result =
            real.cuDeviceGet(&gpu->device[d].device, settings->listed ? settings->device[d] : d);
        if (result != CUDA_SUCCESS)
            return result;
        gpu->device[d].shared = twin(gpu, d) < d;
    }
    CUresult result = make_contexts(gpu, request);
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++)
        if (gpu->device[d].shared)
            gpu->device[d].context = gpu->device[twin(gpu, d)].context;
    return result;
}

void virtual_device_close(struct virtual_gpu *gpu, int d)
{
    struct virtual_device *one = &gpu->device[d];
    if (one->shared)
        return;
    if (gpu->primary)
        real.cuDevicePrimaryCtxRelease_v2(one->device);
    else
        real.cuCtxDestroy_v2(one->context);
}

CUresult virtual_device_make_stream(struct virtual_gpu *gpu, int d)
{
    struct virtual_device *one = &gpu->device[d];
    CUresult result = order_use(gpu, d);
    if (result == CUDA_SUCCESS)
        result = real.cuStreamCreate(&one->stream, CU_STREAM_DEFAULT);
    if (result == CUDA_SUCCESS)
        result = real.cuEventCreate(&one->ready, CU_EVENT_DISABLE_TIMING);
    one->worked = true;
    if (result == CUDA_SUCCESS)
        pull_create(gpu, d);
    return result;
}

void virtual_device_free_stream(struct virtual_gpu *gpu, int d)
{
    struct virtual_device *one = &gpu->device[d];
    if (order_use(gpu, d) != CUDA_SUCCESS)
        return;
    pull_free(gpu, d);
    if (one->ready)
        real.cuEventDestroy_v2(one->ready);
    if (one->stream)
        real.cuStreamDestroy_v2(one->stream);
}

static CUresult reach(struct virtual_gpu *gpu, int from, int to)
{
    const struct virtual_device *device = gpu->device;
    int reaches = 0;
    gpu->peer[from][to] = device[from].context == device[to].context;
    if (gpu->peer[from][to])
        return CUDA_SUCCESS;
    CUresult result = real.cuDeviceCanAccessPeer(&reaches, device[from].device, device[to].device);
    if (result == CUDA_SUCCESS && reaches)
        result = order_use(gpu, from);
    if (result == CUDA_SUCCESS && reaches) {
        CUresult enabled = real.cuCtxEnablePeerAccess(device[to].context, 0);
        gpu->peer[from][to] =
            enabled == CUDA_SUCCESS || enabled == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    }
    return result;
}

/* Devices that do not reach one another still copy, through the host. */
CUresult virtual_devices_reach(struct virtual_gpu *gpu)
{
    CUresult result = CUDA_SUCCESS;
    for (int d = 0; d < gpu->devices; d++)
        for (int e = 0; e < gpu->devices && result == CUDA_SUCCESS; e++)
            if (d != e)
                result = reach(gpu, d, e);
    return result;
}
