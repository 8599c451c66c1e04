/* cu_addresses.c: programs that ask the driver for addresses get those of interposed functions. */
#include <string.h>

#include "partition/interpose/gpu/virtual_gpu.h"

struct interposed {
    const char *name; /* as the program asks: without a version */
    void *function;
    int since; /* the CUDA version from which the name means this function */
};

/* The versions of cuda.h's _v2 functions: those before are of 32-bit addresses. */
enum { CUDA_3_2 = 3020, CUDA_4_0 = 4000, CUDA_7_0 = 7000, CUDA_13_0 = 13000 };

static const struct interposed table[] = {
    {"cuDeviceGetCount", (void *)cuDeviceGetCount, 0},
    {"cuDeviceGet", (void *)cuDeviceGet, 0},
    {"cuDevicePrimaryCtxRetain", (void *)cuDevicePrimaryCtxRetain, CUDA_7_0},
    {"cuDevicePrimaryCtxRelease", (void *)cuDevicePrimaryCtxRelease_v2, CUDA_7_0},
    {"cuGetProcAddress", (void *)cuGetProcAddress_v2, 12000},
    {"cuCtxCreate", (void *)cuCtxCreate_v4, CUDA_13_0},
    {"cuCtxDestroy", (void *)cuCtxDestroy_v2, CUDA_4_0},
    {"cuCtxSynchronize", (void *)cuCtxSynchronize, 0},
    {"cuModuleLoad", (void *)cuModuleLoad, 0},
    {"cuModuleLoadData", (void *)cuModuleLoadData, 0},
    {"cuModuleLoadDataEx", (void *)cuModuleLoadDataEx, 0},
    {"cuModuleUnload", (void *)cuModuleUnload, 0},
    {"cuModuleGetFunction", (void *)cuModuleGetFunction, 0},
    {"cuModuleGetGlobal", (void *)cuModuleGetGlobal_v2, CUDA_3_2},
    {"cuFuncGetParamInfo", (void *)cuFuncGetParamInfo, 0},
    {"cuFuncSetAttribute", (void *)cuFuncSetAttribute, 0},
    {"cuFuncSetCacheConfig", (void *)cuFuncSetCacheConfig, 0},
    {"cuLaunchKernel", (void *)cuLaunchKernel, 0},
    {"cuLaunchKernelEx", (void *)cuLaunchKernelEx, 0},
    {"cuLaunchCooperativeKernel", (void *)cuLaunchCooperativeKernel, 0},
    {"cuLaunchHostFunc", (void *)cuLaunchHostFunc, 0},
    {"cuMemGetInfo", (void *)cuMemGetInfo_v2, CUDA_3_2},
    {"cuMemAlloc", (void *)cuMemAlloc_v2, CUDA_3_2},
    {"cuMemAllocPitch", (void *)cuMemAllocPitch_v2, CUDA_3_2},
    {"cuMemAllocAsync", (void *)cuMemAllocAsync, 0},
    {"cuMemFree", (void *)cuMemFree_v2, CUDA_3_2},
    {"cuMemFreeAsync", (void *)cuMemFreeAsync, 0},
    {"cuMemHostAlloc", (void *)cuMemHostAlloc, 0},
    {"cuMemHostRegister", (void *)cuMemHostRegister_v2, CUDA_4_0},
    {"cuMemcpy", (void *)cuMemcpy, 0},
    {"cuMemcpyAsync", (void *)cuMemcpyAsync, 0},
    {"cuMemcpyHtoD", (void *)cuMemcpyHtoD_v2, CUDA_3_2},
    {"cuMemcpyDtoH", (void *)cuMemcpyDtoH_v2, CUDA_3_2},
    {"cuMemcpyDtoD", (void *)cuMemcpyDtoD_v2, CUDA_3_2},
    {"cuMemcpyHtoDAsync", (void *)cuMemcpyHtoDAsync_v2, CUDA_3_2},
    {"cuMemcpyDtoHAsync", (void *)cuMemcpyDtoHAsync_v2, CUDA_3_2},
    {"cuMemcpyDtoDAsync", (void *)cuMemcpyDtoDAsync_v2, CUDA_3_2},
    {"cuMemcpyPeer", (void *)cuMemcpyPeer, 0},
    {"cuMemcpyPeerAsync", (void *)cuMemcpyPeerAsync, 0},
    {"cuMemcpy2D", (void *)cuMemcpy2D_v2, CUDA_3_2},
    {"cuMemcpy2DUnaligned", (void *)cuMemcpy2DUnaligned_v2, CUDA_3_2},
    {"cuMemcpy2DAsync", (void *)cuMemcpy2DAsync_v2, CUDA_3_2},
    {"cuMemcpy3DPeer", (void *)cuMemcpy3DPeer, 0},
    {"cuMemcpy3DPeerAsync", (void *)cuMemcpy3DPeerAsync, 0},
    {"cuMemsetD8", (void *)cuMemsetD8_v2, CUDA_3_2},
    {"cuMemsetD16", (void *)cuMemsetD16_v2, CUDA_3_2},
    {"cuMemsetD32", (void *)cuMemsetD32_v2, CUDA_3_2},
    {"cuMemsetD8Async", (void *)cuMemsetD8Async, 0},
    {"cuMemsetD16Async", (void *)cuMemsetD16Async, 0},
    {"cuMemsetD32Async", (void *)cuMemsetD32Async, 0},
    {"cuMemsetD2D8", (void *)cuMemsetD2D8_v2, CUDA_3_2},
    {"cuMemsetD2D8Async", (void *)cuMemsetD2D8Async, 0},
    {"cuMemsetD2D16", (void *)cuMemsetD2D16_v2, CUDA_3_2},
    {"cuMemsetD2D16Async", (void *)cuMemsetD2D16Async, 0},
    {"cuMemsetD2D32", (void *)cuMemsetD2D32_v2, CUDA_3_2},
    {"cuMemsetD2D32Async", (void *)cuMemsetD2D32Async, 0},
    {"cuStreamSynchronize", (void *)cuStreamSynchronize, 0},
    {"cuStreamQuery", (void *)cuStreamQuery, 0},
    {"cuStreamWaitEvent", (void *)cuStreamWaitEvent, 0},
    {"cuEventRecord", (void *)cuEventRecord, 0},
    {"cuEventDestroy", (void *)cuEventDestroy_v2, CUDA_4_0},
#ifndef SOFTGPU
    {"cuDevicePrimaryCtxReset", (void *)cuDevicePrimaryCtxReset_v2, CUDA_7_0},
    {"cuCtxSetLimit", (void *)cuCtxSetLimit, 0},
    {"cuEventRecordWithFlags", (void *)cuEventRecordWithFlags, 0},
    {"cuGraphLaunch", (void *)cuGraphLaunch, 0},
    {"cuMemcpyDtoA", (void *)cuMemcpyDtoA_v2, CUDA_3_2},
    {"cuMemcpyAtoD", (void *)cuMemcpyAtoD_v2, CUDA_3_2},
    {"cuMemcpy3D", (void *)cuMemcpy3D_v2, CUDA_3_2},
    {"cuMemcpy3DAsync", (void *)cuMemcpy3DAsync_v2, CUDA_3_2},
    {"cuStreamAddCallback", (void *)cuStreamAddCallback, 0},
    {"cuStreamBeginCapture", (void *)cuStreamBeginCapture_v2, 10010},
#endif
};

/* Before CUDA 13 cuCtxCreate is the function of CUDA 3.2, apart from one in between that asks for a
 * share of the GPU: that one stays CUDA's. */
static void *context_maker(int version)
{
    enum { CUDA_11_4 = 11040 };
    if (version >= CUDA_13_0)
        return (void *)cuCtxCreate_v4;
    return version >= CUDA_3_2 && version < CUDA_11_4 ? (void *)cuCtxCreate_v2 : NULL;
}

static void *interposed(const char *name, int version)
{
    if (!strcmp(name, "cuCtxCreate"))
        return context_maker(version);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(name, table[i].name))
            return version >= table[i].since ? table[i].function : NULL;
    return NULL;
}

CUresult CUDAAPI cuGetProcAddress_v2(const char *symbol, void **function, int version,
                                     cuuint64_t flags, CUdriverProcAddressQueryResult *status)
{
    real_driver_load();
    CUresult result = real.cuGetProcAddress_v2(symbol, function, version, flags, status);
    if (result != CUDA_SUCCESS || !symbol || !function || !*function || !virtual_gpu_is_on())
        return result;
    void *own = interposed(symbol, version);
    if (own)
        *function = own;
    return result;
}
