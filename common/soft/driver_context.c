/* driver_context.c: contexts, and the stack of contexts of each thread.
 *
 * A device's contexts share its engines, its memory and its default stream. A context that was
 * created owns the streams and the device memory that are made while it is current. The primary
 * context is also the runtime API's, which never gives it up: releasing it frees nothing. */
#include <stdlib.h>

#include "soft_driver.h"

enum { STACK_DEPTH = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static struct CUctx_st *contexts;                        /* all that were ever created */
static struct CUctx_st primary[MAX_DEVICES];

static _Thread_local CUcontext stack[STACK_DEPTH];
static _Thread_local unsigned depth;

CUcontext driver_primary(int device)
{
    return &primary[device];
}

CUcontext driver_owner_context(const void *owner, int device)
{
    return owner ? (CUcontext)owner : driver_primary(device);
}

static bool is_primary(CUcontext context)
{
    for (int i = 0; i < soft_settings.devices; i++)
        if (context == &primary[i])
            return true;
    return false;
}

CUresult driver_check_context(CUcontext context)
{
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;

    pthread_mutex_lock(&lock);
    struct CUctx_st *known = contexts;
    while (known && known != context)
        known = known->next;
    if (known || (context && is_primary(context)))
        result = context->live ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
    pthread_mutex_unlock(&lock);
    return result;
}

/* The runtime half then makes streams and memory on the context's device and for it. */
static CUresult make_current(CUcontext context)
{
    CUresult result = driver_result(cudaSetDevice(context->device));

    soft_owner = context->primary ? NULL : context;
    return result;
}

CUresult driver_begin(CUcontext *context)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS && (depth == 0 || !stack[depth - 1]))
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS)
        result = driver_check_context(stack[depth - 1]);
    if (result == CUDA_SUCCESS)
        result = make_current(stack[depth - 1]);
    if (result == CUDA_SUCCESS && context)
        *context = stack[depth - 1];
    return result;
}

/* ---- the stack ---- */

static CUresult push(CUcontext context)
{
    if (depth == STACK_DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS)
        result = driver_check_context(context);
    return result == CUDA_SUCCESS ? push(context) : result;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS && depth == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result != CUDA_SUCCESS)
        return result;
    depth--;
    if (context)
        *context = stack[depth];
    return CUDA_SUCCESS;
}

/* NULL takes the top off the stack. */
CUresult cuCtxSetCurrent(CUcontext context)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS && context)
        result = driver_check_context(context);
    if (result != CUDA_SUCCESS)
        return result;
    if (depth > 0)
        depth--;
    return context ? push(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS && !context)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *context = depth > 0 ? stack[depth - 1] : NULL;
    return result;
}

/* ---- life ---- */

static CUresult create(CUcontext *context, unsigned flags, CUdevice device)
{
    CUresult result = driver_check_device(device);
    unsigned schedule = flags & CU_CTX_SCHED_MASK;

    if (result == CUDA_SUCCESS &&
        (!context || (flags & ~(unsigned)CU_CTX_FLAGS_MASK) || (schedule & (schedule - 1))))
        result = CUDA_ERROR_INVALID_VALUE;
    struct CUctx_st *made = result == CUDA_SUCCESS ? calloc(1, sizeof *made) : NULL;
    if (result == CUDA_SUCCESS && !made)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS)
        result = push(made);
    if (result != CUDA_SUCCESS) {
        free(made);
        return result;
    }
    made->device = device;
    made->flags = flags;
    made->live = true;
    pthread_mutex_lock(&lock);
    made->next = contexts;
    contexts = made;
    pthread_mutex_unlock(&lock);
    *context = made;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                     CUdevice device)
{
    if (parameters && (parameters->numExecAffinityParams != 0 || parameters->cigParams))
        return CUDA_ERROR_NOT_SUPPORTED;
    return create(context, flags, device);
}

/* Programs that were compiled with CUDA 12 or older. */
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    return create(context, flags, device);
}

/* A broken device works again when the last of its contexts has gone. */
static bool any_live(int device)
{
    bool any = false;

    pthread_mutex_lock(&lock);
    for (struct CUctx_st *context = contexts; context; context = context->next)
        any = any || (context->live && context->device == device);
    any = any || primary[device].live;
    pthread_mutex_unlock(&lock);
    return any;
}

CUresult cuCtxDestroy(CUcontext context)
{
    CUresult result = driver_started();

    if (result == CUDA_SUCCESS)
        result = driver_check_context(context);
    if (result == CUDA_SUCCESS && context->primary)
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS && soft_in_host_function)
        result = CUDA_ERROR_NOT_PERMITTED;
    if (result != CUDA_SUCCESS)
        return result;
    device_give_back(device_numbered(context->device), context);
    driver_unload_modules(context);
    pthread_mutex_lock(&lock);
    context->live = false;
    pthread_mutex_unlock(&lock);
    if (!any_live(context->device))
        device_mend(device_numbered(context->device));
    if (depth > 0 && stack[depth - 1] == context)
        depth--;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    CUresult result = driver_check_device(device);

    if (result == CUDA_SUCCESS && !context)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    primary[device].device = device;
    primary[device].primary = primary[device].live = true;
    primary[device].references++;
    pthread_mutex_unlock(&lock);
    *context = &primary[device];
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    CUresult result = driver_check_device(device);

    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    if (primary[device].references == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    else if (--primary[device].references == 0)
        primary[device].live = false;
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    CUresult result = driver_check_device(device);

    if (result == CUDA_SUCCESS && (!flags || !active))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    *flags = primary[device].flags;
    *active = primary[device].live;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
