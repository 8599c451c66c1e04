/* cu_modules.c: interposed calls on modules and functions. */
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/modules/modules.h"

static CUresult load(struct virtual_gpu *gpu, CUmodule *module, const struct image *image)
{
    bool good = module && (image->path || image->data);
    return virtual_gpu_leave(gpu,
                             good ? modules_load(gpu, image, module) : CUDA_ERROR_INVALID_VALUE);
}

CUresult CUDAAPI cuModuleLoad(CUmodule *module, const char *path)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuModuleLoad(module, path);
    return load(gpu, module, &(struct image){.path = path});
}

CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *data)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuModuleLoadData(module, data);
    return load(gpu, module, &(struct image){.data = data});
}

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module, const void *data, unsigned option_count,
                                    CUjit_option *options, void **option_values)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuModuleLoadDataEx(module, data, option_count, options, option_values);
    return load(gpu, module, &(struct image){NULL, data, option_count, options, option_values});
}

CUresult CUDAAPI cuModuleUnload(CUmodule handle)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuModuleUnload(handle);
    struct module *module = modules_find(gpu, handle);
    return virtual_gpu_leave(gpu,
                             module ? modules_unload(gpu, module) : real.cuModuleUnload(handle));
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuModuleGetFunction(function, handle, name);
    struct module *module = modules_find(gpu, handle);
    if (!module || !function || !name)
        return virtual_gpu_leave(gpu, real.cuModuleGetFunction(function, handle, name));
    return virtual_gpu_leave(gpu, functions_get(gpu, module, name, function));
}

CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule handle,
                                      const char *name)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuModuleGetGlobal_v2(address, bytes, handle, name);
    struct module *module = modules_find(gpu, handle);
    if (!module || !name)
        return virtual_gpu_leave(gpu, real.cuModuleGetGlobal_v2(address, bytes, handle, name));
    return virtual_gpu_leave(gpu, modules_get_global(gpu, module, name, address, bytes));
}

/* The function's handles on the devices that have it. */
static int copies_of(const struct virtual_gpu *gpu, const struct function *function)
{
    return function && function->module->promoted ? gpu->devices : 1;
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuFuncSetAttribute(handle, attribute, value);
    const struct function *function = functions_find(gpu, handle);
    CUresult result = CUDA_SUCCESS;
    for (int d = copies_of(gpu, function); d-- > 0 && result == CUDA_SUCCESS;) {
        result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result =
                real.cuFuncSetAttribute(function ? function->handle[d] : handle, attribute, value);
    }
    return virtual_gpu_leave(gpu, result);
}

CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache configuration)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuFuncSetCacheConfig(handle, configuration);
    const struct function *function = functions_find(gpu, handle);
    CUresult result = CUDA_SUCCESS;
    for (int d = copies_of(gpu, function); d-- > 0 && result == CUDA_SUCCESS;) {
        result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result =
                real.cuFuncSetCacheConfig(function ? function->handle[d] : handle, configuration);
    }
    return virtual_gpu_leave(gpu, result);
}

/* The place that promotion has added is not the program's. */
CUresult CUDAAPI cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *size)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuFuncGetParamInfo(handle, index, offset, size);
    const struct function *function = functions_find(gpu, handle);
    bool hidden = function && function->module->promoted && index >= function->parameters;
    return virtual_gpu_leave(gpu, hidden ? CUDA_ERROR_INVALID_VALUE
                                         : real.cuFuncGetParamInfo(handle, index, offset, size));
}
