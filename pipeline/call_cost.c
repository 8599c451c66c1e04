#include "call_cost.h"

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/workloads/overhead.h"

enum { CALLS = 64, ELEMENTS = 32 };

const char *const calls_names[CALL_KINDS] = {
    [CALL_COPY] = "copy",
    [CALL_KERNEL] = "kernel",
    [CALL_RECORD] = "event-record",
    [CALL_WAIT] = "stream-wait",
};

void calls_open(struct calls *calls)
{
    calls->host = memory_allocate(MEMORY_PINNED, ELEMENTS * sizeof(unsigned));
    calls->device = memory_allocate(MEMORY_DEVICE, ELEMENTS * sizeof(unsigned));
    for (unsigned i = 0; i < ELEMENTS; i++)
        calls->host[i] = i;
    check_cuda(cudaStreamCreateWithFlags(&calls->stream, cudaStreamNonBlocking));
    check_cuda(cudaEventCreateWithFlags(&calls->event, cudaEventDisableTiming));
}

void calls_close(struct calls *calls)
{
    check_cuda(cudaEventDestroy(calls->event));
    check_cuda(cudaStreamDestroy(calls->stream));
    memory_release(MEMORY_PINNED, calls->host);
    memory_release(MEMORY_DEVICE, calls->device);
}

static cudaError_t enqueue_call(const struct calls *calls, enum call_kind kind)
{
    switch (kind) {
    case CALL_COPY:
        return cudaMemcpyAsync(calls->device, calls->host, ELEMENTS * sizeof(unsigned),
                               cudaMemcpyHostToDevice, calls->stream);
    case CALL_KERNEL:
        return overhead_count_threads(calls->device, 1, ELEMENTS, calls->stream);
    case CALL_RECORD:
        return cudaEventRecord(calls->event, calls->stream);
    default:
        return cudaStreamWaitEvent(calls->stream, calls->event, 0);
    }
}

double calls_sample(void *context)
{
    const struct call *call = context;
    double start_s = clock_now_s();
    for (int i = 0; i < CALLS; i++)
        check_cuda(enqueue_call(call->calls, call->kind));
    double time_s = clock_now_s() - start_s;
    check_cuda(cudaStreamSynchronize(call->calls->stream));
    return time_s / CALLS;
}

/* After a copy and CALLS kernels each element has grown by CALLS. */
long calls_verify(struct run *run, void *call)
{
    (void)run;
    const struct calls *calls = ((const struct call *)call)->calls;
    unsigned back[ELEMENTS];
    long wrong = 0;
    check_cuda(enqueue_call(calls, CALL_COPY));
    for (int i = 0; i < CALLS; i++)
        check_cuda(enqueue_call(calls, CALL_KERNEL));
    check_cuda(cudaStreamSynchronize(calls->stream));
    check_cuda(cudaMemcpy(back, calls->device, sizeof back, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < ELEMENTS; i++)
        wrong += back[i] != i + CALLS;
    return wrong;
}
