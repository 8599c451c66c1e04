/* cu_peers.c: interposed copies between contexts. A program with one GPU has little use for them:
 * buffers are brought up to date on device 0, which makes the call as it is. */
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/launch/run_launch.h"

struct peer_copy {
    CUdeviceptr to, from;
    CUcontext to_context, from_context;
    size_t bytes;
};

static CUresult copy_peer(CUstream stream, void *task)
{
    const struct peer_copy *copy = task;
    return real.cuMemcpyPeerAsync(copy->to, copy->to_context, copy->from, copy->from_context,
                                  copy->bytes, stream);
}

static CUresult run(struct virtual_gpu *gpu, CUresult (*run)(CUstream, void *), const void *task)
{
    return run_on_first_device(gpu, &(struct first_device_task){.run = run, .task = (void *)task});
}

CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                   CUcontext from_context, size_t bytes, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, stream);
    struct peer_copy copy = {to, from, to_context, from_context, bytes};
    return virtual_gpu_leave(gpu, run(gpu, copy_peer, &copy));
}

CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                              CUcontext from_context, size_t bytes)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemcpyPeer(to, to_context, from, from_context, bytes);
    struct peer_copy copy = {to, from, to_context, from_context, bytes};
    return virtual_gpu_leave(gpu, run(gpu, copy_peer, &copy));
}

static CUresult copy_box(CUstream stream, void *task)
{
    return real.cuMemcpy3DPeerAsync(task, stream);
}

CUresult CUDAAPI cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_stream(stream);
    if (!gpu)
        return real.cuMemcpy3DPeerAsync(copy, stream);
    return virtual_gpu_leave(gpu, run(gpu, copy_box, copy));
}

CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuMemcpy3DPeer(copy);
    return virtual_gpu_leave(gpu, run(gpu, copy_box, copy));
}
