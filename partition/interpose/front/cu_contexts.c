/* cu_contexts.c: interposed calls on devices and contexts. The program sees one device. */
#include "partition/interpose/gpu/order.h"

CUresult CUDAAPI cuDeviceGetCount(int *count)
{
    real_driver_load();
    CUresult result = real.cuDeviceGetCount(count);
    if (result == CUDA_SUCCESS && *count > 1 && virtual_gpu_is_on())
        *count = 1;
    return result;
}

CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal)
{
    real_driver_load();
    if (ordinal > 0 && virtual_gpu_is_on())
        return CUDA_ERROR_INVALID_DEVICE;
    return real.cuDeviceGet(device, ordinal);
}

/* A second context beside the virtual GPU is CUDA's own. */
static CUresult create(const struct context_request *request, CUcontext *context, CUdevice device,
                       bool *is_own)
{
    *is_own = false;
    if (!context || !virtual_gpu_is_on())
        return CUDA_ERROR_NOT_SUPPORTED;
    CUdevice first;
    CUresult result = real.cuDeviceGet(&first, 0);
    *is_own = result == CUDA_SUCCESS && device == first;
    if (!*is_own)
        return result;
    result = virtual_gpu_create(request, context);
    *is_own = result != CUDA_ERROR_NOT_SUPPORTED;
    return result;
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    struct context_request request = {.kind = CONTEXT_V2, .flags = flags};
    bool is_own;
    real_driver_load();
    CUresult result = create(&request, context, device, &is_own);
    return is_own ? result : real.cuCtxCreate_v2(context, flags, device);
}

CUresult CUDAAPI cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                                CUdevice device)
{
    struct context_request request = {CONTEXT_V4, parameters, flags};
    bool is_own;
    real_driver_load();
    CUresult result = create(&request, context, device, &is_own);
    return is_own ? result : real.cuCtxCreate_v4(context, parameters, flags, device);
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    struct context_request request = {.kind = CONTEXT_PRIMARY};
    bool is_own;
    real_driver_load();
    CUresult result = create(&request, context, device, &is_own);
    return is_own ? result : real.cuDevicePrimaryCtxRetain(context, device);
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_primary();
    if (!gpu)
        return real.cuDevicePrimaryCtxRelease_v2(device);
    if (device != gpu->device[0].device)
        return virtual_gpu_leave(gpu, real.cuDevicePrimaryCtxRelease_v2(device));
    if (--gpu->retained)
        return virtual_gpu_leave(gpu, CUDA_SUCCESS);
    return virtual_gpu_leave(NULL, virtual_gpu_destroy(gpu));
}

CUresult CUDAAPI cuCtxDestroy_v2(CUcontext context)
{
    struct virtual_gpu *gpu = virtual_gpu_enter_context(context);
    if (!gpu)
        return real.cuCtxDestroy_v2(context);
    if (gpu->primary)
        return virtual_gpu_leave(gpu, real.cuCtxDestroy_v2(context));
    return virtual_gpu_leave(NULL, virtual_gpu_destroy(gpu));
}

/* For what calls that are not interposed have enqueued. */
static CUresult wait_for_context(CUstream unused)
{
    (void)unused;
    return real.cuCtxSynchronize();
}

CUresult CUDAAPI cuCtxSynchronize(void)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    if (!gpu)
        return real.cuCtxSynchronize();
    return virtual_gpu_leave(gpu, virtual_gpu_wait(gpu, wait_for_context, NULL));
}

#ifndef SOFTGPU
CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext context)
{
    struct virtual_gpu *gpu = virtual_gpu_enter();
    bool is_own = gpu && (!context || context == gpu->handle);
    if (!gpu)
        return real.cuCtxSynchronize_v2(context);
    return virtual_gpu_leave(gpu, is_own ? virtual_gpu_wait(gpu, wait_for_context, NULL)
                                         : real.cuCtxSynchronize_v2(context));
}
#endif
