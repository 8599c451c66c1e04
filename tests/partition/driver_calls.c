/* driver_calls.c: an ordinary program for one GPU that makes one kind of driver calls and writes
 * what came out. Its output with and without several devices behind it must be the same.
 *
 *     driver_calls CASE MODULES OUTPUT */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5000, BLOCK = 128, BLOCKS = (N + BLOCK - 1) / BLOCK };

static const char *modules;
static FILE *output;
static CUmodule module;
static CUdeviceptr a, b;
static float values[N];

static void check(CUresult result, const char *call)
{
    const char *name = "an unknown error";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", call, name);
    exit(1);
}
#define DO(call) check(call, #call)

static CUfunction kernel(const char *file, const char *name)
{
    char path[4096];
    CUfunction function;
    snprintf(path, sizeof path, "%s/%s.so", modules, file);
    DO(cuModuleLoad(&module, path));
    DO(cuModuleGetFunction(&function, module, name));
    return function;
}

static void launch(CUfunction function, void **arguments, CUstream stream)
{
    DO(cuLaunchKernel(function, BLOCKS, 1, 1, BLOCK, 1, 1, 0, stream, arguments, NULL));
}

static void smooth(CUfunction function, CUdeviceptr in, CUdeviceptr out, int n)
{
    void *arguments[] = {&in, &out, &n};
    launch(function, arguments, NULL);
}

/* Both buffers as the program sees them. */
static void write_buffers(void)
{
    CUdeviceptr buffers[] = {a, b};
    for (int i = 0; i < 2; i++) {
        DO(cuMemcpyDtoH(values, buffers[i], sizeof values));
        fwrite(values, sizeof values, 1, output);
    }
}

static void make_buffers(void)
{
    DO(cuMemAlloc(&a, sizeof values));
    DO(cuMemAlloc(&b, sizeof values));
    for (int i = 0; i < N; i++)
        values[i] = (float)(i * 7919 % 1009) / 8;
    DO(cuMemcpyHtoD(a, values, sizeof values));
    DO(cuMemcpyHtoD(b, values, sizeof values));
}

static void once(void)
{
    smooth(kernel("chain", "chain_smooth"), a, b, N);
}

static void middle(void)
{
    CUfunction function = kernel("chain", "chain_smooth");
    for (int i = 0; i < 5; i++) {
        smooth(function, a + 1000 * sizeof(float), b + 10 * sizeof(float), 3000);
        smooth(function, b + 4 * sizeof(float), a + 500 * sizeof(float), 4000);
    }
}

/* Both pointers reach the same memory, though no element that is written is read by another thread.
 */
static void same_buffer(void)
{
    CUfunction function = kernel("chain", "chain_scale");
    CUdeviceptr half = a + N / 2 * sizeof(float);
    float factor = 3;
    int n = N / 2;
    void *arguments[] = {&a, &half, &factor, &n};
    launch(function, arguments, NULL);
    void *in_place[] = {&a, &a, &factor, &n};
    launch(function, in_place, NULL);
}

static void streams(void)
{
    CUfunction function = kernel("chain", "chain_smooth");
    CUstream stream[2];
    CUevent event[2];
    float milliseconds = -1;
    int n = N;
    void *there[] = {&a, &b, &n}, *back[] = {&b, &a, &n};
    for (int i = 0; i < 2; i++) {
        DO(cuStreamCreate(&stream[i], CU_STREAM_NON_BLOCKING));
        DO(cuEventCreate(&event[i], CU_EVENT_DEFAULT));
    }
    DO(cuEventRecord(event[0], stream[0]));
    for (int i = 0; i < 4; i++) {
        DO(cuMemcpyHtoDAsync(a, values + i, 1000 * sizeof(float), stream[0]));
        launch(function, there, stream[0]);
        DO(cuEventRecord(event[1], stream[0]));
        DO(cuStreamWaitEvent(stream[1], event[1], 0));
        launch(function, back, stream[1]);
        DO(cuEventRecord(event[1], stream[1]));
        DO(cuStreamWaitEvent(stream[0], event[1], 0));
    }
    DO(cuMemcpyDtoHAsync(values, b, sizeof values, stream[0]));
    DO(cuStreamSynchronize(stream[0]));
    fwrite(values, sizeof values, 1, output);
    DO(cuStreamQuery(stream[1]));
    DO(cuEventSynchronize(event[1]));
    DO(cuEventElapsedTime(&milliseconds, event[0], event[1]));
    if (milliseconds < 0)
        check(CUDA_ERROR_UNKNOWN, "time between events");
    for (int i = 0; i < 2; i++) {
        DO(cuEventDestroy(event[i]));
        DO(cuStreamDestroy(stream[i]));
    }
}

static void fills_and_copies(void)
{
    CUfunction function = kernel("chain", "chain_smooth");
    CUDA_MEMCPY2D rows = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = b,
                          .srcPitch = 400,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = a,
                          .dstPitch = 800,
                          .WidthInBytes = 320,
                          .Height = 20};
    smooth(function, a, b, N);
    DO(cuMemsetD32(a + 400, 0x3f800000, 700));
    DO(cuMemsetD8Async(b + 8000, 0, 4000, NULL));
    smooth(function, b, a, N);
    DO(cuMemsetD2D16(a + 16000, 200, 0x4040, 50, 9));
    DO(cuMemcpyDtoD(b + 2000, a + 9000, 6000));
    smooth(function, a, b, N);
    DO(cuMemcpy2D(&rows));
    smooth(function, b, a, 2000);
    DO(cuMemsetD16(b, 0x4040, 3001));
    DO(cuMemsetD2D8(a + 12000, 200, 0, 100, 9));
    DO(cuMemcpy(a + 16000, b + 400, 2000));
    smooth(function, b, a, 1000);
}

static void packed(void)
{
    CUfunction function = kernel("chain", "chain_scale");
    struct {
        CUdeviceptr in, out;
        float factor;
        int n;
    } arguments = {a, b, 0.5f, N};
    size_t bytes = sizeof arguments, offset, size;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &bytes, CU_LAUNCH_PARAM_END};
    CUlaunchConfig configuration = {.gridDimX = BLOCKS,
                                    .gridDimY = 1,
                                    .gridDimZ = 1,
                                    .blockDimX = BLOCK,
                                    .blockDimY = 1,
                                    .blockDimZ = 1};
    DO(cuLaunchKernelEx(&configuration, function, NULL, extra));
    DO(cuFuncGetParamInfo(function, 3, &offset, &size));
    if (cuFuncGetParamInfo(function, 4, &offset, &size) != CUDA_ERROR_INVALID_VALUE)
        check(CUDA_ERROR_UNKNOWN, "a fifth parameter");
}

static void double_value(void *value)
{
    *(float *)value *= 2;
}

static void host_function(void)
{
    CUfunction function = kernel("chain", "chain_smooth");
    float *pinned;
    DO(cuMemAllocHost((void **)&pinned, sizeof values));
    memcpy(pinned, values, sizeof values);
    smooth(function, a, b, N);
    DO(cuMemcpyDtoHAsync(pinned, b, sizeof values, NULL));
    DO(cuLaunchHostFunc(NULL, double_value, pinned + 2345));
    DO(cuMemcpyHtoDAsync(a, pinned, sizeof values, NULL));
    smooth(function, a, b, N);
    DO(cuCtxSynchronize());
    DO(cuMemFreeHost(pinned));
}

/* Kernels that must run on one device between kernels that need not. */
static void mixed(void)
{
    CUfunction scatter = kernel("irregular", "scatter"),
               smoothing = kernel("chain", "chain_smooth");
    CUdeviceptr index;
    int places[N], n = N;
    for (int i = 0; i < N; i++)
        places[i] = (int)((long long)i * 3571 % N);
    DO(cuMemAlloc(&index, sizeof places));
    DO(cuMemcpyHtoD(index, places, sizeof places));
    void *arguments[] = {&index, &b, &a, &n};
    for (int i = 0; i < 3; i++) {
        smooth(smoothing, a, b, N);
        launch(scatter, arguments, NULL);
    }
    DO(cuMemFree(index));
}

/* One kernel of a loop must run on one device; it reads what never changes, and what another
 * writes.
 */
static void kept(void)
{
    CUfunction places = kernel("tiles", "places"), smoothing = kernel("chain", "chain_smooth");
    CUdeviceptr index, c;
    int order[N], n = N;
    for (int i = 0; i < N; i++)
        order[i] = (int)((long long)i * 3571 % N);
    DO(cuMemAlloc(&index, sizeof order));
    DO(cuMemcpyHtoD(index, order, sizeof order));
    DO(cuMemAlloc(&c, sizeof values));
    void *arguments[] = {&index, &b, &c, &n};
    for (int i = 0; i < 10; i++) {
        smooth(smoothing, a, b, N);
        launch(places, arguments, NULL);
    }
    DO(cuMemcpyDtoD(a, c, sizeof values));
    DO(cuMemFree(index));
    DO(cuMemFree(c));
}

static void launch_shape(CUfunction function, unsigned x, unsigned y, unsigned block, int n)
{
    void *arguments[] = {&a, &b, &n};
    DO(cuLaunchKernel(function, x, y, 1, block, block, 1, 0, NULL, arguments, NULL));
}

/* Each dimension of the grid in turn is the one that can be cut. */
static void shapes(void)
{
    CUfunction tiles = kernel("tiles", "tiles"), along = kernel("tiles", "along_x");
    launch_shape(tiles, 8, 8, 8, 64);
    launch_shape(tiles, 8, 1, 8, 64);
    launch_shape(tiles, 1, 8, 8, 64);
    launch_shape(tiles, 1, 1, 8, 64);
    launch_shape(along, 8, 4, 8, 64);
}

/* Blocks larger than tiles write the same elements, the same values. */
static void overlap(void)
{
    launch_shape(kernel("tiles", "tiles"), 4, 4, 16, 40);
}

/* Asynchronous copies through one page: the second one reads what the first one writes, which waits
 * for kernels that one device alone runs; the third one overwrites what the second one reads. */
static void through_page(void)
{
    CUfunction function = kernel("irregular", "histogram");
    float *page;
    int n = N;
    CUdeviceptr counts, words;
    void *arguments[] = {&words, &counts, &n};
    DO(cuMemAllocHost((void **)&page, sizeof values));
    memset(page, 0, sizeof values);
    DO(cuMemAlloc(&counts, sizeof values));
    DO(cuMemAlloc(&words, sizeof values));
    DO(cuMemsetD32(counts, 0, N));
    DO(cuMemsetD32(words, 0, N));
    for (int i = 0; i < 100; i++)
        launch(function, arguments, NULL);
    DO(cuMemcpyDtoHAsync(page, counts, sizeof values, NULL));
    DO(cuMemcpyHtoDAsync(a, page, sizeof values, NULL));
    DO(cuMemcpyDtoHAsync(page, b, sizeof values, NULL));
    DO(cuMemcpyHtoDAsync(b, page, 100, NULL));
    DO(cuCtxSynchronize());
    fwrite(page, sizeof values, 1, output);
    DO(cuMemFreeHost(page));
}

/* A variable that one device has written before the program asks for its address. */
static void variable(void)
{
    CUfunction fill = kernel("table", "fill_table"), copy;
    CUdeviceptr table;
    size_t bytes;
    int n = N;
    void *arguments[] = {&n}, *copied[] = {&table, &a, &n};
    launch(fill, arguments, NULL);
    DO(cuModuleGetGlobal(&table, &bytes, module, "table"));
    DO(cuModuleGetFunction(&copy, module, "copy_table"));
    launch(copy, copied, NULL);
}

static void no_buffer(void)
{
    CUfunction function = kernel("chain", "chain_scale");
    float *host, factor = 2;
    CUdeviceptr in;
    int n = N;
    DO(cuMemHostAlloc((void **)&host, sizeof values, CU_MEMHOSTALLOC_DEVICEMAP));
    memcpy(host, values, sizeof values);
    DO(cuMemHostGetDevicePointer(&in, host, 0));
    void *arguments[] = {&in, &b, &factor, &n};
    launch(function, arguments, NULL);
    DO(cuCtxSynchronize());
    DO(cuMemFreeHost(host));
}

/* A pointer that lies in one buffer and is meant for another: its elements from `gap` on are those
 * of the buffer behind. */
static void beside(void)
{
    CUfunction function = kernel("refine", "refine");
    CUdeviceptr in = a < b ? a : b, behind = a < b ? b : a, out;
    int gap = (int)((behind - in) / sizeof(float)), begin = gap + 1, end = gap + N - 1;
    unsigned blocks = (unsigned)(end + BLOCK - 1) / BLOCK;
    void *arguments[] = {&in, &out, &begin, &end};
    DO(cuMemAlloc(&out, (size_t)(gap + N) * sizeof(float)));
    DO(cuMemsetD32(out, 0, (size_t)(gap + N)));
    DO(cuLaunchKernel(function, blocks, 1, 1, BLOCK, 1, 1, 0, NULL, arguments, NULL));
    DO(cuMemcpyDtoD(in, out + (size_t)gap * sizeof(float), sizeof values));
    DO(cuMemFree(out));
}

/* A buffer that was freed, and another one that may be at the same address. */
static void freed(void)
{
    CUfunction function = kernel("chain", "chain_smooth");
    for (int i = 1; i < 4; i++) {
        smooth(function, a, b, N);
        DO(cuMemcpyDtoH(values, b, sizeof values));
        DO(cuMemFree(b));
        DO(cuMemAlloc(&b, sizeof values + (size_t)i * 4096));
        DO(cuMemcpyHtoD(b, values, sizeof values));
        smooth(function, b, a, N - i);
    }
    if (cuMemFree(a + 4) == CUDA_SUCCESS)
        check(CUDA_ERROR_UNKNOWN, "freed the middle of a buffer");
}

/* Device 1, which only a context behind the run time's back reaches, is almost full. */
static void full(void)
{
    CUcontext own, other;
    CUdeviceptr all, more;
    size_t left, total;
    DO(cuCtxGetCurrent(&own));
    DO(cuCtxCreate(&other, NULL, 0, 1));
    DO(cuMemGetInfo(&left, &total));
    DO(cuMemAlloc(&all, left - (1 << 20)));
    DO(cuCtxSetCurrent(own));
    if (cuMemAlloc(&more, 4 << 20) != CUDA_ERROR_OUT_OF_MEMORY)
        check(CUDA_ERROR_UNKNOWN, "4 MiB on a full device");
    DO(cuMemGetInfo(&left, &total));
    if (left > 2 << 20)
        check(CUDA_ERROR_UNKNOWN, "room on a full device");
    once();
}

static void addresses(void)
{
    CUresult (*count)(int *);
    CUdriverProcAddressQueryResult status;
    int devices = 0;
    CUdevice second;
    DO(cuGetProcAddress("cuDeviceGetCount", (void **)&count, CUDA_VERSION, 0, &status));
    DO(count(&devices));
    fprintf(output, "%d devices\n", devices);
    fprintf(output, "second device: %d\n", (int)cuDeviceGet(&second, 1));
}

static void wrong_calls(void)
{
    CUfunction function = kernel("chain", "chain_smooth");
    CUdeviceptr more;
    CUmodule none;
    CUfunction unknown;
    int n = N;
    void *arguments[] = {&a, &b, &n};
    fprintf(output, "%d\n", cuMemAlloc(&more, 0));
    fprintf(output, "%d\n", cuMemAlloc(&more, (size_t)1 << 50));
    fprintf(output, "%d\n", cuMemcpyHtoD(a, values, sizeof values + 8192));
    fprintf(output, "%d\n", cuMemcpyDtoH(values, a + 4, sizeof values));
    fprintf(output, "%d\n", cuMemcpyHtoD(a, NULL, sizeof values));
    fprintf(output, "%d\n", cuMemcpyHtoD(a, values, 0));
    fprintf(output, "%d\n", cuModuleLoad(&none, "/nowhere/chain.so"));
    fprintf(output, "%d\n", cuModuleGetFunction(&unknown, module, "chain_nothing"));
    fprintf(output, "%d\n", cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    fprintf(output, "%d\n",
            cuLaunchKernel(function, 1, 1, 1, 4096, 1, 1, 0, NULL, arguments, NULL));
    fprintf(output, "%d\n", cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"once", once},
    {"middle", middle},
    {"same-buffer", same_buffer},
    {"streams", streams},
    {"fills", fills_and_copies},
    {"packed", packed},
    {"host-function", host_function},
    {"mixed", mixed},
    {"kept", kept},
    {"shapes", shapes},
    {"overlap", overlap},
    {"through-page", through_page},
    {"variable", variable},
    {"no-buffer", no_buffer},
    {"beside", beside},
    {"freed", freed},
    {"full", full},
    {"addresses", addresses},
    {"wrong-calls", wrong_calls},
};

int main(int count, char **words)
{
    CUdevice device;
    CUcontext context;
    if (count != 4 || !(output = fopen(words[3], "wb")))
        return 2;
    modules = words[2];
    DO(cuInit(0));
    DO(cuDeviceGet(&device, 0));
    DO(cuCtxCreate(&context, NULL, 0, device));
    make_buffers();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!strcmp(cases[i].name, words[1]))
            cases[i].run();
    write_buffers();
    DO(cuCtxDestroy(context));
    return fclose(output) ? 2 : 0;
}
