/* driver_function.c: what a kernel says about itself, and what it may be told. */
#include "soft_driver.h"

static CUresult begin(CUfunction function)
{
    CUresult result = driver_begin(NULL);

    return result == CUDA_SUCCESS ? driver_check_function(function, NULL) : result;
}

static int value_of(const struct cudaFuncAttributes *a, CUfunction_attribute attribute, bool *known)
{
    *known = true;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        return a->maxThreadsPerBlock;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: /* static memory: not known here */
        return (int)a->sharedSizeBytes;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        return (int)a->constSizeBytes;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        return (int)a->localSizeBytes;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        return a->numRegs;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        return a->ptxVersion;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        return a->binaryVersion;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        return a->cacheModeCA;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        return a->maxDynamicSharedSizeBytes;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return a->preferredShmemCarveout;
    }
    *known = false;
    return 0;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    struct cudaFuncAttributes attributes;
    bool known;
    CUresult result = begin(function);

    if (result == CUDA_SUCCESS)
        result = driver_result(cudaFuncGetAttributes(&attributes, function));
    if (result != CUDA_SUCCESS)
        return result;
    int found = value_of(&attributes, attribute, &known);
    if (!known || !value)
        return CUDA_ERROR_INVALID_VALUE;
    *value = found;
    return CUDA_SUCCESS;
}

/* The two attributes that can be set have the same numbers in both APIs. */
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    CUresult result = begin(function);

    return result == CUDA_SUCCESS ? driver_result(cudaFuncSetAttribute(
                                        function, (enum cudaFuncAttribute)(int)attribute, value))
                                  : result;
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache configuration)
{
    CUresult result = begin(function);

    return result == CUDA_SUCCESS ? driver_result(cudaFuncSetCacheConfig(
                                        function, (enum cudaFuncCache)(int)configuration))
                                  : result;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    CUresult result = begin(function);

    if (result == CUDA_SUCCESS && !module)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *module = function->module;
    return result;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    CUresult result = begin(function);

    if (result == CUDA_SUCCESS && !name)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *name = function->kernel->name;
    return result;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    CUresult result = begin(function);

    if (result != CUDA_SUCCESS)
        return result;
    const struct module_kernel *kernel = function->kernel;
    size_t count = kernel->parameter_count + function->module->promoted;
    if (!offset || index >= count)
        return CUDA_ERROR_INVALID_VALUE;
    struct module_parameter place = {driver_place_offset(function), sizeof(struct soft_place)};
    struct module_parameter parameter =
        index < kernel->parameter_count ? kernel->parameters[index] : place;
    *offset = parameter.offset;
    if (size)
        *size = parameter.bytes;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int threads_per_block, size_t shared_bytes)
{
    CUresult result = begin(function);

    return result == CUDA_SUCCESS ? driver_result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                        blocks, function, threads_per_block, shared_bytes))
                                  : result;
}
