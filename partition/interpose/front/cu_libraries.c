/* cu_libraries.c: interposed calls on libraries, which is how CUDA's run time hands over what nvcc
 * put into a program. The program keeps the driver's handles; what they stand for on all devices is
 * found when it is used. */
#ifndef SOFTGPU

#include "partition/interpose/gpu/order.h"
#include "partition/interpose/modules/libraries.h"

CUresult CUDAAPI cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options,
                                   void **option_values, unsigned option_count,
                                   CUlibraryOption *library_options, void **library_option_values,
                                   unsigned library_option_count)
{
    real_driver_load();
    CUresult result =
        real.cuLibraryLoadData(library, code, options, option_values, option_count, library_options,
                               library_option_values, library_option_count);
    if (result == CUDA_SUCCESS && virtual_gpu_is_on())
        libraries_loaded(*library, code, NULL);
    return result;
}

CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options,
                                       void **option_values, unsigned option_count,
                                       CUlibraryOption *library_options,
                                       void **library_option_values, unsigned library_option_count)
{
    real_driver_load();
    CUresult result =
        real.cuLibraryLoadFromFile(library, path, options, option_values, option_count,
                                   library_options, library_option_values, library_option_count);
    if (result == CUDA_SUCCESS && virtual_gpu_is_on())
        libraries_loaded(*library, NULL, path);
    return result;
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary library)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_any();
    libraries_unloaded(gpu, library);
    CUresult result = real.cuLibraryUnload(library);
    return gpu ? virtual_gpu_leave_any(gpu, result) : result;
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    real_driver_load();
    CUresult result = real.cuLibraryGetKernel(kernel, library, name);
    if (result == CUDA_SUCCESS)
        libraries_kernel(library, *kernel, name);
    return result;
}

CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library)
{
    real_driver_load();
    CUresult result = real.cuLibraryEnumerateKernels(kernels, count, library);
    for (unsigned i = 0; result == CUDA_SUCCESS && i < count && kernels[i]; i++) {
        const char *name;
        if (real.cuKernelGetName(&name, kernels[i]) == CUDA_SUCCESS && name)
            libraries_kernel(library, kernels[i], name);
    }
    return result;
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule *handle, CUlibrary library)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuLibraryGetModule(handle, library);
    const struct module *module = handle ? libraries_module(gpu, library) : NULL;
    if (!module)
        return virtual_gpu_leave(gpu, real.cuLibraryGetModule(handle, library));
    *handle = module->handle[0];
    return virtual_gpu_leave(gpu, CUDA_SUCCESS);
}

/* Symbols of the program (cudaMemcpyToSymbol). */
CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                                    const char *name)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuLibraryGetGlobal(address, bytes, library, name);
    struct module *module = name ? libraries_module(gpu, library) : NULL;
    CUresult result = module ? modules_get_global(gpu, module, name, address, bytes)
                             : real.cuLibraryGetGlobal(address, bytes, library, name);
    return virtual_gpu_leave(gpu, result);
}

CUresult CUDAAPI cuKernelGetFunction(CUfunction *handle, CUkernel kernel)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    struct function *function = NULL;
    bool is_known;
    if (!gpu)
        return real.cuKernelGetFunction(handle, kernel);
    if (!handle || libraries_function(gpu, (CUfunction)kernel, &function, &is_known) != DM_OK)
        return virtual_gpu_leave(gpu, real.cuKernelGetFunction(handle, kernel));
    *handle = function->handle[0];
    return virtual_gpu_leave(gpu, CUDA_SUCCESS);
}

/* The function on all devices gets what the program's handle has got. */
static CUresult set_on_all(struct virtual_gpu *gpu, CUkernel kernel,
                           CUresult (*set)(CUfunction function, const int *values),
                           const int *values)
{
    struct function *function;
    bool is_known;
    libraries_function(gpu, (CUfunction)kernel, &function, &is_known);
    CUresult result = CUDA_SUCCESS;
    for (int d = function ? gpu->devices : 0; d-- > 0 && result == CUDA_SUCCESS;) {
        result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = set(function->handle[d], values);
    }
    return result;
}

static CUresult set_attribute(CUfunction function, const int *values)
{
    return real.cuFuncSetAttribute(function, (CUfunction_attribute)values[0], values[1]);
}

CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                                      CUdevice device)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    CUresult result = real.cuKernelSetAttribute(attribute, value, kernel, device);
    if (!gpu)
        return result;
    if (result == CUDA_SUCCESS)
        result = set_on_all(gpu, kernel, set_attribute, (int[]){(int)attribute, value});
    return virtual_gpu_leave(gpu, result);
}

static CUresult set_cache(CUfunction function, const int *values)
{
    return real.cuFuncSetCacheConfig(function, (CUfunc_cache)values[0]);
}

CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache configuration,
                                        CUdevice device)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    CUresult result = real.cuKernelSetCacheConfig(kernel, configuration, device);
    if (!gpu)
        return result;
    if (result == CUDA_SUCCESS)
        result = set_on_all(gpu, kernel, set_cache, (int[]){(int)configuration});
    return virtual_gpu_leave(gpu, result);
}

#endif
