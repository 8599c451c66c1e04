/* modules.c: modules and their variables on all devices. */
#include "modules.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "partition/interpose/gpu/order.h"
#include "partition/interpose/launch/launches.h"
#include "partition/interpose/memory/buffers.h"
#include "partition/interpose/memory/contents.h"

#include "database_cache.h"
#include "module_check.h"
#include "promote_image.h"

struct module *modules_find(const struct virtual_gpu *gpu, CUmodule handle)
{
    struct module *module = gpu->modules;
    while (module && module->handle[0] != handle)
        module = module->next;
    return module;
}

/* Unloads what devices first, first + 1, ... end - 1 have of it. */
static CUresult unload(struct virtual_gpu *gpu, struct module *module, int first, int end)
{
    CUresult answer = CUDA_SUCCESS;
    for (int d = first; d < end; d++) {
        CUresult result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuModuleUnload(module->handle[d]);
        if (answer == CUDA_SUCCESS)
            answer = result;
    }
    return answer;
}

static void free_module(struct module *module)
{
    partition_database_free(module->database);
    free(module->text);
    free(module->handle);
    free(module);
}

static struct module *make_module(const struct virtual_gpu *gpu)
{
    struct module *module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    module->handle = calloc(gpu->devices, sizeof *module->handle);
    if (module->handle)
        return module;
    free_module(module);
    return NULL;
}

/* The path with its ending replaced by .db; the caller frees it. */
static char *beside(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    char *name = malloc(stem + sizeof ".db");
    if (name) {
        memcpy(name, path, stem);
        strcpy(name + stem, ".db");
    }
    return name;
}

static enum dm_status load_checked(struct module *module, const char *name,
                                   const struct image *image)
{
    struct partition_database *database;
    TRY(partition_database_load(&database, name));
    enum dm_status status = module_check(database, image);
    if (status != DM_OK) {
        partition_database_free(database);
        return error_within(status, "%s", name);
    }
    module->database = database;
    return DM_OK;
}

static enum dm_status load_database(const struct virtual_gpu *gpu, struct module *module,
                                    const struct image *image)
{
    const char *chosen = gpu->settings.database;
    char *name = *chosen ? strdup(chosen) : image->path ? beside(image->path) : NULL;
    if (!name && (*chosen || image->path))
        return dm_fail(DM_NO_MEMORY, "no host memory for the name of the data base");
    if (!name && !image_is_text(image))
        return dm_fail(DM_UNAVAILABLE, "its module was loaded from memory and no data base was "
                                       "named: set PARTITION_DATABASE");
    if (!name)
        TRY(database_cache_get(&gpu->settings, image->data, NULL, &name));
    enum dm_status status = load_checked(module, name, image);
    free(name);
    return status;
}

/* On all devices, or on none. */
static enum dm_status load_on_all(struct virtual_gpu *gpu, struct module *module,
                                  const struct image *promoted)
{
    for (int d = 0; d < gpu->devices; d++) {
        CUresult result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = image_load_promoted(promoted, &module->handle[d]);
        if (result == CUDA_SUCCESS)
            continue;
        unload(gpu, module, 0, d);
        return dm_fail(DM_UNAVAILABLE,
                       "its promoted module cannot be loaded on device %d (error %d)", d,
                       (int)result);
    }
    return DM_OK;
}

static enum dm_status load_promoted(struct virtual_gpu *gpu, struct module *module,
                                    const struct image *image)
{
    struct image promoted;
    TRY(image_promote(image, &promoted));
    enum dm_status status = load_on_all(gpu, module, &promoted);
    image_release(&promoted);
    return status;
}

/* Managed variables would have a place of their own in each module. */
static enum dm_status check_variables(const char *ptx)
{
    return strstr(ptx, ".attribute(.managed)")
               ? dm_fail(DM_UNAVAILABLE, "its file has __managed__ variables")
               : DM_OK;
}

/* Fails if no kernel can be split and of none is known which buffers it uses. */
static enum dm_status check_gain(const struct module *module)
{
    const struct partition_database *database = module->database;
    for (size_t i = 0; i < database->kernel_count; i++)
        if (!database->kernels[i].refusal || database->kernels[i].touches)
            return DM_OK;
    if (database->kernel_count == 0)
        return dm_fail(DM_UNAVAILABLE, "its data base holds no kernel");
    return dm_fail(DM_UNAVAILABLE, "%.200s", database->kernels[0].refusal);
}

enum dm_status modules_load_library(struct virtual_gpu *gpu, const char *ptx,
                                    struct module **loaded)
{
    const struct image image = {.data = ptx};
    struct module *module = make_module(gpu);
    if (!module)
        return dm_fail(DM_NO_MEMORY, "no host memory for a module");
    enum dm_status status = check_variables(ptx);
    if (status == DM_OK)
        status = load_database(gpu, module, &image);
    if (status == DM_OK)
        status = check_gain(module);
    if (status == DM_OK)
        status = load_promoted(gpu, module, &image);
    if (status != DM_OK) {
        free_module(module);
        return status;
    }
    module->promoted = true;
    module->text = strdup(ptx);
    module->next = gpu->modules;
    gpu->modules = module;
    *loaded = module;
    return DM_OK;
}

CUresult modules_load(struct virtual_gpu *gpu, const struct image *image, CUmodule *handle)
{
    struct module *module = make_module(gpu);
    if (!module)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = CUDA_SUCCESS;
    module->promoted = load_promoted(gpu, module, image) == DM_OK;
    if (!module->promoted) {
        reasons_keep(module->one_device);
        result = order_use(gpu, 0);
        if (result == CUDA_SUCCESS)
            result = image_load(image, &module->handle[0]);
    }
    if (result != CUDA_SUCCESS) {
        free_module(module);
        return result;
    }
    if (module->promoted && load_database(gpu, module, image) != DM_OK)
        reasons_keep(module->no_database);
    module->next = gpu->modules;
    gpu->modules = module;
    *handle = module->handle[0];
    return CUDA_SUCCESS;
}

static void remove_globals(struct virtual_gpu *gpu, const struct module *module)
{
    for (size_t i = gpu->buffer_count; i-- > 0;) {
        struct buffer *buffer = gpu->buffers[i];
        if (buffer->module != module)
            continue;
        launches_drop_buffer(gpu->launches, buffer);
        buffers_remove(gpu, buffer);
    }
}

CUresult modules_unload(struct virtual_gpu *gpu, struct module *module)
{
    CUresult waited = order_synchronise(gpu);
    remove_globals(gpu, module);
    while (module->functions) {
        struct function *function = module->functions;
        module->functions = function->next;
        launches_drop_function(gpu->launches, function);
        functions_free(function);
    }
    CUresult result = unload(gpu, module, 0, module->promoted ? gpu->devices : 1);
    struct module **link = &gpu->modules;
    while (*link != module)
        link = &(*link)->next;
    *link = module->next;
    free_module(module);
    return waited != CUDA_SUCCESS ? waited : result;
}

/* The variable becomes a buffer. */
static enum dm_status add_global(struct virtual_gpu *gpu, struct module *module,
                                 const CUdeviceptr *on, size_t size)
{
    struct buffer *buffer;
    TRY(buffers_add(gpu, on, size, module, &buffer));
    /* Kernels that run on one device may have written it before. */
    enum dm_status status = contents_written_first(gpu, buffer);
    if (status != DM_OK) {
        buffers_remove(gpu, buffer);
        return status;
    }
    /* Launches of the module's kernels have to look at it from now on. */
    for (struct function *function = module->functions; function; function = function->next)
        launches_drop_function(gpu->launches, function);
    launches_drop_strangers(gpu->launches);
    return DM_OK;
}

CUresult modules_get_global(struct virtual_gpu *gpu, struct module *module, const char *name,
                            CUdeviceptr *address, size_t *bytes)
{
    CUdeviceptr on[PARTITION_MAX_DEVICES] = {0};
    size_t size = 0;
    int copies = module->promoted ? gpu->devices : 1;
    for (int d = 0; d < copies; d++) {
        CUresult result = order_use(gpu, d);
        if (result == CUDA_SUCCESS)
            result = real.cuModuleGetGlobal_v2(&on[d], &size, module->handle[d], name);
        if (result != CUDA_SUCCESS)
            return result;
    }
    if (module->promoted && size && !buffers_find(gpu, on[0])) {
        enum dm_status status = add_global(gpu, module, on, size);
        if (status != DM_OK)
            return result_of(status);
    }
    if (address)
        *address = on[0];
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}
