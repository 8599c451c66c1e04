/* cu_streams.c: interposed calls on streams and events. The program's streams are device 0's, but
 * interposed calls put their work in the one stream of each device. */
#include "partition/interpose/gpu/host_order.h"
#include "partition/interpose/gpu/order.h"

CUresult CUDAAPI cuStreamSynchronize(CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuStreamSynchronize(stream);
    /* In that stream is what calls that are not interposed have put there. */
    return virtual_gpu_leave(gpu, virtual_gpu_wait(gpu, real.cuStreamSynchronize, stream));
}

CUresult CUDAAPI cuStreamQuery(CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuStreamQuery(stream);
    CUresult result = order_query(gpu);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    return virtual_gpu_leave(gpu, result == CUDA_SUCCESS ? real.cuStreamQuery(stream) : result);
}

/* Work that comes later is behind an event that was recorded here anyway. */
CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuStreamWaitEvent(stream, event, flags);
    /* An event of a captured stream takes this stream into the graph. */
    if (gpu->captures && !order_knows(gpu, event))
        return virtual_gpu_leave(gpu, real.cuStreamWaitEvent(stream, event, flags));
    CUresult result = CUDA_SUCCESS;
    int devices = order_knows(gpu, event) ? 0 : gpu->devices;
    for (int d = 0; d < devices && result == CUDA_SUCCESS; d++) {
        result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuStreamWaitEvent(gpu->device[d].stream, event, flags);
        gpu->device[d].worked = true;
    }
    return virtual_gpu_leave(gpu, result);
}

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuEventRecord(event, stream);
    if (!virtual_gpu_is_captured(gpu, stream))
        return virtual_gpu_leave(gpu, order_record(gpu, event));
    order_forget(gpu, event);
    return virtual_gpu_leave(gpu, real.cuEventRecord(event, stream));
}

CUresult CUDAAPI cuEventDestroy_v2(CUevent event)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuEventDestroy_v2(event);
    order_forget(gpu, event);
    return virtual_gpu_leave(gpu, real.cuEventDestroy_v2(event));
}

/* The host's function runs when all devices have come so far, and all wait for it. It may touch any
 * memory of the host, which copies that the host itself makes later have to know. */
CUresult CUDAAPI cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user_data)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuLaunchHostFunc(stream, function, user_data);
    CUresult result = order_join(gpu);
    if (result == CUDA_SUCCESS)
        result = host_order_use_any(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = real.cuLaunchHostFunc(gpu->device[0].stream, function, user_data);
    gpu->device[0].worked = true;
    return virtual_gpu_leave(gpu, result == CUDA_SUCCESS ? order_fork(gpu) : result);
}
