/* order.c: which device is current, and what waits for what. */
#include "order.h"

#include <stdlib.h>

CUresult order_use(struct virtual_gpu *gpu, int device)
{
    if (gpu->current == device)
        return CUDA_SUCCESS;
    CUresult result = real.cuCtxSetCurrent(gpu->device[device].context);
    if (result == CUDA_SUCCESS)
        gpu->current = device;
    return result;
}

/* An event that was recorded before still holds if the stream got nothing
 * since. */
CUresult order_ready(struct virtual_gpu *gpu, int device)
{
    struct virtual_device *one = &gpu->device[device];
    if (!one->worked)
        return CUDA_SUCCESS;
    CUresult result = order_use(gpu, device);
    if (result == CUDA_SUCCESS)
        result = real.cuEventRecord(one->ready, one->stream);
    one->worked = result != CUDA_SUCCESS;
    one->ready_batches = one->batches;
    return result;
}

CUresult order_after_ready(struct virtual_gpu *gpu, int device, int source)
{
    CUresult result = order_use(gpu, device);
    if (result == CUDA_SUCCESS)
        result = real.cuStreamWaitEvent(gpu->device[device].stream, gpu->device[source].ready, 0);
    gpu->device[device].worked = true;
    gpu->device[device].waited[source] = gpu->device[source].ready_batches;
    return result;
}

static CUresult wait_for(struct virtual_gpu *gpu, int device, int source)
{
    CUresult result = order_ready(gpu, source);
    return result == CUDA_SUCCESS ? order_after_ready(gpu, device, source) : result;
}

CUresult order_join(struct virtual_gpu *gpu)
{
    CUresult result = CUDA_SUCCESS;
    for (int d = 1; d < gpu->devices && result == CUDA_SUCCESS; d++)
        result = wait_for(gpu, 0, d);
    return result;
}

CUresult order_fork(struct virtual_gpu *gpu)
{
    CUresult result = CUDA_SUCCESS;
    for (int d = 1; d < gpu->devices && result == CUDA_SUCCESS; d++)
        result = wait_for(gpu, d, 0);
    return result;
}

CUresult order_synchronise(struct virtual_gpu *gpu)
{
    CUresult first = CUDA_SUCCESS;
    for (int d = 0; d < gpu->devices; d++) {
        CUresult result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuStreamSynchronize(gpu->device[d].stream);
        if (first == CUDA_SUCCESS)
            first = result;
    }
    if (first == CUDA_SUCCESS)
        gpu->host_use = (struct host_use){0};
    return first;
}

CUresult order_query(struct virtual_gpu *gpu)
{
    CUresult answer = CUDA_SUCCESS;
    for (int d = 0; d < gpu->devices; d++) {
        CUresult result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuStreamQuery(gpu->device[d].stream);
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
            return result;
        if (result == CUDA_ERROR_NOT_READY)
            answer = result;
    }
    return answer;
}

bool order_knows(const struct virtual_gpu *gpu, CUevent event)
{
    for (size_t i = 0; i < gpu->event_count; i++)
        if (gpu->events[i] == event)
            return true;
    return false;
}

static bool remember(struct virtual_gpu *gpu, CUevent event)
{
    if (order_knows(gpu, event))
        return true;
    if (gpu->event_count == gpu->event_capacity) {
        size_t capacity = gpu->event_capacity ? 2 * gpu->event_capacity : 16;
        CUevent *events = realloc(gpu->events, capacity * sizeof *events);
        if (!events)
            return false;
        gpu->events = events;
        gpu->event_capacity = capacity;
    }
    gpu->events[gpu->event_count++] = event;
    return true;
}

void order_forget(struct virtual_gpu *gpu, CUevent event)
{
    for (size_t i = 0; i < gpu->event_count; i++)
        if (gpu->events[i] == event)
            gpu->events[i--] = gpu->events[--gpu->event_count];
}

CUresult order_record(struct virtual_gpu *gpu, CUevent event)
{
    if (!remember(gpu, event))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = order_join(gpu);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    return result == CUDA_SUCCESS ? real.cuEventRecord(event, gpu->device[0].stream) : result;
}
