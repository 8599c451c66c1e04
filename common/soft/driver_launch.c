/* driver_launch.c: launches, and what is known of a kernel.
 *
 * The kernels of a promoted module have one more parameter, the place of the launch on a larger
 * grid (struct soft_place). The executor takes it into account; the kernel's code does not see it.
 */
#include <stdlib.h>
#include <string.h>

#include "soft_driver.h"

static size_t aligned(size_t bytes, size_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

static size_t argument_bytes(const struct CUfunc_st *function)
{
    return function->module->promoted ? driver_place_offset(function) + sizeof(struct soft_place)
                                      : function->kernel->argument_bytes;
}

/* ---- arguments ---- */

static void gather(char *arguments, const struct CUfunc_st *function, void **parameters)
{
    const struct module_kernel *kernel = function->kernel;

    for (size_t i = 0; i < kernel->parameter_count; i++)
        memcpy(arguments + kernel->parameters[i].offset, parameters[i],
               kernel->parameters[i].bytes);
    if (function->module->promoted)
        memcpy(arguments + driver_place_offset(function), parameters[kernel->parameter_count],
               sizeof(struct soft_place));
}

/* The buffer of arguments that CU_LAUNCH_PARAM_BUFFER_POINTER gives; NULL if that is no good. */
static const void *packed(const struct CUfunc_st *function, void **extra)
{
    const void *buffer = NULL;
    size_t bytes = 0;

    for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(const size_t *)extra[1];
        else
            return NULL;
    }
    return bytes >= argument_bytes(function) ? buffer : NULL;
}

/* A copy of the arguments; *result says why there is none. */
static char *bind(const struct CUfunc_st *function, void **parameters, void **extra,
                  CUresult *result)
{
    size_t bytes = argument_bytes(function);
    const void *buffer = extra && !parameters ? packed(function, extra) : NULL;

    *result = CUDA_ERROR_INVALID_VALUE;
    if ((extra && !buffer) || (bytes > 0 && !parameters && !buffer))
        return NULL;
    char *arguments = aligned_alloc(64, aligned(bytes + 1, 64));
    *result = arguments ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    if (arguments && buffer)
        memcpy(arguments, buffer, bytes);
    else if (arguments && bytes > 0)
        gather(arguments, function, parameters);
    return arguments;
}

/* ---- launches ---- */

/* A kernel on a GPU would take its thread indices from one and its block indices from the other. */
static bool place_agrees(const struct soft_kernel *kernel)
{
    const struct soft_place *place = &kernel->place;

    for (int d = 0; d < 3; d++)
        if (place->first_thread[d] != place->offset[d] * kernel->block[d])
            return false;
    return true;
}

static CUresult launch_kernel(CUfunction function, struct soft_kernel kernel, CUstream stream,
                              void **parameters, void **extra)
{
    CUcontext context;
    CUresult result = driver_begin(&context);

    if (result == CUDA_SUCCESS)
        result = driver_check_function(function, context);
    if (result == CUDA_SUCCESS && kernel.cooperative && function->module->promoted)
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result != CUDA_SUCCESS)
        return result;
    kernel.arguments = bind(function, parameters, extra, &result);
    if (!kernel.arguments)
        return result;
    kernel.name = function->kernel->name;
    kernel.run_thread = function->kernel->run_thread;
    kernel.release = free;
    kernel.prepare = driver_image_kernels(function->module->image)->prepare;
    if (function->module->promoted)
        memcpy(&kernel.place, (char *)kernel.arguments + driver_place_offset(function),
               sizeof kernel.place);
    if (!place_agrees(&kernel)) {
        free(kernel.arguments);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return driver_result((cudaError_t)soft_launch(&kernel, stream));
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **parameters, void **extra)
{
    struct soft_kernel kernel = {.grid = {grid_x, grid_y, grid_z},
                                 .block = {block_x, block_y, block_z},
                                 .shared_bytes = shared_bytes};

    return launch_kernel(function, kernel, stream, parameters, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void **parameters)
{
    struct soft_kernel kernel = {.grid = {grid_x, grid_y, grid_z},
                                 .block = {block_x, block_y, block_z},
                                 .shared_bytes = shared_bytes,
                                 .cooperative = true};

    return launch_kernel(function, kernel, stream, parameters, NULL);
}

/* Clusters of one block are no clusters; wishes about scheduling are without effect. */
static CUresult apply(const CUlaunchAttribute *attribute, struct soft_kernel *kernel)
{
    switch (attribute->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        kernel->cooperative = attribute->value.cooperative != 0;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        return attribute->value.clusterDim.x <= 1 && attribute->value.clusterDim.y <= 1 &&
                       attribute->value.clusterDim.z <= 1
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_NOT_SUPPORTED;
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *configuration, CUfunction function,
                          void **parameters, void **extra)
{
    const CUlaunchConfig *c = configuration;
    CUresult result = CUDA_SUCCESS;

    if (!c || (c->numAttrs > 0 && !c->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    struct soft_kernel kernel = {.grid = {c->gridDimX, c->gridDimY, c->gridDimZ},
                                 .block = {c->blockDimX, c->blockDimY, c->blockDimZ},
                                 .shared_bytes = c->sharedMemBytes};
    for (unsigned i = 0; i < c->numAttrs && result == CUDA_SUCCESS; i++)
        result = apply(&c->attrs[i], &kernel);
    return result == CUDA_SUCCESS ? launch_kernel(function, kernel, c->hStream, parameters, extra)
                                  : result;
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user_data)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_result(cudaLaunchHostFunc(stream, function, user_data))
                                  : result;
}
