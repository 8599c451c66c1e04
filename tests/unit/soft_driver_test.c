/* soft_driver_test.c: CUDA's driver API on the software GPU: contexts, modules, launches, copies,
 * and what it says to wrong use. The module is driver_kernels.cu, beside this program. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soft_module.h"
#include "test.h"

enum { MEMORY_MIB = 8 };

static char module_path[4096];
static CUcontext first, second; /* on device 0 and 1 */

#define expect_result(call, wanted) expect((call) == (wanted))
#define good(call)                  expect_result(call, CUDA_SUCCESS)

static CUfunction function_of(CUmodule module, const char *name)
{
    CUfunction function = NULL;

    good(cuModuleGetFunction(&function, module, name));
    return function;
}

static CUmodule load(void)
{
    CUmodule module = NULL;

    good(cuModuleLoad(&module, module_path));
    return module;
}

static CUdeviceptr allocate(size_t bytes)
{
    CUdeviceptr address = 0;

    good(cuMemAlloc(&address, bytes));
    return address;
}

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

/* ---- modules ---- */

static void test_launch_arguments(void)
{
    struct {
        char first;
        double second;
    } pair = {5, 6.5};
    char a = 2;
    double b = 3.25, out[5];
    short c = -4;
    CUmodule module = load();
    CUfunction mix = function_of(module, "mix");
    CUdeviceptr result = allocate(sizeof out);
    void *parameters[] = {&a, &b, &c, &pair, &result};
    size_t offset, size;

    good(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    good(cuMemcpyDtoH(out, result, sizeof out));
    expect(out[0] == 2 && out[1] == 3.25 && out[2] == -4 && out[3] == 5 && out[4] == 6.5);
    good(cuFuncGetParamInfo(mix, 3, &offset, &size));
    expect(offset == 24 && size == 16);
    expect_result(cuFuncGetParamInfo(mix, 5, &offset, &size), CUDA_ERROR_INVALID_VALUE);

    char buffer[48] = {0};
    size_t bytes = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    buffer[0] = 9;
    memcpy(buffer + 40, &result, sizeof result);
    good(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    good(cuMemcpyDtoH(out, result, sizeof out));
    expect(out[0] == 9 && out[1] == 0);
    bytes = 40;
    expect_result(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra),
                  CUDA_ERROR_INVALID_VALUE);
    expect_result(cuLaunchKernel(mix, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    good(cuMemFree(result));
    good(cuModuleUnload(module));
}

static void test_bad_launches(void)
{
    CUmodule module = load(), other;
    CUfunction count = function_of(module, "count"), missing = NULL;
    int no_handle;

    expect_result(cuModuleGetFunction(&missing, module, "no_kernel"), CUDA_ERROR_NOT_FOUND);
    expect_result(cuModuleGetFunction(&missing, module, "disabled"), CUDA_ERROR_NOT_FOUND);
    expect_result(cuModuleGetFunction(&missing, (CUmodule)&no_handle, "count"),
                  CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuLaunchKernel((CUfunction)&no_handle, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuLaunchKernel(count, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    expect_result(cuLaunchKernel(count, 1, 1, 1, 2048, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    good(cuCtxSetCurrent(second));
    expect_result(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
                  CUDA_ERROR_INVALID_HANDLE);
    good(cuCtxSetCurrent(first));

    CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    CUlaunchConfig shape = {1, 1, 1, 1, 1, 1, 0, NULL, &cluster, 1};
    cluster.value.clusterDim.x = 2;
    expect_result(cuLaunchKernelEx(&shape, count, NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
    cluster.value.clusterDim.x = cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
    good(cuLaunchKernelEx(&shape, count, NULL, NULL));
    good(cuModuleUnload(module));
    expect_result(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    expect_result(cuModuleLoad(&other, NULL), CUDA_ERROR_INVALID_VALUE);
}

static void read_file(const char *path, char **bytes, size_t *count)
{
    FILE *file = fopen(path, "rb");
    long size;

    *bytes = NULL;
    *count = 0;
    if (!file)
        return;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    *bytes = malloc((size_t)size + 1);
    *count = *bytes ? fread(*bytes, 1, (size_t)size, file) : 0;
    fclose(file);
}

static CUresult load_bytes(const char *bytes, size_t count)
{
    char path[] = "/tmp/soft_driver_test.XXXXXX";
    int file = mkstemp(path);
    CUmodule module;

    expect(file >= 0 && write(file, bytes, count) == (ssize_t)count);
    close(file);
    CUresult result = cuModuleLoad(&module, path);
    unlink(path);
    return result;
}

static void test_wrong_files(void)
{
    static const char ptx[] = "//\n.version 8.0\n.target sm_80\n";
    CUmodule module;
    char *bytes;
    size_t count;

    expect_result(cuModuleLoad(&module, "/nonexistent.so"), CUDA_ERROR_FILE_NOT_FOUND);
    expect_result(cuModuleLoad(&module, "/"), CUDA_ERROR_FILE_NOT_FOUND);
    expect_result(load_bytes("", 0), CUDA_ERROR_INVALID_IMAGE);
    expect_result(load_bytes("no module", 9), CUDA_ERROR_INVALID_IMAGE);
    expect_result(load_bytes(ptx, sizeof ptx), CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    expect_result(cuModuleLoadData(&module, ptx), CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    expect_result(cuModuleLoadData(&module, "no module"), CUDA_ERROR_INVALID_IMAGE);
    read_file(module_path, &bytes, &count);
    expect(count > 1000);
    if (count <= 1000)
        return;
    for (size_t part = 1; part < 8; part++) /* cut short */
        expect_result(load_bytes(bytes, count * part / 8), CUDA_ERROR_INVALID_IMAGE);
    good(cuModuleLoadDataEx(&module, bytes, 0, NULL, NULL));
    good(cuModuleUnload(module));
    free(bytes);
    expect_result(cuLinkCreate(0, NULL, NULL, (CUlinkState *)&module),
                  CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
}

/* Each module has its own variables, also when the same file is loaded twice. */
static void test_variables(void)
{
    CUmodule one = load(), two = load();
    CUdeviceptr counter_one = 0, counter_two = 0, factors = 0;
    float values[3] = {2, 3, 4}, data[3] = {1, 10, 100};
    size_t bytes = 0;
    int count = 0;

    good(cuModuleGetGlobal(&counter_one, &bytes, one, "counter"));
    expect(bytes == sizeof(int));
    good(cuModuleGetGlobal(&counter_two, NULL, two, "counter"));
    expect(counter_one != counter_two);
    good(cuLaunchKernel(function_of(one, "count"), 3, 1, 1, 4, 1, 1, 0, NULL, NULL, NULL));
    good(cuMemcpyDtoH(&count, counter_one, sizeof count));
    expect(count == 7 + 12);
    good(cuMemcpyDtoH(&count, counter_two, sizeof count));
    expect(count == 7);

    good(cuModuleGetGlobal(&factors, &bytes, two, "factors"));
    expect(bytes == sizeof values);
    good(cuMemcpyHtoD(factors, values, sizeof values));
    CUdeviceptr buffer = allocate(sizeof data);
    void *parameters[] = {&buffer};
    good(cuMemcpyHtoD(buffer, data, sizeof data));
    good(cuLaunchKernel(function_of(two, "scale"), 1, 1, 1, 3, 1, 1, 0, NULL, parameters, NULL));
    good(cuMemcpyDtoH(data, buffer, sizeof data));
    expect(data[0] == 2 && data[1] == 30 && data[2] == 400);
    expect_result(cuMemcpyHtoD(factors, values, sizeof values + 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemFree(factors), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuModuleGetGlobal(&factors, &bytes, two, "malloc"), CUDA_ERROR_NOT_FOUND);
    expect_result(cuModuleGetGlobal(&factors, &bytes, two, "count"), CUDA_ERROR_NOT_FOUND);
    good(cuMemFree(buffer));
    good(cuModuleUnload(one));
    good(cuModuleUnload(two));
    expect_result(cuMemcpyDtoH(&count, counter_two, sizeof count), CUDA_ERROR_INVALID_VALUE);
}

/* ---- promoted kernels ---- */

struct place {
    unsigned offset[3], grid[3], first_thread[3];
};

enum { GRID_X = 5, GRID_Y = 4, BLOCK_X = 8, BLOCK_Y = 2, WIDTH = GRID_X * BLOCK_X };

static void launch_part(CUfunction function, CUdeviceptr out, struct place place, unsigned blocks_x,
                        unsigned blocks_y)
{
    unsigned width = WIDTH;
    void *parameters[] = {&out, &width, &place};

    good(cuLaunchKernel(function, blocks_x, blocks_y, 1, BLOCK_X, BLOCK_Y, 1, 0, NULL, parameters,
                        NULL));
}

/* The parts of a grid do what the whole does. */
static void test_promoted(void)
{
    CUmodule plain = load(), promoted = load();
    static int whole[WIDTH * GRID_Y * BLOCK_Y], parts[WIDTH * GRID_Y * BLOCK_Y];
    CUdeviceptr out = allocate(sizeof whole);
    unsigned width = WIDTH;
    void *parameters[] = {&out, &width};
    size_t offset, size;

    good(cuLaunchKernel(function_of(plain, "where"), GRID_X, GRID_Y, 1, BLOCK_X, BLOCK_Y, 1, 0,
                        NULL, parameters, NULL));
    good(cuMemcpyDtoH(whole, out, sizeof whole));
    good(cuMemsetD32(out, 0, sizeof whole / 4));

    good(softModulePromote(promoted));
    good(softModulePromote(promoted));
    CUfunction where = function_of(promoted, "where");
    good(cuFuncGetParamInfo(where, 2, &offset, &size));
    expect(offset == 12 && size == 36);
    launch_part(where, out, (struct place){{0, 0, 0}, {GRID_X, GRID_Y, 1}, {0}}, 2, GRID_Y);
    launch_part(where, out, (struct place){{2, 0, 0}, {GRID_X, GRID_Y, 1}, {2 * BLOCK_X}}, 3, 1);
    launch_part(where, out, (struct place){{2, 1, 0}, {GRID_X, GRID_Y, 1}, {2 * BLOCK_X, BLOCK_Y}},
                3, 3);
    good(cuMemcpyDtoH(parts, out, sizeof parts));
    expect(memcmp(whole, parts, sizeof whole) == 0);
    expect(whole[0] == 1000000 * GRID_Y + 10000 * GRID_X);

    struct place place = {.grid = {1, 1, 1}};
    void *all[] = {&out, &width, &place};
    place.first_thread[1] = BLOCK_Y;
    expect_result(cuLaunchKernel(where, 1, 1, 1, BLOCK_X, BLOCK_Y, 1, 0, NULL, all, NULL),
                  CUDA_ERROR_INVALID_VALUE);
    place.first_thread[1] = 0;
    expect_result(cuLaunchCooperativeKernel(where, 1, 1, 1, 8, 2, 1, 0, NULL, all),
                  CUDA_ERROR_NOT_SUPPORTED);
    good(cuMemFree(out));
    good(cuModuleUnload(plain));
    good(cuModuleUnload(promoted));
    expect_result(softModulePromote(promoted), CUDA_ERROR_INVALID_HANDLE);
}

static void test_promoted_with_barriers(void)
{
    enum { BLOCKS = 6, THREADS = 64, COUNT = BLOCKS * THREADS };
    CUmodule module = load();
    CUfunction reverse = function_of(module, "reverse");
    int in[COUNT], out[COUNT];
    CUdeviceptr source = allocate(sizeof in), target = allocate(sizeof out);
    struct place place = {.grid = {BLOCKS, 1, 1}};
    void *parameters[] = {&source, &target, &place};

    for (int i = 0; i < COUNT; i++)
        in[i] = 17 * i;
    good(cuMemcpyHtoD(source, in, sizeof in));
    good(softModulePromote(module));
    for (unsigned part = 0; part < 3; part++) {
        place.offset[0] = part * BLOCKS / 3;
        place.first_thread[0] = place.offset[0] * THREADS;
        good(cuLaunchKernel(reverse, BLOCKS / 3, 1, 1, THREADS, 1, 1, 0, NULL, parameters, NULL));
    }
    good(cuMemcpyDtoH(out, target, sizeof out));
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += out[i] != 17 * (i / THREADS * THREADS + THREADS - 1 - i % THREADS) + BLOCKS;
    expect(wrong == 0);
    good(cuMemFree(source));
    good(cuMemFree(target));
    good(cuModuleUnload(module));
}

/* ---- memory ---- */

static void test_out_of_memory(void)
{
    CUdeviceptr address = 0;
    size_t free_bytes = 0, total;

    good(cuMemGetInfo(&free_bytes, &total));
    expect_result(cuMemAlloc(&address, (size_t)(MEMORY_MIB + 1) << 20), CUDA_ERROR_OUT_OF_MEMORY);
    expect_result(cuMemAlloc(&address, 0), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemAlloc(NULL, 16), CUDA_ERROR_INVALID_VALUE);
    address = allocate(free_bytes);
    CUdeviceptr more;
    expect_result(cuMemAlloc(&more, 4096), CUDA_ERROR_OUT_OF_MEMORY);
    good(cuCtxSetCurrent(second)); /* the other device has memory of its own */
    more = allocate(4096);
    good(cuMemFree(more));
    good(cuCtxSetCurrent(first));
    good(cuMemFree(address));
    expect_result(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
}

static void test_pointer_attributes(void)
{
    CUdeviceptr address = allocate(1000), base = 0;
    CUcontext context = NULL;
    unsigned type = 0;
    int ordinal = -1, local;
    size_t bytes = 0;
    void *locked = NULL;

    good(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, address + 10));
    expect(context == first);
    good(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    expect(type == CU_MEMORYTYPE_DEVICE);
    good(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
    expect(ordinal == 0);
    good(cuMemGetAddressRange(&base, &bytes, address + 999));
    expect(base == address && bytes == 1000);
    expect_result(cuMemGetAddressRange(&base, &bytes, address + 1000), CUDA_ERROR_NOT_FOUND);
    expect_result(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        (CUdeviceptr)(uintptr_t)&local),
                  CUDA_ERROR_INVALID_VALUE);
    good(cuMemAllocHost(&locked, 64));
    good(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               (CUdeviceptr)(uintptr_t)locked));
    expect(type == CU_MEMORYTYPE_HOST);
    good(cuMemFreeHost(locked));
    good(cuMemFree(address));
}

static void test_fills(void)
{
    unsigned char bytes[64];
    unsigned words[5000];
    unsigned short halves[32];
    CUdeviceptr address = allocate(sizeof words);

    good(cuMemsetD8(address, 0xab, sizeof words));
    good(cuMemsetD32(address + 4, 0x12345678, 4998));
    good(cuMemcpyDtoH(words, address, sizeof words));
    expect(words[0] == 0xabababab && words[4999] == 0xabababab);
    int wrong = 0;
    for (int i = 1; i < 4999; i++)
        wrong += words[i] != 0x12345678;
    expect(wrong == 0);
    good(cuMemsetD16Async(address, 0xbeef, 3, NULL));
    good(cuMemcpyDtoH(halves, address, sizeof halves));
    expect(halves[0] == 0xbeef && halves[2] == 0xbeef && halves[3] == 0x1234);
    good(cuMemsetD8(address, 0, 64));
    good(cuMemsetD2D8(address, 16, 7, 3, 4));
    good(cuMemcpyDtoH(bytes, address, sizeof bytes));
    for (int i = 0; i < 64; i++)
        expect(bytes[i] == (i % 16 < 3 ? 7 : 0));
    expect_result(cuMemsetD32(address + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemsetD32(address, 0, 5001), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemsetD32(address, 0, SIZE_MAX / 2), CUDA_ERROR_INVALID_VALUE);
    good(cuMemFree(address));
}

/* ---- copies between devices ---- */

enum { ROW = 32, ROWS = 16, PICTURE = ROW * ROWS };

static void fill_random(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)rand();
}

static void test_peer_copies(void)
{
    unsigned char in[PICTURE], out[PICTURE];
    CUdeviceptr here = allocate(PICTURE), there;

    good(cuCtxSetCurrent(second));
    there = allocate(PICTURE);
    good(cuCtxSetCurrent(first));
    fill_random(in, PICTURE);
    good(cuMemcpyHtoD(here, in, PICTURE));
    good(cuMemcpyPeer(there, second, here, first, PICTURE));
    good(cuMemcpyDtoH(out, there, PICTURE));
    expect(memcmp(in, out, PICTURE) == 0);
    fill_random(in, PICTURE);
    good(cuMemcpyHtoD(there, in, PICTURE));
    good(cuMemcpyPeerAsync(here, first, there, second, PICTURE, NULL));
    good(cuMemcpyDtoH(out, here, PICTURE));
    expect(memcmp(in, out, PICTURE) == 0);
    expect_result(cuMemcpyPeer(here, second, there, second, PICTURE), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemcpyPeer(here, first, there, NULL, 1), CUDA_ERROR_INVALID_CONTEXT);
    expect_result(cuMemcpyDtoD(there, here, PICTURE + 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemcpyHtoD(here, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    expect_result(cuMemcpyDtoH(out, (CUdeviceptr)(uintptr_t)in, 1), CUDA_ERROR_INVALID_VALUE);
    good(cuMemFree(here));
    good(cuMemFree(there));
}

/* What a copy of the columns [5, 12) of the rows [2, 8) to columns [3, 10), rows [4, 10) does. */
static void expect_pasted(const unsigned char *from, const unsigned char *to)
{
    int wrong = 0;

    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < ROW; x++) {
            bool inside = x >= 3 && x < 10 && y >= 4 && y < 10;
            wrong += to[y * ROW + x] != (inside ? from[(y - 2) * ROW + x + 2] : 0);
        }
    expect(wrong == 0);
}

static void test_rectangles(void)
{
    unsigned char in[PICTURE], out[PICTURE];
    CUdeviceptr here = allocate(PICTURE), there;

    good(cuCtxSetCurrent(second));
    there = allocate(PICTURE);
    good(cuCtxSetCurrent(first));
    fill_random(in, PICTURE);
    good(cuMemcpyHtoD(here, in, PICTURE));
    for (int way = 0; way < 3; way++) {
        CUDA_MEMCPY2D flat = {5, 2, CU_MEMORYTYPE_UNIFIED, NULL, here,  NULL, ROW,
                              3, 4, CU_MEMORYTYPE_UNIFIED, NULL, there, NULL, ROW,
                              7, 6};
        CUDA_MEMCPY3D_PEER peer = {.srcXInBytes = 5,
                                   .srcY = 2,
                                   .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .srcDevice = here,
                                   .srcContext = first,
                                   .srcPitch = ROW,
                                   .dstXInBytes = 3,
                                   .dstY = 4,
                                   .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .dstDevice = there,
                                   .dstContext = second,
                                   .dstPitch = ROW,
                                   .WidthInBytes = 7,
                                   .Height = 6,
                                   .Depth = 1};
        good(cuMemsetD8(there, 0, PICTURE));
        if (way == 0)
            good(cuMemcpy2D(&flat));
        else if (way == 1)
            good(cuMemcpy2DAsync(&flat, NULL));
        else
            good(cuMemcpy3DPeerAsync(&peer, NULL));
        good(cuCtxSynchronize());
        good(cuMemcpyDtoH(out, there, PICTURE));
        expect_pasted(in, out);
        flat.Height = ROWS;
        expect_result(cuMemcpy2D(&flat), CUDA_ERROR_INVALID_VALUE);
        flat.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        expect_result(cuMemcpy2DAsync(&flat, NULL), CUDA_ERROR_INVALID_VALUE);
    }
    good(cuMemFree(here));
    good(cuMemFree(there));
}

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

static void find_module(void)
{
    ssize_t length = readlink("/proc/self/exe", module_path, sizeof module_path - 32);
    char *slash = length > 0 ? memrchr(module_path, '/', (size_t)length) : NULL;

    strcpy(slash ? slash + 1 : module_path, "driver_kernels.so");
}

int main(void)
{
    setenv("SOFTGPU_DEVICES", "2", 1);
    setenv("SOFTGPU_MEMORY", "8M", 1);
    find_module();
    run_test(test_before_init);
    run_test(test_devices);
    run_test(test_error_names);
    run_test(test_addresses_of_functions);
    run_test(test_context_stack);
    run_test(test_bad_contexts);
    run_test(test_context_owns);
    run_test(test_launch_arguments);
    run_test(test_bad_launches);
    run_test(test_wrong_files);
    run_test(test_variables);
    run_test(test_promoted);
    run_test(test_promoted_with_barriers);
    run_test(test_out_of_memory);
    run_test(test_pointer_attributes);
    run_test(test_fills);
    run_test(test_peer_copies);
    run_test(test_rectangles);
    run_test(test_streams_and_events);
    run_test(test_broken_device);
    return end_tests();
}
