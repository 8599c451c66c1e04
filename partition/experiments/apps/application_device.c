#include "application_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/random.h"

#if defined(SOFTGPU)
#define MODULE_ENDING "so"
#else
#define MODULE_ENDING "ptx"
#endif

enum { PAGE = 4096 };

void application_note(struct application_run *run, CUresult result, const char *call)
{
    const char *cause = NULL;
    if (result == CUDA_SUCCESS)
        return;
    if (cuGetErrorString(result, &cause) != CUDA_SUCCESS || !cause)
        cause = "unknown error";
    fprintf(stderr, "%s: %s (%d)\n", call, cause, (int)result);
    run->error = (int)result;
}

void application_require(struct application_run *run, bool right, const char *sentence)
{
    if (run->error || right)
        return;
    fprintf(stderr, "%s\n", sentence);
    run->error = CUDA_ERROR_INVALID_VALUE;
}

CUresult application_context(CUcontext *context, CUdevice device)
{
    CUresult result = cuDevicePrimaryCtxRetain(context, device);
    return result == CUDA_SUCCESS ? cuCtxSetCurrent(*context) : result;
}

static CUresult own_context(CUcontext *context, CUdevice device)
{
#if CUDA_VERSION >= 13000
    return cuCtxCreate(context, NULL, 0, device);
#else
    return cuCtxCreate(context, 0, device);
#endif
}

void application_module(struct application_run *run, const struct application_input *input,
                        const char *name, CUmodule *module)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s." MODULE_ENDING, input->modules, name);
    application_require(run, length > 0 && (size_t)length < sizeof path,
                        "the path of the modules is too long");
    if (run->error)
        return;
    CUresult result = cuModuleLoad(module, path);
    if (result != CUDA_SUCCESS)
        fprintf(stderr, "%s: ", path);
    application_note(run, result, "cuModuleLoad");
}

static void make_context(struct application_run *run)
{
    if (run->error)
        return;
    if (run->own)
        application_note(run, own_context(&run->context, run->device), "cuCtxCreate");
    else
        application_note(run, application_context(&run->context, run->device),
                         "cuDevicePrimaryCtxRetain");
}

static void begin(struct application_run *run, const struct application_input *input,
                  const char *module, bool own)
{
    int devices = 0;
    *run = (struct application_run){.own = own};
    application_require(run, input->n > 0 && input->iterations >= 0,
                        "n must be positive, and iterations not negative");
    attempt(run, cuInit(0));
    attempt(run, cuDeviceGetCount(&devices));
    attempt(run, devices > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE);
    attempt(run, cuDeviceGet(&run->device, 0));
    make_context(run);
    application_module(run, input, module, &run->module);
}

void application_begin(struct application_run *run, const struct application_input *input,
                       const char *module)
{
    begin(run, input, module, false);
}

void application_begin_own(struct application_run *run, const struct application_input *input,
                           const char *module)
{
    begin(run, input, module, true);
}

CUdeviceptr application_buffer(struct application_run *run, size_t bytes)
{
    CUdeviceptr buffer = 0;
    application_require(run, run->buffer_count < APPLICATION_OBJECTS, "too many buffers");
    attempt(run, cuMemAlloc(&buffer, bytes));
    if (!run->error)
        run->buffers[run->buffer_count++] = buffer;
    return buffer;
}

void *application_host(struct application_run *run, size_t bytes)
{
    application_require(run, run->host_count < APPLICATION_OBJECTS, "too many arrays");
    if (run->error)
        return NULL;
    size_t whole_pages = (bytes + PAGE - 1) / PAGE * PAGE;
    void *array = aligned_alloc(PAGE, whole_pages ? whole_pages : PAGE);
    attempt(run, array ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
    attempt(run, cuMemHostRegister(array, whole_pages, CU_MEMHOSTREGISTER_PORTABLE));
    if (run->error) {
        free(array);
        return NULL;
    }
    run->host[run->host_count++] = array;
    return array;
}

CUfunction application_function(struct application_run *run, const char *name)
{
    CUfunction function = NULL;
    attempt(run, cuModuleGetFunction(&function, run->module, name));
    return function;
}

void application_block(struct application_run *run, const struct application_input *input,
                       unsigned x, unsigned y, unsigned z, unsigned block[3])
{
    const unsigned defaults[3] = {x, y, z};
    for (int d = 0; d < 3; d++) {
        block[d] = input->block[d] > 0 ? (unsigned)input->block[d] : defaults[d];
        application_require(run, defaults[d] > 1 || block[d] == 1,
                            "the block has more dimensions than the kernel uses");
    }
}

static unsigned blocks_for(size_t threads, unsigned block)
{
    return (unsigned)((threads + block - 1) / block);
}

void application_launch(struct application_run *run, CUfunction function, size_t x, size_t y,
                        size_t z, const unsigned block[3], CUstream stream, void **parameters)
{
    attempt(run, cuLaunchKernel(function, blocks_for(x, block[0]), blocks_for(y, block[1]),
                                blocks_for(z, block[2]), block[0], block[1], block[2], 0, stream,
                                parameters, NULL));
}

double application_lap(struct application_run *run)
{
    double now = clock_now_s();
    double seconds = now - run->mark;
    run->mark = now;
    return seconds;
}

/* Frees even after an error; a broken context refuses, which the first error explains. */
static void free_device(struct application_run *run)
{
    for (size_t i = 0; i < run->buffer_count; i++)
        cuMemFree(run->buffers[i]);
    for (size_t i = 0; i < run->host_count; i++)
        cuMemHostUnregister(run->host[i]);
    if (run->module)
        cuModuleUnload(run->module);
    if (run->context && run->own)
        cuCtxDestroy(run->context);
    else if (run->context)
        cuDevicePrimaryCtxRelease(run->device);
}

int application_end(struct application_run *run, void *kept, size_t kept_bytes, void **result,
                    size_t *result_bytes)
{
    free_device(run);
    for (size_t i = 0; i < run->host_count; i++)
        if (run->error || run->host[i] != kept)
            free(run->host[i]);
    *result = run->error ? NULL : kept;
    *result_bytes = run->error ? 0 : kept_bytes;
    return run->error;
}

void application_fill(float *values, size_t count, uint64_t seed, float low, float high)
{
    if (!values)
        return;
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        values[i] = low + (high - low) * (float)random_uniform(seed, i);
}

float *application_filled(size_t count, uint64_t seed, float low, float high)
{
    float *values = allocate_or_fail(count, sizeof *values);
    application_fill(values, count, seed, low, high);
    return values;
}
