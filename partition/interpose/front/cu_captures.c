/* cu_captures.c: streams that the program captures into graphs. What it puts into such a stream
 * goes to the driver with device 0's addresses, and the graph runs there (cuGraphLaunch). */
#ifndef SOFTGPU

#include "partition/interpose/gpu/order.h"

static CUresult begun(struct virtual_gpu *gpu, CUresult result)
{
    gpu->captures += result == CUDA_SUCCESS;
    return virtual_gpu_leave(gpu, result);
}

CUresult CUDAAPI cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    CUresult result = real.cuStreamBeginCapture_v2(stream, mode);
    return gpu ? begun(gpu, result) : result;
}

CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                             const CUgraphNode *dependencies,
                                             const CUgraphEdgeData *data, size_t count,
                                             CUstreamCaptureMode mode)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    CUresult result =
        real.cuStreamBeginCaptureToGraph(stream, graph, dependencies, data, count, mode);
    return gpu ? begun(gpu, result) : result;
}

CUresult CUDAAPI cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    CUresult result = real.cuStreamEndCapture(stream, graph);
    if (!gpu)
        return result;
    /* A capture that something made invalid ends, too. */
    gpu->captures -= gpu->captures > 0;
    return virtual_gpu_leave(gpu, result);
}

#endif
