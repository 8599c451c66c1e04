/* driver.c: a libcuda.so.1 without a GPU, for tests: devices are host memory, kernels are PTX that
 * ptx_run() executes, and every call is done when it returns. Fat binaries are read as the suite's
 * own reader reads them. STANDIN_DEVICES: how many devices there are (1). STANDIN_LOG: a file that
 * gets a line for each launch. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#undef cuGetProcAddress

#include "partition/fatbin/fatbin.h"

#include "ptx.h"

enum { DEVICES_MAX = 16, CAPABILITY = 90 };

struct CUctx_st {
    CUdevice device;
    int retained;
};

/* A module and its kernels; a library is one for each device, made when it is used there. */
struct CUmod_st {
    struct ptx_module *code;
    struct CUfunc_st *functions;
};

struct CUlib_st {
    char *text;
    CUmodule module[DEVICES_MAX];
    struct CUkern_st *kernels;
};

/* A function and a kernel of a library can be told apart by their first word. */
enum { FUNCTION = 0x46554e43, KERNEL = 0x4b45524e };

struct CUfunc_st {
    unsigned kind;
    struct CUfunc_st *next;
    const struct ptx_kernel *kernel;
};

struct CUkern_st {
    unsigned kind;
    struct CUkern_st *next;
    CUlibrary library;
    char name[PTX_NAME];
};

struct CUstream_st {
    int captured;
};

static struct CUctx_st primary[DEVICES_MAX];
static __thread CUcontext current;

static int devices(void)
{
    const char *count = getenv("STANDIN_DEVICES");
    return count ? atoi(count) : 1;
}

/* ---- devices and contexts ---- */

CUresult cuInit(unsigned flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    *count = devices();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal < devices() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? CAPABILITY / 10
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? CAPABILITY % 10
                                                                         : 1;
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    *can = device != peer;
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned flags)
{
    return context && !flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    primary[device].device = device;
    primary[device].retained++;
    *context = &primary[device];
    return CUDA_SUCCESS;
}

CUresult standin_primary_context(CUcontext *context, CUdevice device);
CUresult standin_primary_context(CUcontext *context, CUdevice device)
{
    return cuDevicePrimaryCtxRetain(context, device);
}

CUresult standin_devices(int *count);
CUresult standin_devices(int *count)
{
    return cuDeviceGetCount(count);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return primary[device].retained-- > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    *flags = 0;
    *active = primary[device].retained > 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize_v2(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

/* ---- memory: what no one wrote is the same on no two devices ---- */

static CUresult allocate(CUdeviceptr *address, size_t bytes)
{
    char *memory = current ? malloc(bytes) : NULL;
    if (!memory)
        return current ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_CONTEXT;
    memset(memory, 0x5a + current->device, bytes);
    *address = (CUdeviceptr)(uintptr_t)memory;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    return allocate(address, bytes);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    (void)stream;
    return allocate(address, bytes);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(address, bytes);
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    free((void *)(uintptr_t)address);
    return CUDA_SUCCESS;
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    (void)stream;
    return cuMemFree_v2(address);
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    *memory = malloc(bytes);
    return *memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeHost(void *memory)
{
    free(memory);
    return CUDA_SUCCESS;
}

/* All memory is the host's, so that every copy is the same. */
static CUresult copy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    if (!current)
        return CUDA_ERROR_INVALID_CONTEXT;
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    return copy(to, (CUdeviceptr)(uintptr_t)from, bytes);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    (void)stream;
    return cuMemcpyHtoD_v2(to, from, bytes);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    return copy((CUdeviceptr)(uintptr_t)to, from, bytes);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    (void)stream;
    return cuMemcpyDtoH_v2(to, from, bytes);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy(to, from, bytes);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    (void)stream;
    return copy(to, from, bytes);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    (void)stream;
    return copy(to, from, bytes);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream)
{
    (void)stream;
    return to_context && from_context ? copy(to, from, bytes) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *rectangle, CUstream stream)
{
    (void)stream;
    const CUDA_MEMCPY2D *r = rectangle;
    const char *from =
        r->srcMemoryType == CU_MEMORYTYPE_HOST ? r->srcHost : (char *)(uintptr_t)r->srcDevice;
    char *to =
        r->dstMemoryType == CU_MEMORYTYPE_HOST ? r->dstHost : (char *)(uintptr_t)r->dstDevice;
    for (size_t y = 0; y < r->Height; y++)
        memmove(to + (r->dstY + y) * r->dstPitch + r->dstXInBytes,
                from + (r->srcY + y) * r->srcPitch + r->srcXInBytes, r->WidthInBytes);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream)
{
    (void)stream;
    memset((void *)(uintptr_t)address, value, count);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t count)
{
    return cuMemsetD8Async(address, value, count, NULL);
}

/* ---- streams and events ---- */

static CUresult make_stream(CUstream *stream)
{
    *stream = calloc(1, sizeof **stream);
    return *stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    (void)flags;
    return make_stream(stream);
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    free(stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    (void)stream;
    return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream stream)
{
    return cuStreamSynchronize(stream);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    (void)flags;
    return event ? cuStreamSynchronize(stream) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    (void)flags;
    return make_stream((CUstream *)event);
}

CUresult cuEventDestroy_v2(CUevent event)
{
    return cuStreamDestroy_v2((CUstream)event);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return cuStreamWaitEvent(stream, event, 0);
}

/* ---- code ---- */

/* The text of an image; the caller frees it. */
static char *text_of(const void *image)
{
    const void *binary;
    size_t bytes;
    unsigned architecture;
    char *text = NULL;
    if (!fatbin_is_image(image))
        return strdup(image);
    if (fatbin_of_image(image, &binary, &bytes) != DM_OK ||
        fatbin_ptx(binary, bytes, CAPABILITY, &text, &architecture) != DM_OK)
        return NULL;
    return text;
}

static CUresult load(CUmodule *module, const char *text)
{
    const char *why = "";
    struct ptx_module *code = text ? ptx_load(text, &why) : NULL;
    if (!code) {
        fprintf(stderr, "standin: %s\n", why);
        return CUDA_ERROR_INVALID_PTX;
    }
    *module = calloc(1, sizeof **module);
    (*module)->code = code;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    char *text = text_of(image);
    CUresult result = load(module, text);
    free(text);
    return result;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values)
{
    (void)count;
    (void)options;
    (void)values;
    return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module)
{
    while (module->functions) {
        CUfunction function = module->functions;
        module->functions = function->next;
        free(function);
    }
    ptx_unload(module->code);
    free(module);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    for (size_t i = 0; i < module->code->kernel_count; i++) {
        const struct ptx_kernel *kernel = &module->code->kernels[i];
        if (strcmp(kernel->name, name) != 0)
            continue;
        *function = calloc(1, sizeof **function);
        **function = (struct CUfunc_st){FUNCTION, module->functions, kernel};
        module->functions = *function;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name)
{
    for (size_t i = 0; i < module->code->variable_count; i++) {
        const struct ptx_variable *variable = &module->code->variables[i];
        if (strcmp(variable->name, name) != 0)
            continue;
        *address = (CUdeviceptr)(uintptr_t)variable->memory;
        *bytes = variable->bytes;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options,
                           void **values, unsigned count, CUlibraryOption *library_options,
                           void **library_values, unsigned library_count)
{
    (void)options;
    (void)values;
    (void)count;
    (void)library_options;
    (void)library_values;
    (void)library_count;
    *library = calloc(1, sizeof **library);
    (*library)->text = text_of(code);
    return CUDA_SUCCESS;
}

CUresult cuLibraryUnload(CUlibrary library)
{
    for (int d = 0; d < DEVICES_MAX; d++)
        if (library->module[d])
            cuModuleUnload(library->module[d]);
    while (library->kernels) {
        CUkernel kernel = library->kernels;
        library->kernels = kernel->next;
        free(kernel);
    }
    free(library->text);
    free(library);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    if (!current)
        return CUDA_ERROR_INVALID_CONTEXT;
    CUmodule *here = &library->module[current->device];
    CUresult result = *here ? CUDA_SUCCESS : load(here, library->text);
    *module = *here;
    return result;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    *kernel = calloc(1, sizeof **kernel);
    (*kernel)->kind = KERNEL;
    (*kernel)->library = library;
    (*kernel)->next = library->kernels;
    snprintf((*kernel)->name, PTX_NAME, "%s", name);
    library->kernels = *kernel;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name)
{
    CUmodule module;
    CUresult result = cuLibraryGetModule(&module, library);
    return result == CUDA_SUCCESS ? cuModuleGetGlobal_v2(address, bytes, module, name) : result;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    CUmodule module;
    CUresult result = cuLibraryGetModule(&module, kernel->library);
    return result == CUDA_SUCCESS ? cuModuleGetFunction(function, module, kernel->name) : result;
}

/* A launch takes kernels of libraries, too. */
static CUresult resolve(CUfunction *function)
{
    return (*function)->kind == KERNEL ? cuKernelGetFunction(function, (CUkernel)*function)
                                       : CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    const struct ptx_kernel *kernel = function->kernel;
    if (index >= kernel->parameter_count)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = kernel->parameters[index].offset;
    *size = kernel->parameters[index].bytes;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    *name = function->kind == KERNEL ? ((CUkernel)function)->name : function->kernel->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    (void)attribute;
    (void)value;
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device)
{
    (void)device;
    return cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

static void log_launch(const char *name, const struct ptx_launch *launch)
{
    const char *path = getenv("STANDIN_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s device %d grid %u %u %u\n", name, current->device, launch->grid[0],
            launch->grid[1], launch->grid[2]);
    fclose(file);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **parameters, void **extra)
{
    (void)stream;
    (void)extra;
    CUresult result = current ? resolve(&function) : CUDA_ERROR_INVALID_CONTEXT;
    if (result != CUDA_SUCCESS)
        return result;
    const struct ptx_kernel *kernel = function->kernel;
    char *arguments = calloc(kernel->parameter_bytes + 1, 1);
    for (size_t i = 0; i < kernel->parameter_count; i++)
        memcpy(arguments + kernel->parameters[i].offset, parameters[i],
               kernel->parameters[i].bytes);
    struct ptx_launch launch = {.kernel = kernel,
                                .grid = {grid_x, grid_y, grid_z},
                                .block = {block_x, block_y, block_z},
                                .shared_bytes = shared_bytes,
                                .arguments = arguments};
    log_launch(kernel->name, &launch);
    bool good = ptx_run(&launch);
    free(arguments);
    return good ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
}

/* The newest version of a name, as the driver has them. */
CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    char name[128];
    bool is_old = !strcmp(symbol, "cuCtxSynchronize") && version < 13000;
    (void)flags;
    snprintf(name, sizeof name, "%s_v2", symbol);
    *function = is_old ? NULL : dlsym(RTLD_DEFAULT, name);
    if (!*function)
        *function = dlsym(RTLD_DEFAULT, symbol);
    if (status)
        *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
