/* functions.c: a module's kernels on all devices. */
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/error.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/launch/accesses.h"
#include "partition/interpose/launch/numbers.h"

#include "libraries.h"
#include "modules.h"

struct function *functions_find(const struct virtual_gpu *gpu, CUfunction handle)
{
    for (struct module *module = gpu->modules; module; module = module->next)
        for (struct function *function = module->functions; function; function = function->next)
            if (function->handle[0] == handle)
                return function;
    return NULL;
}

enum dm_status functions_by_handle(struct virtual_gpu *gpu, CUfunction handle,
                                   struct function **function)
{
#ifndef SOFTGPU
    bool is_known;
    enum dm_status status = libraries_function(gpu, handle, function, &is_known);
    if (is_known)
        return status;
#endif
    *function = functions_find(gpu, handle);
    return *function ? DM_OK
                     : dm_fail(DM_UNAVAILABLE, "its module was loaded in a way that is not known");
}

const char *functions_name(CUfunction handle)
{
    const char *name = NULL;
#ifndef SOFTGPU
    name = libraries_kernel_name(handle);
#endif
    if (!name && real.cuFuncGetName(&name, handle) != CUDA_SUCCESS)
        name = NULL;
    return name ? name : "(without a name)";
}

void functions_free(struct function *function)
{
    accesses_free(function);
    numbers_free(function);
    free(function->name);
    free(function->handle);
    free(function->offset);
    free(function->size);
    free(function);
}

static struct function *make_function(const struct virtual_gpu *gpu, struct module *module,
                                      const char *name)
{
    struct function *function = calloc(1, sizeof *function);
    if (!function)
        return NULL;
    function->module = module;
    function->name = strdup(name);
    function->handle = calloc(gpu->devices, sizeof *function->handle);
    if (function->name && function->handle)
        return function;
    functions_free(function);
    return NULL;
}

static CUresult get_handles(struct virtual_gpu *gpu, struct function *function)
{
    struct module *module = function->module;
    int copies = module->promoted ? gpu->devices : 1;
    CUresult result = CUDA_SUCCESS;
    for (int d = copies; d-- > 0 && result == CUDA_SUCCESS;) {
        result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result =
                real.cuModuleGetFunction(&function->handle[d], module->handle[d], function->name);
    }
    return result;
}

static bool add_parameter(struct function *function, size_t offset, size_t size)
{
    size_t count = function->parameters + 1;
    size_t *offsets = realloc(function->offset, count * sizeof *offsets);
    if (offsets)
        function->offset = offsets;
    size_t *sizes = realloc(function->size, count * sizeof *sizes);
    if (sizes)
        function->size = sizes;
    if (!offsets || !sizes)
        return false;
    offsets[function->parameters] = offset;
    sizes[function->parameters] = size;
    function->parameters = count;
    return true;
}

/* The parameters, without the place that promotion has added. */
static CUresult get_parameters(struct function *function)
{
    size_t offset, size;
    CUresult result;
    while ((result = real.cuFuncGetParamInfo(function->handle[0], function->parameters, &offset,
                                             &size)) == CUDA_SUCCESS)
        if (!add_parameter(function, offset, size))
            return CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_ERROR_INVALID_VALUE)
        return result;
    size_t last = function->parameters;
    if (!function->module->promoted)
        return CUDA_SUCCESS;
    if (!last || function->size[last - 1] != sizeof(struct partition_place))
        return CUDA_ERROR_INVALID_IMAGE;
    function->parameters--;
    if (last > 1)
        function->parameter_bytes = function->offset[last - 2] + function->size[last - 2];
    return CUDA_SUCCESS;
}

static size_t bytes_of(const struct partition_argument *argument)
{
    return argument->level ? sizeof(CUdeviceptr) : (argument->bits + 7) / 8;
}

static enum dm_status check_level(const struct partition_argument *argument)
{
    if (argument->level > 1)
        return dm_fail(DM_UNAVAILABLE, "argument %.40s is a pointer to pointers", argument->name);
    return DM_OK;
}

static enum dm_status check_argument(const struct function *function,
                                     const struct partition_kernel *kernel, size_t i)
{
    const struct partition_argument *argument = &kernel->arguments[i];
    size_t bytes = bytes_of(argument);
    bool is_number = bytes <= sizeof(int64_t) || (!argument->decides && !argument->level);
    if (bytes != function->size[i] || !is_number)
        return dm_fail(DM_UNAVAILABLE,
                       "argument %.40s has %zu bytes by the data base and %zu in the module",
                       argument->name, bytes, function->size[i]);
    return check_level(argument);
}

size_t functions_own_arguments(const struct partition_kernel *kernel)
{
    size_t count = kernel->argument_count;
    while (count && kernel->arguments[count - 1].whole)
        count--;
    return count;
}

size_t functions_argument_at(const struct function *function, const struct partition_kernel *kernel,
                             size_t argument)
{
    const struct partition_argument *known = &kernel->arguments[argument];

    return known->whole ? function->offset[known->whole - 1] + known->offset
                        : function->offset[argument];
}

/* Members lie within their structures. */
static enum dm_status check_members(const struct function *function,
                                    const struct partition_kernel *kernel)
{
    for (size_t i = function->parameters; i < kernel->argument_count; i++) {
        const struct partition_argument *member = &kernel->arguments[i];
        if (member->whole > function->parameters ||
            member->offset + bytes_of(member) > function->size[member->whole - 1])
            return dm_fail(DM_UNAVAILABLE, "argument %.40s is no part of its structure",
                           member->name);
        TRY(check_level(member));
    }
    return DM_OK;
}

enum dm_status functions_check(const struct function *function,
                               const struct partition_kernel *kernel)
{
    size_t count = functions_own_arguments(kernel);
    if (count != function->parameters)
        return dm_fail(
            DM_UNAVAILABLE,
            "the data base names %zu arguments and the module %zu: analyse the kernel again", count,
            function->parameters);
    for (size_t i = 0; i < count; i++)
        TRY(check_argument(function, kernel, i));
    return check_members(function, kernel);
}

/* Fails where the kernel cannot be split. */
static enum dm_status find_kernel(struct function *function)
{
    const struct module *module = function->module;
    if (!module->promoted)
        return dm_fail(DM_UNAVAILABLE, "%s", module->one_device);
    if (!module->database)
        return dm_fail(DM_UNAVAILABLE, "%s", module->no_database);
    function->kernel = partition_database_find(module->database, function->name);
    if (!function->kernel)
        return dm_fail(DM_UNAVAILABLE, "the data base does not know it");
    const char *numbers = function->kernel->numbers;
    function->by_numbers = module->text && numbers && strlen(numbers) == function->parameters;
    if (function->kernel->refusal)
        return dm_fail(DM_UNAVAILABLE, "%s", function->kernel->refusal);
    return functions_check(function, function->kernel);
}

CUresult functions_get(struct virtual_gpu *gpu, struct module *module, const char *name,
                       CUfunction *handle)
{
    for (struct function *known = module->functions; known; known = known->next)
        if (!strcmp(known->name, name)) {
            *handle = known->handle[0];
            return CUDA_SUCCESS;
        }
    struct function *function = make_function(gpu, module, name);
    if (!function)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = get_handles(gpu, function);
    /* Without promotion its arguments are passed on as they come. */
    if (result == CUDA_SUCCESS && module->promoted)
        result = get_parameters(function);
    if (result != CUDA_SUCCESS) {
        functions_free(function);
        return result;
    }
    if (find_kernel(function) != DM_OK)
        reasons_keep(function->one_device);
    function->next = module->functions;
    module->functions = function;
    *handle = function->handle[0];
    return CUDA_SUCCESS;
}
