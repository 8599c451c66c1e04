/* cu_rare.c: interposed calls that only CUDA's own driver has. Those on memory are rare: all
 * buffers are brought up to date on device 0, which makes the call as it is. */
#ifndef SOFTGPU

#include "partition/interpose/gpu/host_order.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/launch/run_launch.h"

CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_primary();
    if (!gpu)
        return real.cuDevicePrimaryCtxReset_v2(device);
    if (device != gpu->device[0].device)
        return virtual_gpu_leave(gpu, real.cuDevicePrimaryCtxReset_v2(device));
    CUresult result = virtual_gpu_destroy(gpu);
    CUresult reset = real.cuDevicePrimaryCtxReset_v2(device);
    return virtual_gpu_leave(NULL, result == CUDA_SUCCESS ? reset : result);
}

CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuCtxSetLimit(limit, value);
    CUresult result = CUDA_SUCCESS;
    for (int d = 0; d < gpu->devices && result == CUDA_SUCCESS; d++) {
        result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuCtxSetLimit(limit, value);
    }
    return virtual_gpu_leave(gpu, result);
}

CUresult CUDAAPI cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuEventRecordWithFlags(event, stream, flags);
    if (!virtual_gpu_is_captured(gpu, stream))
        return virtual_gpu_leave(gpu, order_record(gpu, event));
    order_forget(gpu, event);
    return virtual_gpu_leave(gpu, real.cuEventRecordWithFlags(event, stream, flags));
}

struct callback {
    CUstreamCallback function;
    void *user_data;
    unsigned flags;
};

static CUresult add_callback(CUstream stream, void *task)
{
    const struct callback *callback = task;
    return real.cuStreamAddCallback(stream, callback->function, callback->user_data,
                                    callback->flags);
}

/* As for cuLaunchHostFunc. */
CUresult CUDAAPI cuStreamAddCallback(CUstream stream, CUstreamCallback function, void *user_data,
                                     unsigned flags)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuStreamAddCallback(stream, function, user_data, flags);
    struct callback callback = {function, user_data, flags};
    CUresult result = order_join(gpu);
    if (result == CUDA_SUCCESS)
        result = host_order_use_any(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = order_use(gpu, 0);
    if (result == CUDA_SUCCESS)
        result = add_callback(gpu->device[0].stream, &callback);
    gpu->device[0].worked = true;
    return virtual_gpu_leave(gpu, result == CUDA_SUCCESS ? order_fork(gpu) : result);
}

static CUresult run_rare(struct virtual_gpu *gpu, CUresult (*run)(CUstream, void *), void *task)
{
    return virtual_gpu_leave(
        gpu, run_on_first_device(gpu, &(struct first_device_task){.run = run, .task = task}));
}

static CUresult launch_graph(CUstream stream, void *graph)
{
    return real.cuGraphLaunch(graph, stream);
}

CUresult CUDAAPI cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    return gpu ? run_rare(gpu, launch_graph, graph) : real.cuGraphLaunch(graph, stream);
}

static CUresult copy_box(CUstream stream, void *copy)
{
    return real.cuMemcpy3DAsync_v2(copy, stream);
}

CUresult CUDAAPI cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    return gpu ? run_rare(gpu, copy_box, (void *)copy) : real.cuMemcpy3DAsync_v2(copy, stream);
}

CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemcpy3D_v2(copy);
    CUresult result = run_rare(gpu, copy_box, (void *)copy);
    return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

struct array_copy {
    CUarray array;
    size_t offset;
    CUdeviceptr memory;
    size_t bytes;
};

/* These have no stream of their own: the default stream is behind those of the run time. */
static CUresult copy_to_array(CUstream unused, void *task)
{
    const struct array_copy *copy = task;
    (void)unused;
    return real.cuMemcpyDtoA_v2(copy->array, copy->offset, copy->memory, copy->bytes);
}

static CUresult copy_from_array(CUstream unused, void *task)
{
    const struct array_copy *copy = task;
    (void)unused;
    return real.cuMemcpyAtoD_v2(copy->memory, copy->array, copy->offset, copy->bytes);
}

CUresult CUDAAPI cuMemcpyDtoA_v2(CUarray to, size_t to_offset, CUdeviceptr from, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    struct array_copy copy = {to, to_offset, from, bytes};
    return gpu ? run_rare(gpu, copy_to_array, &copy)
               : real.cuMemcpyDtoA_v2(to, to_offset, from, bytes);
}

CUresult CUDAAPI cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t from_offset, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    struct array_copy copy = {from, from_offset, to, bytes};
    return gpu ? run_rare(gpu, copy_from_array, &copy)
               : real.cuMemcpyAtoD_v2(to, from, from_offset, bytes);
}

#endif
