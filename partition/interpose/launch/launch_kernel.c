/* launch_kernel.c: which way a launch takes. */
#include "launch_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "partition/interpose/report/counters.h"
#include "partition/interpose/report/reasons.h"

#include "run_launch.h"

/* A launch that runs on device 0 as the program made it. */
struct plain_launch {
    const CUlaunchConfig *configuration;
    CUfunction handle;
    void **parameters, **extra;
};

static CUresult launch_plain(CUstream stream, void *task)
{
    const struct plain_launch *launch = task;
    CUlaunchConfig configuration = *launch->configuration;
    configuration.hStream = stream;
    if (configuration.numAttrs)
        return real.cuLaunchKernelEx(&configuration, launch->handle, launch->parameters,
                                     launch->extra);
    return real.cuLaunchKernel(
        launch->handle, configuration.gridDimX, configuration.gridDimY, configuration.gridDimZ,
        configuration.blockDimX, configuration.blockDimY, configuration.blockDimZ,
        configuration.sharedMemBytes, stream, launch->parameters, launch->extra);
}

static CUresult run_plain(struct virtual_gpu *gpu, struct plain_launch *launch, const char *reason)
{
    const char *name;
    counters.launches++;
    counters.one_device++;
    name = functions_name(launch->handle);
    return run_on_first_device(
        gpu, &(struct first_device_task){
                 .kernel = name, .reason = reason, .run = launch_plain, .task = launch});
}

/* What becomes part of a graph is not run now. */
static CUresult capture(struct virtual_gpu *gpu, struct plain_launch *launch, const char *unused)
{
    (void)gpu;
    (void)unused;
    return launch_plain(launch->configuration->hStream, launch);
}

/* A kernel that was promoted takes its place on the grid wherever it runs. */
static CUresult run_whole(struct virtual_gpu *gpu, const CUlaunchConfig *configuration,
                          const struct launch_request *request,
                          CUresult (*run)(struct virtual_gpu *, struct plain_launch *,
                                          const char *))
{
    const struct function *function = request->function;
    const unsigned *grid = request->shape.grid;
    struct partition_place place = {.grid = {grid[0], grid[1], grid[2]}};
    void **parameters = calloc(function->parameters + 1, sizeof *parameters);
    if (!parameters)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < function->parameters; i++)
        parameters[i] = (void *)(request->arguments + function->offset[i]);
    parameters[function->parameters] = &place;
    struct plain_launch launch = {configuration, function->handle[0], parameters, NULL};
    CUresult result = run(gpu, &launch,
                          "it is launched with attributes (cooperative, cluster, ...) that "
                          "hold for one device");
    free(parameters);
    return result;
}

static bool is_empty(const struct partition_shape *shape)
{
    return !shape->grid[0] || !shape->grid[1] || !shape->grid[2] || !shape->block[0] ||
           !shape->block[1] || !shape->block[2];
}

static CUresult launch_or_capture(struct virtual_gpu *gpu, const CUlaunchConfig *configuration,
                                  CUfunction handle, void **parameters, void **extra,
                                  bool is_captured)
{
    char why[REASON_BYTES] = "";
    struct function *function;
    struct plain_launch plain = {configuration, handle, parameters, extra};
    if (functions_by_handle(gpu, handle, &function) != DM_OK)
        reasons_keep(why);
    else if (!function->module->promoted)
        strcpy(why, function->module->one_device);
    if (*why)
        return (is_captured ? capture : run_plain)(gpu, &plain, why);
    struct launch_request request = {
        .function = function,
        .shape = {{configuration->gridDimX, configuration->gridDimY, configuration->gridDimZ},
                  {configuration->blockDimX, configuration->blockDimY, configuration->blockDimZ}},
        .shared_bytes = configuration->sharedMemBytes};
    if (is_empty(&request.shape) || (function->parameters && !parameters && !extra))
        return CUDA_ERROR_INVALID_VALUE;
    enum dm_status status =
        launches_pack(gpu->launches, function, parameters, extra, &request.arguments);
    if (status != DM_OK)
        return result_of(status);
    if (is_captured)
        return run_whole(gpu, configuration, &request, capture);
    return configuration->numAttrs ? run_whole(gpu, configuration, &request, run_plain)
                                   : run_launch(gpu, &request);
}

#ifdef SOFTGPU
CUresult launch_kernel(struct virtual_gpu *gpu, const CUlaunchConfig *configuration,
                       CUfunction handle, void **parameters, void **extra)
{
    return launch_or_capture(gpu, configuration, handle, parameters, extra, false);
}
#else
/* Its module may have to be loaded, which is forbidden while threads capture strictly. */
CUresult launch_kernel(struct virtual_gpu *gpu, const CUlaunchConfig *configuration,
                       CUfunction handle, void **parameters, void **extra)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    bool is_captured = virtual_gpu_is_captured(gpu, configuration->hStream);
    if (gpu->captures)
        real.cuThreadExchangeStreamCaptureMode(&mode);
    CUresult result = launch_or_capture(gpu, configuration, handle, parameters, extra, is_captured);
    if (gpu->captures)
        real.cuThreadExchangeStreamCaptureMode(&mode);
    return result;
}
#endif
