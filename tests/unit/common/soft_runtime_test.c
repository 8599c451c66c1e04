/* soft_runtime_test.c: the software GPU's runtime: devices, launch limits, errors, the environment.
 * Whatever breaks a device or needs another environment runs in a process of its own (run_again).
 */
#include "soft_runtime_test.h"

/* ---- devices ---- */

static void devices(void)
{
    int count, device = -1, value;
    struct cudaDeviceProp properties;
    char bus_id[20];

    expect_success(cudaGetDeviceCount(&count));
    expect(count == 2);
    expect_error(cudaErrorInvalidValue, cudaGetDeviceCount(NULL));
    expect_error(cudaErrorInvalidDevice, cudaSetDevice(2));
    expect_error(cudaErrorInvalidDevice, cudaSetDevice(-1));
    expect_success(cudaSetDevice(1));
    expect_success(cudaGetDevice(&device));
    expect(device == 1);
    expect_success(cudaSetDevice(0));
    expect_success(cudaGetDeviceProperties(&properties, 1));
    expect(strcmp(properties.name, "datamotion software GPU") == 0);
    expect(properties.totalGlobalMem == 64 << 20 && properties.multiProcessorCount == 3);
    expect(properties.warpSize == 32 && properties.asyncEngineCount == 2);
    expect_error(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 2));
    expect_error(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0));
    expect_success(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    expect(value == 3);
    expect_success(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    expect(value == 99 * 1024);
    expect_error(cudaErrorInvalidValue,
                 cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)99999, 0));
    expect_error(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 7));
    expect_success(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 1));
    expect_success(cudaDeviceGetByPCIBusId(&device, bus_id));
    expect(device == 1);
    expect_error(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(bus_id, 5, 1));
    expect_error(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "nonsense"));
    expect_success(cudaRuntimeGetVersion(&value));
    expect(value == CUDART_VERSION);
    expect_error(cudaErrorInvalidValue, cudaDriverGetVersion(NULL));
    expect_success(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    expect_error(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000));
    expect_error(cudaErrorInvalidValue,
                 cudaSetDeviceFlags(cudaDeviceScheduleYield | cudaDeviceScheduleSpin));
}

static void the_last_error(void)
{
    expect(cudaMalloc(NULL, 1) == cudaErrorInvalidValue);
    expect(cudaDeviceSynchronize() == cudaSuccess);
    expect(cudaPeekAtLastError() == cudaErrorInvalidValue);
    expect(cudaGetLastError() == cudaErrorInvalidValue);
    expect(cudaGetLastError() == cudaSuccess);
    expect(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    expect(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    expect(strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code") == 0);
}

static void nothing(void *data)
{
    (void)data;
}

static int launch_of(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_z,
                     size_t shared, bool cooperative)
{
    struct soft_kernel kernel = kernel_of(nothing, NULL);

    kernel.grid[0] = grid_x;
    kernel.grid[1] = grid_y;
    kernel.block[0] = block_x;
    kernel.block[2] = block_z;
    kernel.shared_bytes = shared;
    kernel.cooperative = cooperative;
    return soft_launch(&kernel, NULL);
}

static void launch_limits(void)
{
    const void *function = (const void *)(uintptr_t)launch_of;
    struct cudaFuncAttributes attributes;
    int blocks = -1;

    expect(launch_of(1, 1, 1, 1, 0, false) == cudaSuccess);
    expect(launch_of(0, 1, 1, 1, 0, false) == cudaErrorInvalidValue);
    expect(cudaGetLastError() == cudaErrorInvalidValue);
    expect(launch_of(1, 65536, 1, 1, 0, false) == cudaErrorInvalidValue);
    expect(launch_of(1, 1, 0, 1, 0, false) == cudaErrorInvalidValue);
    expect(launch_of(1, 1, 1025, 1, 0, false) == cudaErrorInvalidValue);
    expect(launch_of(1, 1, 1, 65, 0, false) == cudaErrorInvalidValue);
    expect(launch_of(1, 1, 512, 3, 0, false) == cudaErrorInvalidValue);
    expect(launch_of(1, 1, 1, 1, 49 * 1024, false) == cudaErrorInvalidValue);
    expect(launch_of(1000000, 1, 1024, 1, 0, true) == cudaErrorCooperativeLaunchTooLarge);
    expect(soft_launch(NULL, NULL) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    expect_error(
        cudaErrorInvalidValue,
        cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    expect_error(cudaErrorInvalidDeviceFunction,
                 cudaFuncSetAttribute(NULL, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    expect_error(cudaErrorInvalidValue,
                 cudaFuncSetAttribute(function, (enum cudaFuncAttribute)77, 1));
    expect_success(
        cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    expect(launch_of(1, 1, 1, 1, 49 * 1024, false) == cudaSuccess);
    expect_success(cudaFuncGetAttributes(&attributes, function));
    expect(attributes.maxDynamicSharedSizeBytes == 64 * 1024);
    expect_success(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
    expect(blocks == (int)(soft_cooperative_limit(256, 0) / 3) && blocks > 0);
    expect_success(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1025, 0));
    expect(blocks == 0);
    expect_error(cudaErrorInvalidValue,
                 cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, function, 256, 0));
    expect_success(cudaDeviceSynchronize());
    expect(atomic_load(&calls_alive) == 0); /* refused launches release their arguments, too */
}

/* ---- broken devices ---- */

static void trap(void *data)
{
    (void)data;
    soft_abort_kernel(SOFT_TRAP);
}

static void deadlock(void *data)
{
    (void)data;
    soft_abort_kernel(SOFT_DEADLOCK);
}

static void errors_stick_until_a_reset(void)
{
    struct {
        void (*body)(void *);
        cudaError_t error;
    } cases[] = {{trap, cudaErrorLaunchFailure}, {deadlock, cudaErrorLaunchTimeout}};
    void *pointer;
    atomic_bool skipped = false;
    cudaStream_t stream;
    cudaEvent_t event;

    for (int i = 0; i < 2; i++) {
        expect_success(cudaStreamCreate(&stream));
        expect_success(cudaEventCreate(&event));
        expect_success(launch_c(cases[i].body, NULL, stream));
        expect_error(cases[i].error, cudaStreamSynchronize(stream));
        expect_error(cases[i].error, cudaMalloc(&pointer, 1));
        expect_error(cases[i].error, cudaEventQuery(event));
        expect(launch_c(set_flag, &skipped, stream) == cases[i].error);
        expect(cudaGetLastError() == cases[i].error && cudaGetLastError() == cases[i].error);
        expect_success(cudaSetDevice(1)); /* the other device is well */
        expect_success(cudaDeviceSynchronize());
        expect_success(cudaSetDevice(0));
        expect_success(cudaDeviceReset());
        expect_success(cudaDeviceSynchronize());
        expect_error(cudaErrorInvalidResourceHandle, cudaStreamQuery(stream));
        expect_success(cudaEventDestroy(event));
    }
    expect(!atomic_load(&skipped));
    expect(atomic_load(&calls_alive) == 0);
}

static void work_after_an_error_is_skipped(void)
{
    atomic_bool skipped = false;
    char *device, *pageable = calloc(1, 3 << 20);
    struct gate gate = {false, false};
    cudaStream_t stream;

    expect_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    expect_success(cudaMalloc((void **)&device, 3 << 20));
    expect_success(cudaLaunchHostFunc(stream, pass_gate, &gate));
    expect_success(launch_c(trap, NULL, stream));
    expect_success(launch_c(set_flag, &skipped, stream));
    expect_success(cudaLaunchHostFunc(stream, set_flag, &skipped));
    atomic_store(&gate.open, true);
    cudaError_t error = /* larger than the bounce buffer: does not wait for ever */
        cudaMemcpyAsync(device, pageable, 3 << 20, cudaMemcpyHostToDevice, stream);
    expect(error == cudaSuccess || error == cudaErrorLaunchFailure);
    expect_error(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
    expect(!atomic_load(&skipped));
    expect_success(cudaDeviceReset());
    expect_error(cudaErrorInvalidValue, cudaFree(device)); /* the reset freed it */
    free(pageable);
}

static void no_resource(void *data)
{
    (void)data;
    soft_abort_kernel(SOFT_NO_RESOURCE);
}

static void lack_of_resources_is_reported_once(void)
{
    expect_success(launch_c(no_resource, NULL, NULL));
    expect_error(cudaErrorLaunchOutOfResources, cudaDeviceSynchronize());
    expect_success(cudaDeviceSynchronize());
}

/* ---- the end of the process ---- */

static int exit_with_work(void)
{
    static struct gate gate; /* nobody opens it */
    static char *pageable;
    char *device;
    cudaStream_t stream;

    pageable = malloc(1000);
    if (cudaStreamCreate(&stream) || cudaMalloc((void **)&device, 1000) ||
        launch_c(pass_gate, &gate, stream) || !wait_flag(&gate.entered))
        return 1;
    for (int i = 0; i < 20; i++)
        if (launch_c(pass_gate, &gate, stream) || launch_c(pass_gate, &gate, NULL) ||
            cudaMemcpyAsync(device, pageable, 1000, cudaMemcpyDefault, stream))
            return 2;
    return 40;
}

/* Within run_again's limit, though a kernel never ends, and without leaks. */
static void a_process_ends_with_work_left(void)
{
    expect(run_again("exit-with-work", "SOFTGPU_DEVICES", "1", NULL, 0) == 40);
}

/* ---- stray accesses and lost devices ---- */

static void write_to(void *data)
{
    *(volatile char *)data = 1;
}

/* The exit status tells what the runtime said: 40 an illegal address, 41 anything else.
 * AddressSanitizer finds the access first and ends the process with a report. */
static int use_after_free(void)
{
    char *device;

    if (cudaMalloc((void **)&device, 100) || cudaFree(device) || launch_c(write_to, device, NULL))
        return 1;
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 40 : 41;
}

static int beyond_the_end(void)
{
    char *device;

    if (cudaMalloc((void **)&device, 4096) || launch_c(write_to, device + 4096, NULL))
        return 1;
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 40 : 41;
}

static void stray_accesses_are_caught(void)
{
    char errors[4096];
    const char *checks[] = {"use-after-free", "beyond-the-end"};

    for (int i = 0; i < 2; i++) {
        int status = run_again(checks[i], "SOFTGPU_DEVICES", "1", errors, sizeof errors);
        expect(status == 40 || strstr(errors, "AddressSanitizer"));
    }
}

static int lost_device(void)
{
    void *pointer;
    int calls = 0;

    while (calls < 100 && cudaMalloc(&pointer, 1) == cudaSuccess)
        calls++;
    if (calls != 5 || cudaDeviceSynchronize() != cudaErrorDevicesUnavailable)
        return 1;
    return cudaDeviceReset() == cudaErrorDevicesUnavailable ? 40 : 2;
}

static void a_device_can_be_lost(void)
{
    expect(run_again("lost-device", "SOFTGPU_FAIL_AFTER", "5", NULL, 0) == 40);
}

/* ---- the environment ---- */

/* 10 + the number of devices, or the error. */
static int start_up(void)
{
    int count = -1;
    cudaError_t error = cudaGetDeviceCount(&count);

    return error == cudaSuccess ? 10 + count : (int)error;
}

static void the_environment_is_checked(void)
{
    const char *wrong[][2] = {{"SOFTGPU_DEVICES", "17"},   {"SOFTGPU_DEVICES", "-1"},
                              {"SOFTGPU_DEVICES", "two"},  {"SOFTGPU_DEVICES", ""},
                              {"SOFTGPU_MEMORY", "1"},     {"SOFTGPU_MEMORY", "12X"},
                              {"SOFTGPU_MEMORY", "-5G"},   {"SOFTGPU_MEMORY", "99999999999G"},
                              {"SOFTGPU_MEMORY", "1GB"},   {"SOFTGPU_SMS", "0"},
                              {"SOFTGPU_MLOCK", "please"}, {"SOFTGPU_FAIL_AFTER", "soon"}};
    char errors[4096];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int status = run_again("start-up", wrong[i][0], wrong[i][1], errors, sizeof errors);
        expect(status == cudaErrorInitializationError && strstr(errors, wrong[i][0]));
    }
    expect(run_again("start-up", "SOFTGPU_DEVICES", "16", NULL, 0) == 26);
    expect(run_again("start-up", "SOFTGPU_MEMORY", "3M", NULL, 0) == 12);
    expect(run_again("start-up", "SOFTGPU_DEVICES", "0", NULL, 0) == cudaErrorNoDevice);
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        int (*check)(void);
    } checks[] = {{"start-up", start_up},
                  {"lost-device", lost_device},
                  {"exit-with-work", exit_with_work},
                  {"use-after-free", use_after_free},
                  {"beyond-the-end", beyond_the_end}};

    for (size_t i = 0; argc > 1 && i < sizeof checks / sizeof *checks; i++)
        if (strcmp(argv[1], checks[i].name) == 0)
            return checks[i].check();
    setenv("SOFTGPU_DEVICES", "2", 1);
    setenv("SOFTGPU_MEMORY", "64M", 1);
    setenv("SOFTGPU_SMS", "3", 1);
    run_test(devices);
    run_test(the_last_error);
    run_test(launch_limits);
    run_test(errors_stick_until_a_reset);
    run_test(work_after_an_error_is_skipped);
    run_test(lack_of_resources_is_reported_once);
    run_test(a_process_ends_with_work_left);
    run_test(stray_accesses_are_caught);
    run_test(a_device_can_be_lost);
    run_test(the_environment_is_checked);
    return end_tests();
}
