/* driver_module.c: modules, and the kernels and variables in them. */
#include <stdlib.h>
#include <string.h>

#include "softgpu/module.h"

#include "soft_driver.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUmod_st *modules; /* all that are loaded; guarded by lock */

/* ---- loading ---- */

static struct CUmod_st *make(CUcontext context, struct driver_image *image)
{
    const struct module_kernels *kernels = driver_image_kernels(image);
    struct CUmod_st *module = calloc(1, sizeof *module);
    struct CUfunc_st *functions = calloc(kernels->count + 1, sizeof *functions);

    if (!module || !functions) {
        free(module);
        free(functions);
        return NULL;
    }
    for (size_t i = 0; i < kernels->count; i++)
        functions[i] = (struct CUfunc_st){module, &kernels->kernels[i]};
    *module = (struct CUmod_st){.context = context,
                                .image = image,
                                .function_count = kernels->count,
                                .functions = functions};
    return module;
}

static CUresult add(CUmodule *module, CUcontext context, struct driver_image *image)
{
    struct CUmod_st *made = make(context, image);

    if (!made) {
        driver_image_unload(image);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&lock);
    made->next = modules;
    modules = made;
    pthread_mutex_unlock(&lock);
    *module = made;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    CUcontext context;
    CUresult result = driver_begin(&context);

    if (result == CUDA_SUCCESS && (!module || !path))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    struct driver_image *image = driver_image_from_file(path, &result);
    return image ? add(module, context, image) : result;
}

static CUresult load_data(CUmodule *module, const void *bytes)
{
    CUcontext context;
    CUresult result = driver_begin(&context);

    if (result == CUDA_SUCCESS && (!module || !bytes))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    struct driver_image *image = driver_image_from_memory(bytes, &result);
    return image ? add(module, context, image) : result;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return load_data(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return load_data(module, image);
}

/* The options are for the compiler of PTX, which is not there. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned option_count,
                            CUjit_option *options, void **option_values)
{
    if (option_count > 0 && (!options || !option_values))
        return CUDA_ERROR_INVALID_VALUE;
    return load_data(module, image);
}

/* ---- unloading ---- */

/* Takes the first module out of the list that is the given one, or of the given context. */
static struct CUmod_st *take(CUmodule module, CUcontext context)
{
    struct CUmod_st **place = &modules, *found;

    pthread_mutex_lock(&lock);
    while (*place && *place != module && !(context && (*place)->context == context))
        place = &(*place)->next;
    found = *place;
    if (found)
        *place = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

static void destroy(struct CUmod_st *module)
{
    struct allocation variable;

    while (allocation_of_device(module->context->device, 1u << MODULE_MEMORY, module, &variable))
        allocation_take((void *)variable.base, 1u << MODULE_MEMORY, &variable);
    driver_image_unload(module->image);
    free(module->functions);
    free(module);
}

/* Waits for the device, which may be running the module's kernels. */
CUresult cuModuleUnload(CUmodule module)
{
    CUresult result = driver_begin(NULL);
    struct CUmod_st *found = result == CUDA_SUCCESS && module ? take(module, NULL) : NULL;

    if (result == CUDA_SUCCESS && !found)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (found) {
        device_wait(device_numbered(found->context->device));
        destroy(found);
    }
    return result;
}

void driver_unload_modules(CUcontext context)
{
    for (struct CUmod_st *module; (module = take(NULL, context));)
        destroy(module);
}

/* ---- what is in a module ---- */

/* lock is held */
static bool is_loaded(CUmodule module)
{
    struct CUmod_st *known = modules;

    while (known && known != module)
        known = known->next;
    return known != NULL;
}

/* lock is held */
static bool is_function(CUfunction function)
{
    for (struct CUmod_st *module = modules; module; module = module->next)
        if (function >= module->functions && function < module->functions + module->function_count)
            return true;
    return false;
}

/* `context` NULL: any. */
CUresult driver_check_function(CUfunction function, CUcontext context)
{
    pthread_mutex_lock(&lock);
    bool good = is_function(function) && (!context || function->module->context == context);
    pthread_mutex_unlock(&lock);
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult check_module(CUmodule module)
{
    CUresult result = driver_begin(NULL);

    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    bool good = is_loaded(module);
    pthread_mutex_unlock(&lock);
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    CUresult result = check_module(module);

    if (result == CUDA_SUCCESS && (!function || !name))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    for (size_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i].kernel->name, name) == 0) {
            *function = &module->functions[i];
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

/* From now on copies know the variable as memory of the device. */
static CUresult announce(CUmodule module, void *variable, size_t bytes)
{
    struct allocation allocation = {.base = (uintptr_t)variable,
                                    .bytes = bytes,
                                    .kind = MODULE_MEMORY,
                                    .device = module->context->device,
                                    .owner = module,
                                    .shared_file = -1};
    cudaError_t error = allocation_insert(&allocation);

    /* It was asked for before. */
    return error == cudaErrorHostMemoryAlreadyRegistered ? CUDA_SUCCESS : driver_result(error);
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
    size_t size;
    CUresult result = check_module(module);

    if (result == CUDA_SUCCESS && !name)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    void *variable = driver_image_variable(module->image, name, &size);
    if (!variable)
        return CUDA_ERROR_NOT_FOUND;
    result = announce(module, variable, size);
    if (result != CUDA_SUCCESS)
        return result;
    if (address)
        *address = driver_address(variable);
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}

CUresult softModulePromote(CUmodule module)
{
    CUresult result = check_module(module);

    if (result == CUDA_SUCCESS)
        module->promoted = true;
    return result;
}
