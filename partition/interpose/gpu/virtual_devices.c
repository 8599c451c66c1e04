/* virtual_devices.c: contexts, streams and peers of the devices behind the virtual GPU. */
#include "partition/interpose/copies/pull.h"

#include "virtual_devices.h"
#include "order.h"

/* Whether a device before it is the same GPU: then their context is one. */
static bool share(struct virtual_gpu *gpu, int d)
{
    struct virtual_device *one = &gpu->device[d];
    for (int e = 0; e < d; e++)
        if (gpu->device[e].device == one->device) {
            one->context = gpu->device[e].context;
            one->shared = true;
        }
    return one->shared;
}

CUresult virtual_device_open(struct virtual_gpu *gpu, const struct context_request *request, int d)
{
    struct virtual_device *one = &gpu->device[d];
    const struct partition_settings *settings = &gpu->settings;
    CUresult result = real.cuDeviceGet(&one->device, settings->listed ? settings->device[d] : d);
    if (result != CUDA_SUCCESS || share(gpu, d))
        return result;
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
