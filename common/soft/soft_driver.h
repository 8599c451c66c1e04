/* soft_driver.h: the insides of the driver API of the software GPU, which stands on the runtime
 * half (runtime.h).
 *
 *   driver_context.c  contexts, and which one is current
 *   driver_device.c   start, devices
 *   driver_image.c    loads a shared object, as often as asked, each time with variables of its own
 *   driver_module.c   modules, their kernels and variables
 *   driver_launch.c driver_function.c  launches, and what is known of a kernel
 *   driver_memory.c driver_copy.c driver_fill.c driver_stream.c driver_address.c driver_error.c
 *
 * No function here calls one of the public cu... functions: a program, or a library between it and
 * this one, may have functions of these names. */
#ifndef SOFT_DRIVER_H
#define SOFT_DRIVER_H

#include <cuda.h>

#include "softgpu/module_kernel.h"

#include "runtime.h"

/* A context is one device's streams, memory and modules. Handles are never freed, so that a stale
 * one is recognised. */
struct CUctx_st {
    struct CUctx_st *next;
    int device;
    unsigned flags;
    bool live;
    unsigned references; /* primary contexts: cuDevicePrimaryCtxRetain */
    bool primary;
};

/* One kernel of a module. */
struct CUfunc_st {
    struct CUmod_st *module;
    const struct module_kernel *kernel;
};

struct CUmod_st {
    struct CUmod_st *next;
    CUcontext context;
    struct driver_image *image;
    size_t function_count;
    struct CUfunc_st *functions;
    bool promoted;
};

/* The code of the driver for an error of the runtime half. */
CUresult driver_result(cudaError_t error);

/* All functions that need cuInit, and those that need a current context, start with one of these.
 * The latter makes the context's device the thread's; `context` may be NULL. */
CUresult driver_started(void);
CUresult driver_begin(CUcontext *context);
/* For functions that are called with a device: CUDA_ERROR_INVALID_DEVICE if there is none. */
CUresult driver_check_device(CUdevice device);
CUresult driver_start(void); /* cuInit */

CUresult driver_check_context(CUcontext context); /* CUDA_ERROR_INVALID_CONTEXT, ..._DESTROYED */
CUcontext driver_primary(int device);             /* whether it is active or not */
CUcontext driver_owner_context(const void *owner, int device); /* of runtime.h's soft_owner */

/* An image is loaded from a copy of its bytes; NULL with the error. */
struct driver_image *driver_image_from_file(const char *path, CUresult *error);
struct driver_image *driver_image_from_memory(const void *bytes, CUresult *error);
void driver_image_unload(struct driver_image *image);
const struct module_kernels *driver_image_kernels(const struct driver_image *image);
/* A variable's address; NULL if it has none of that name. */
void *driver_image_variable(const struct driver_image *image, const char *name, size_t *bytes);

void driver_unload_modules(CUcontext context); /* when it is destroyed; nothing runs any more */
CUresult driver_check_function(CUfunction function, CUcontext context);

/* Where the last parameter of a promoted kernel lies among its arguments: a struct soft_place. */
static inline size_t driver_place_offset(const struct CUfunc_st *function)
{
    size_t alignment = _Alignof(struct soft_place);

    return (function->kernel->argument_bytes + alignment - 1) / alignment * alignment;
}

static inline void *driver_pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static inline CUdeviceptr driver_address(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}

#endif
