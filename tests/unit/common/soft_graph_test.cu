/* Graphs of the software GPU: captured copies, kernels and events, launched again and again. */
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>
#include <datamotion/launch.h>

#include "tests/unit/test.h"

enum { COUNT = 4096, CHUNKS = 4, CHUNK = COUNT / CHUNKS };

static __global__ void add(int *values, int amount)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] += amount;
}

/* A pipeline: copies in on one stream, kernels on another, copies out on a third. */
struct pipeline {
    cudaStream_t in, work, out;
    cudaEvent_t begun, arrived[CHUNKS], computed[CHUNKS], ended;
    int *host, *device;
};

static struct pipeline make(void)
{
    struct pipeline p;
    expect(cudaStreamCreateWithFlags(&p.in, cudaStreamNonBlocking) == cudaSuccess);
    expect(cudaStreamCreateWithFlags(&p.work, cudaStreamNonBlocking) == cudaSuccess);
    expect(cudaStreamCreate(&p.out) == cudaSuccess);
    for (int c = 0; c < CHUNKS; c++) {
        expect(cudaEventCreateWithFlags(&p.arrived[c], cudaEventDisableTiming) == cudaSuccess);
        expect(cudaEventCreateWithFlags(&p.computed[c], cudaEventDisableTiming) == cudaSuccess);
    }
    expect(cudaEventCreate(&p.begun) == cudaSuccess && cudaEventCreate(&p.ended) == cudaSuccess);
    expect(cudaMallocHost((void **)&p.host, COUNT * sizeof(int)) == cudaSuccess);
    expect(cudaMalloc((void **)&p.device, COUNT * sizeof(int)) == cudaSuccess);
    return p;
}

static void release(struct pipeline p)
{
    for (int c = 0; c < CHUNKS; c++) {
        expect(cudaEventDestroy(p.arrived[c]) == cudaSuccess);
        expect(cudaEventDestroy(p.computed[c]) == cudaSuccess);
    }
    expect(cudaEventDestroy(p.begun) == cudaSuccess && cudaEventDestroy(p.ended) == cudaSuccess);
    expect(cudaStreamDestroy(p.in) == cudaSuccess && cudaStreamDestroy(p.work) == cudaSuccess);
    expect(cudaStreamDestroy(p.out) == cudaSuccess);
    expect(cudaFreeHost(p.host) == cudaSuccess && cudaFree(p.device) == cudaSuccess);
}

/* The host's chunk numbers are added to its values. */
static void enqueue(struct pipeline p)
{
    const size_t bytes = CHUNK * sizeof(int);
    for (int c = 0; c < CHUNKS; c++) {
        int *host = p.host + c * CHUNK, *device = p.device + c * CHUNK;
        expect(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, p.in) == cudaSuccess);
        expect(cudaEventRecord(p.arrived[c], p.in) == cudaSuccess);
        expect(cudaStreamWaitEvent(p.work, p.arrived[c], 0) == cudaSuccess);
        dm_launch(add, CHUNK / 64, 64, 0, p.work, device, c + 1);
        expect(cudaGetLastError() == cudaSuccess);
        expect(cudaEventRecord(p.computed[c], p.work) == cudaSuccess);
        expect(cudaStreamWaitEvent(p.out, p.computed[c], 0) == cudaSuccess);
        expect(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, p.out) == cudaSuccess);
    }
    expect(cudaEventRecord(p.ended, p.out) == cudaSuccess);
    expect(cudaStreamWaitEvent(p.in, p.ended, 0) == cudaSuccess);
}

static void fill(struct pipeline p)
{
    for (int i = 0; i < COUNT; i++)
        p.host[i] = i;
}

static bool holds(struct pipeline p, int times)
{
    bool good = true;
    for (int i = 0; i < COUNT; i++)
        good &= p.host[i] == i + times * (i / CHUNK + 1);
    return good;
}

static cudaGraph_t capture(struct pipeline p)
{
    cudaGraph_t graph = NULL;
    expect(cudaStreamBeginCapture(p.in, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    enqueue(p);
    expect(cudaStreamEndCapture(p.in, &graph) == cudaSuccess);
    return graph;
}

static void a_pipeline_is_launched_again_and_again(void)
{
    struct pipeline p = make();
    cudaGraphExec_t executable = NULL;
    fill(p);
    cudaGraph_t graph = capture(p);
    expect(cudaDeviceSynchronize() == cudaSuccess);
    expect(holds(p, 0)); /* captured, not executed */
    expect(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    expect(cudaGraphDestroy(graph) == cudaSuccess); /* the executable one goes on */
    for (int launch = 1; launch <= 5; launch++) {
        expect(cudaGraphLaunch(executable, p.work) == cudaSuccess);
        if (launch % 2)
            expect(cudaStreamSynchronize(p.work) == cudaSuccess && holds(p, launch));
    }
    expect(cudaGraphLaunch(executable, p.out) == cudaSuccess);
    expect(cudaGraphExecDestroy(executable) == cudaSuccess); /* waits */
    expect(holds(p, 6));
    enqueue(p); /* streams and events are as before */
    expect(cudaStreamSynchronize(p.in) == cudaSuccess && holds(p, 7));
    release(p);
}

/* What the launch's stream was given before is over, and what comes after waits. */
static void launches_are_in_stream_order(void)
{
    struct pipeline p = make();
    cudaGraphExec_t executable;
    cudaGraph_t graph = capture(p);
    int *first;
    expect(cudaMallocHost((void **)&first, COUNT * sizeof(int)) == cudaSuccess);
    expect(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    for (int i = 0; i < COUNT; i++)
        first[i] = i;
    memset(p.host, 0, COUNT * sizeof(int));
    const size_t bytes = COUNT * sizeof(int);
    int *between;
    expect(cudaMalloc((void **)&between, bytes) == cudaSuccess);
    for (int round = 0; round < 20; round++) {
        expect(cudaMemcpyAsync(between, first, bytes, cudaMemcpyHostToDevice, p.work) ==
               cudaSuccess);
        expect(cudaMemcpyAsync(p.host, between, bytes, cudaMemcpyDeviceToHost, p.work) ==
               cudaSuccess);
        expect(cudaGraphLaunch(executable, p.work) == cudaSuccess);
        expect(cudaGraphLaunch(executable, p.work) == cudaSuccess);
        expect(cudaMemcpyAsync(between, p.host, bytes, cudaMemcpyHostToDevice, p.work) ==
               cudaSuccess);
        expect(cudaMemcpyAsync(first, between, bytes, cudaMemcpyDeviceToHost, p.work) ==
               cudaSuccess);
    }
    expect(cudaStreamSynchronize(p.work) == cudaSuccess && holds(p, 40));
    expect(cudaGraphExecDestroy(executable) == cudaSuccess);
    expect(cudaGraphDestroy(graph) == cudaSuccess);
    expect(cudaFree(between) == cudaSuccess && cudaFreeHost(first) == cudaSuccess);
    release(p);
}

static void what_cannot_be_captured(void)
{
    struct pipeline p = make();
    cudaGraph_t graph = (cudaGraph_t)&p;
    enum cudaStreamCaptureStatus status;
    char pageable[64];
    expect(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeRelaxed) ==
           cudaErrorStreamCaptureUnsupported);
    expect(cudaStreamEndCapture(p.in, &graph) == cudaErrorIllegalState && graph == NULL);
    expect(cudaStreamIsCapturing(p.in, &status) == cudaSuccess);
    expect(status == cudaStreamCaptureStatusNone);
    expect(cudaEventRecord(p.begun, p.work) == cudaSuccess);

    expect(cudaStreamBeginCapture(p.in, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    expect(cudaStreamBeginCapture(p.in, cudaStreamCaptureModeRelaxed) == cudaErrorIllegalState);
    expect(cudaStreamIsCapturing(p.in, &status) == cudaSuccess);
    expect(status == cudaStreamCaptureStatusActive);
    expect(cudaStreamSynchronize(p.in) == cudaErrorStreamCaptureUnsupported);
    expect(cudaStreamQuery(p.in) == cudaErrorStreamCaptureUnsupported);
    expect(cudaStreamDestroy(p.in) == cudaErrorStreamCaptureUnsupported);
    expect(cudaMemcpyAsync(p.device, pageable, 64, cudaMemcpyHostToDevice, p.in) ==
           cudaErrorStreamCaptureUnsupported);
    expect(cudaFreeAsync(p.device, p.in) == cudaErrorStreamCaptureUnsupported);
    expect(cudaStreamWaitEvent(p.in, p.begun, 0) == cudaErrorStreamCaptureIsolation);
    expect(cudaEventRecord(p.arrived[0], p.in) == cudaSuccess);
    expect(cudaEventSynchronize(p.arrived[0]) == cudaErrorCapturedEvent);
    expect(cudaStreamWaitEvent(p.work, p.arrived[0], 0) == cudaSuccess);
    expect(cudaStreamBeginCapture(p.out, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    expect(cudaStreamWaitEvent(p.out, p.arrived[0], 0) == cudaErrorStreamCaptureMerge);
    expect(cudaStreamEndCapture(p.work, &graph) == cudaErrorStreamCaptureUnmatched);
    expect(cudaStreamEndCapture(p.in, &graph) == cudaErrorStreamCaptureUnjoined && graph == NULL);
    expect(cudaStreamEndCapture(p.out, &graph) == cudaSuccess && graph != NULL);
    expect(cudaGraphDestroy(graph) == cudaSuccess); /* of nothing */
    expect(cudaStreamWaitEvent(p.work, p.arrived[0], 0) == cudaErrorCapturedEvent);
    expect(cudaEventRecord(p.arrived[0], p.in) == cudaSuccess);
    expect(cudaStreamWaitEvent(p.work, p.arrived[0], 0) == cudaSuccess);
    cudaGetLastError();
    release(p);
}

static void wrong_arguments(void)
{
    cudaGraphExec_t executable;
    expect(cudaGraphInstantiate(&executable, NULL, 0) == cudaErrorInvalidValue);
    expect(cudaGraphLaunch(NULL, NULL) == cudaErrorInvalidValue);
    expect(cudaGraphExecDestroy(NULL) == cudaErrorInvalidValue);
    expect(cudaGraphDestroy(NULL) == cudaErrorInvalidValue);
    cudaGetLastError();
}

int main(void)
{
    setenv("SOFTGPU_MEMORY", "64M", 1);
    run_test(a_pipeline_is_launched_again_and_again);
    run_test(launches_are_in_stream_order);
    run_test(what_cannot_be_captured);
    run_test(wrong_arguments);
    return end_tests();
}
