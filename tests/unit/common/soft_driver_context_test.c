/* soft_driver_context_test.c: the driver API's start, devices, errors and contexts. */
#include "soft_driver_test.h"

/* ---- start, devices, errors ---- */

static void test_before_init(void)
{
    int count;
    CUdeviceptr address;

    expect_result(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    expect_result(cuMemAlloc(&address, 16), CUDA_ERROR_NOT_INITIALIZED);
    expect_result(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    good(cuInit(0));
    expect_result(cuMemAlloc(&address, 16), CUDA_ERROR_INVALID_CONTEXT);
}

static void test_devices(void)
{
    int count = 0, value = 0;
    CUdevice device;
    size_t bytes = 0;
    char name[64];

    good(cuDeviceGetCount(&count));
    expect(count == 2);
    expect_result(cuDeviceGet(&device, 2), CUDA_ERROR_INVALID_DEVICE);
    expect_result(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
    good(cuDeviceGet(&device, 1));
    good(cuDeviceGetName(name, sizeof name, device));
    expect(strstr(name, "software"));
    good(cuDeviceTotalMem(&bytes, device));
    expect(bytes == (size_t)MEMORY_MIB << 20);
    good(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    expect(value == 32);
    expect_result(cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, device),
                  CUDA_ERROR_INVALID_VALUE);
    good(cuDeviceCanAccessPeer(&value, 0, 1));
    expect(value == 1);
    expect_result(cuDeviceCanAccessPeer(&value, 0, 7), CUDA_ERROR_INVALID_DEVICE);
}

static void test_error_names(void)
{
    const char *text = NULL;

    good(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
    expect(text && strcmp(text, "CUDA_ERROR_INVALID_CONTEXT") == 0);
    good(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    expect(text && strcmp(text, "out of memory") == 0);
    expect_result(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
    expect(!text);
}

static void test_addresses_of_functions(void)
{
    CUdriverProcAddressQueryResult status;
    CUresult (*get_count)(int *) = NULL;
    void *newest = NULL, *older = NULL;
    int count = 0;

    good(cuGetProcAddress("cuDeviceGetCount", (void **)&get_count, CUDA_VERSION, 0, &status));
    expect(status == CU_GET_PROC_ADDRESS_SUCCESS && get_count);
    good(get_count ? get_count(&count) : CUDA_ERROR_UNKNOWN);
    expect(count == 2);
    good(cuGetProcAddress("cuCtxCreate", &newest, 13000, 0, NULL));
    good(cuGetProcAddress("cuCtxCreate", &older, 12000, 0, NULL));
    expect(newest == (void *)(uintptr_t)cuCtxCreate && older && older != newest);
    good(cuGetProcAddress("cuNothing", &newest, 13000, 0, &status));
    expect(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && !newest);
    expect_result(cuGetProcAddress("malloc", &newest, 13000, 0, NULL), CUDA_ERROR_NOT_FOUND);
}

/* ---- contexts ---- */

static void test_context_stack(void)
{
    CUcontext current, popped, primary;
    CUdevice device = -1;

    good(cuCtxCreate(&first, NULL, 0, 0));
    good(cuCtxCreate(&second, NULL, 0, 1));
    good(cuCtxGetCurrent(&current));
    expect(current == second);
    good(cuCtxPopCurrent(&popped));
    expect(popped == second);
    good(cuCtxGetDevice(&device));
    expect(device == 0);
    good(cuCtxPushCurrent(second));
    good(cuCtxGetDevice(&device));
    expect(device == 1);
    good(cuCtxSetCurrent(first));
    good(cuDevicePrimaryCtxRetain(&primary, 1));
    good(cuCtxSetCurrent(primary));
    good(cuCtxGetDevice(&device));
    expect(device == 1);
    good(cuDevicePrimaryCtxRelease(1));
    expect_result(cuCtxGetDevice(&device), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    expect_result(cuDevicePrimaryCtxRelease(1), CUDA_ERROR_INVALID_CONTEXT);
    good(cuCtxSetCurrent(first));
}

static void test_bad_contexts(void)
{
    CUcontext context;
    int no_context;

    expect_result(cuCtxCreate(&context, NULL, 0, 9), CUDA_ERROR_INVALID_DEVICE);
    expect_result(cuCtxCreate(&context, NULL, 0x1000, 0), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuCtxSetCurrent((CUcontext)&no_context), CUDA_ERROR_INVALID_CONTEXT);
    expect_result(cuCtxPushCurrent(NULL), CUDA_ERROR_INVALID_CONTEXT);
    good(cuCtxCreate(&context, NULL, 0, 0));
    good(cuCtxDestroy(context));
    expect_result(cuCtxDestroy(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    expect_result(cuCtxSetCurrent(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    expect_result(cuCtxEnablePeerAccess(context, 0), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    good(cuCtxEnablePeerAccess(second, 0));
    expect_result(cuCtxEnablePeerAccess(second, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
}

/* A context takes its memory, streams and modules with it. */
static void test_context_owns(void)
{
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUstream stream;
    CUdeviceptr address;
    size_t before = 0, after = 0, total;

    good(cuMemGetInfo(&before, &total));
    good(cuCtxCreate(&context, NULL, 0, 0));
    address = allocate(1 << 20);
    good(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    module = load();
    function = function_of(module, "count");
    good(cuCtxDestroy(context));
    good(cuMemGetInfo(&after, &total));
    expect(after == before);
    expect_result(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_HANDLE);
}

int main(void)
{
    set_devices();
    run_test(test_before_init);
    run_test(test_devices);
    run_test(test_error_names);
    run_test(test_addresses_of_functions);
    run_test(test_context_stack);
    run_test(test_bad_contexts);
    run_test(test_context_owns);
    run_test(close_contexts);
    return end_tests();
}
