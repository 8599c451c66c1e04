/* new_launches.c: a program none of whose launches is like another one. It writes what came out,
 * and prints its resident memory and the time so far after each quarter of the launches:
 *
 *     new_launches CASE MODULES LAUNCHES OUTPUT
 *
 *     same    no argument changes, for comparison
 *     time    a floating point argument changes
 *     step    an integer changes on which no accessed element depends
 *     window  pointers and an integer change, and with them what is read and written
 *     some    a pointer of every second launch changes; the others repeat
 *     pieces  pointers change; with PARTITION_SPLIT=x each device has a piece of every row */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N = 4096, BLOCK = 128, QUARTERS = 4, AT_A_TIME = 64 };

static CUdeviceptr buffer[2];
static CUfunction function;
static uint64_t random_state = 1;

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

static unsigned random_below(unsigned limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

static void launch(void **arguments)
{
    DO(cuLaunchKernel(function, N / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, arguments, NULL));
}

static void change_nothing(int i)
{
    int step = 3, n = N;
    void *arguments[] = {&buffer[i % 2], &buffer[1 - i % 2], &step, &n};
    launch(arguments);
}

static void change_time(int i)
{
    float difference = (float)(i + 1) / (1 << 23), factor = 1 + (i % 2 ? difference : -difference);
    int n = N;
    void *arguments[] = {&buffer[i % 2], &buffer[1 - i % 2], &factor, &n};
    launch(arguments);
}

static void change_step(int i)
{
    int n = N;
    void *arguments[] = {&buffer[i % 2], &buffer[1 - i % 2], &i, &n};
    launch(arguments);
}

static void change_window(int i)
{
    int n = 3 + (int)random_below(N / 2);
    CUdeviceptr in = buffer[i % 2] + random_below(N / 2) * sizeof(float);
    CUdeviceptr out = buffer[1 - i % 2] + random_below(N / 2) * sizeof(float);
    void *arguments[] = {&in, &out, &n};
    launch(arguments);
}

static void change_pieces(int i)
{
    enum { WIDTH = 45, SQUARE = 8, SQUARES = (WIDTH + SQUARE - 1) / SQUARE };
    int width = WIDTH;
    CUdeviceptr in = buffer[i % 2] + random_below(N / 2) * sizeof(float);
    CUdeviceptr out = buffer[1 - i % 2] + random_below(N / 2) * sizeof(float);
    void *arguments[] = {&in, &out, &width};
    DO(cuLaunchKernel(function, SQUARES, SQUARES, 1, SQUARE, SQUARE, 1, 0, NULL, arguments, NULL));
}

/* The second of two launches is always the same, the first never: 8 lengths at N / 2 places. */
static void change_some(int i)
{
    int new = i / 2 % (4 * N), n = N / 2 - (i % 2 ? 0 : new / (N / 2));
    CUdeviceptr in = buffer[i % 2];
    CUdeviceptr out = buffer[1 - i % 2] + (i % 2 ? 0 : (unsigned)new % (N / 2) * sizeof(float));
    void *arguments[] = {&in, &out, &n};
    launch(arguments);
}

static const struct {
    const char *name, *module, *kernel;
    void (*launch)(int i);
} cases[] = {
    {"same", "steps", "advance", change_nothing},
    {"time", "chain", "chain_scale", change_time},
    {"step", "steps", "advance", change_step},
    {"window", "chain", "chain_smooth", change_window},
    {"some", "chain", "chain_smooth", change_some},
    {"pieces", "stencil", "stencil5p", change_pieces},
};

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        exit(2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void run(void (*one)(int), int launches)
{
    double start_s = now_s();
    for (int i = 0; i < launches; i++) {
        one(i);
        if (i % AT_A_TIME == 0)
            DO(cuCtxSynchronize()); /* so that launches that wait take no memory */
        if ((i + 1) % (launches / QUARTERS))
            continue;
        DO(cuCtxSynchronize());
        printf("%d %ld %.3f\n", i + 1, resident_bytes(), now_s() - start_s);
        fflush(stdout);
    }
}

static void write_buffers(const char *path)
{
    float values[N];
    FILE *output = fopen(path, "wb");
    if (!output)
        exit(2);
    for (int i = 0; i < 2; i++) {
        DO(cuMemcpyDtoH(values, buffer[i], sizeof values));
        fwrite(values, sizeof values, 1, output);
    }
    if (fclose(output))
        exit(2);
}

static void prepare(const char *modules, const char *file, const char *kernel)
{
    char path[4096];
    float values[N];
    CUmodule module;
    snprintf(path, sizeof path, "%s/%s.so", modules, file);
    DO(cuModuleLoad(&module, path));
    DO(cuModuleGetFunction(&function, module, kernel));
    for (int i = 0; i < N; i++)
        values[i] = (float)(i * 7919 % 1009) / 8;
    for (int i = 0; i < 2; i++) {
        DO(cuMemAlloc(&buffer[i], sizeof values));
        DO(cuMemcpyHtoD(buffer[i], values, sizeof values));
    }
}

int main(int count, char **words)
{
    CUdevice device;
    CUcontext context;
    int launches = count == 5 ? atoi(words[3]) : 0;
    if (launches < QUARTERS)
        return 2;
    DO(cuInit(0));
    DO(cuDeviceGet(&device, 0));
    DO(cuCtxCreate(&context, NULL, 0, device));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!strcmp(cases[i].name, words[1])) {
            prepare(words[2], cases[i].module, cases[i].kernel);
            run(cases[i].launch, launches);
            write_buffers(words[4]);
        }
    DO(cuCtxDestroy(context));
    return 0;
}
