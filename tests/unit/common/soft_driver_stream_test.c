/* soft_driver_stream_test.c: streams and events, and a kernel that breaks its device. */
#include "soft_driver_test.h"

/* ---- streams and events ---- */

static void test_streams_and_events(void)
{
    CUstream here, there;
    CUevent start, end, elsewhere;
    CUcontext context = NULL;
    float milliseconds = -1;
    unsigned char byte = 0;
    CUdeviceptr source = allocate(1 << 20), target;

    good(cuStreamCreate(&here, CU_STREAM_NON_BLOCKING));
    good(cuEventCreate(&start, CU_EVENT_DEFAULT));
    good(cuEventCreate(&end, CU_EVENT_DEFAULT));
    good(cuCtxSetCurrent(second));
    target = allocate(1 << 20);
    good(cuStreamCreate(&there, CU_STREAM_NON_BLOCKING));
    good(cuEventCreate(&elsewhere, CU_EVENT_DISABLE_TIMING));
    good(cuCtxSetCurrent(first));

    good(cuEventRecord(start, here));
    good(cuMemsetD8Async(source, 42, 1 << 20, here));
    good(cuEventRecord(end, here));
    good(cuStreamWaitEvent(there, end, 0));
    good(cuMemcpyPeerAsync(target, second, source, first, 1 << 20, there));
    good(cuStreamSynchronize(there));
    good(cuMemcpyDtoH(&byte, target + (1 << 20) - 1, 1));
    expect(byte == 42);
    good(cuEventElapsedTime(&milliseconds, start, end));
    expect(milliseconds >= 0);
    good(cuStreamGetCtx(there, &context));
    expect(context == second);

    expect_result(cuEventRecord(elsewhere, here), CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuEventElapsedTime(&milliseconds, start, elsewhere), CUDA_ERROR_INVALID_HANDLE);
    good(cuEventDestroy(start));
    expect_result(cuEventRecord(start, here), CUDA_ERROR_INVALID_HANDLE);
    good(cuStreamDestroy(here));
    expect_result(cuStreamQuery(here), CUDA_ERROR_INVALID_HANDLE);
    good(cuEventDestroy(end));
    good(cuEventDestroy(elsewhere));
    good(cuStreamDestroy(there));
    good(cuMemFree(source));
    good(cuMemFree(target));
}

/* ---- a kernel that breaks its device ---- */

static void test_broken_device(void)
{
    CUcontext fresh;
    CUmodule module;
    CUdeviceptr nobody = 8, address = 0;
    void *parameters[] = {&nobody};

    good(cuCtxSetCurrent(second));
    module = load();
    good(cuLaunchKernel(function_of(module, "stray"), 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    expect_result(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    expect_result(cuMemAlloc(&address, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
    good(cuCtxDestroy(second));
    good(cuCtxCreate(&fresh, NULL, 0, 1)); /* works again */
    good(cuMemAlloc(&address, 16));
    good(cuMemsetD8(address, 1, 16));
    good(cuCtxDestroy(fresh));
    good(cuCtxDestroy(first));
}

int main(void)
{
    set_devices();
    run_test(open_contexts);
    run_test(test_streams_and_events);
    run_test(test_broken_device);
    return end_tests();
}
