/* cu_addresses.c: programs that ask the driver for addresses get those of interposed functions. */
#include "cu_addresses.h"

#include <string.h>

#include "partition/interpose/gpu/virtual_gpu.h"

struct interposed {
    const char *name; /* as the program asks: without a version */
    void *function;
    int since; /* the CUDA version from which the name means this function */
};

/* The versions of cuda.h's _v2 functions: those before are of 32-bit addresses. */
enum { CUDA_3_2 = 3020, CUDA_4_0 = 4000, CUDA_7_0 = 7000, CUDA_12_0 = 12000, CUDA_13_0 = 13000 };

#ifndef SOFTGPU
static CUresult CUDAAPI get_address_11(const char *symbol, void **function, int version,
                                       cuuint64_t flags);
#endif

static const struct interposed table[] = {
    {"cuDeviceGetCount", (void *)cuDeviceGetCount, 0},
    {"cuDeviceGet", (void *)cuDeviceGet, 0},
    {"cuDevicePrimaryCtxRetain", (void *)cuDevicePrimaryCtxRetain, CUDA_7_0},
    {"cuDevicePrimaryCtxRelease", (void *)cuDevicePrimaryCtxRelease_v2, CUDA_7_0},
    {"cuGetProcAddress", (void *)cuGetProcAddress_v2, CUDA_12_0},
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
    {"cuStreamBeginCaptureToGraph", (void *)cuStreamBeginCaptureToGraph, 0},
    {"cuStreamEndCapture", (void *)cuStreamEndCapture, 0},
    {"cuGetProcAddress", (void *)get_address_11, 11030},
    {"cuCtxSynchronize", (void *)cuCtxSynchronize_v2, CUDA_13_0},
    {"cuMemAllocFromPoolAsync", (void *)cuMemAllocFromPoolAsync, 0},
    {"cuMemAllocManaged", (void *)cuMemAllocManaged, 0},
    {"cuLibraryLoadData", (void *)cuLibraryLoadData, 0},
    {"cuLibraryLoadFromFile", (void *)cuLibraryLoadFromFile, 0},
    {"cuLibraryUnload", (void *)cuLibraryUnload, 0},
    {"cuLibraryGetKernel", (void *)cuLibraryGetKernel, 0},
    {"cuLibraryEnumerateKernels", (void *)cuLibraryEnumerateKernels, 0},
    {"cuLibraryGetModule", (void *)cuLibraryGetModule, 0},
    {"cuLibraryGetGlobal", (void *)cuLibraryGetGlobal, 0},
    {"cuKernelGetFunction", (void *)cuKernelGetFunction, 0},
    {"cuKernelSetAttribute", (void *)cuKernelSetAttribute, 0},
    {"cuKernelSetCacheConfig", (void *)cuKernelSetCacheConfig, 0},
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
    const struct interposed *newest = NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(name, table[i].name) && version >= table[i].since &&
            (!newest || table[i].since > newest->since))
            newest = &table[i];
    return newest ? newest->function : NULL;
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

CUresult CUDAAPI runtime_get_address(const char *symbol, void **function, int version,
                                     cuuint64_t flags, CUdriverProcAddressQueryResult *status)
{
    CUresult result = cuGetProcAddress_v2(symbol, function, version, flags, status);
    if (result != CUDA_SUCCESS || !function)
        return result;
    if (*function == (void *)cuDeviceGetCount)
        *function = (void *)real.cuDeviceGetCount;
    else if (*function == (void *)cuDeviceGet)
        *function = (void *)real.cuDeviceGet;
    else if (*function == (void *)cuGetProcAddress_v2)
        *function = (void *)runtime_get_address;
    return CUDA_SUCCESS;
}

#ifndef SOFTGPU
/* As CUDA 11.3 had it. */
static CUresult CUDAAPI get_address_11(const char *symbol, void **function, int version,
                                       cuuint64_t flags)
{
    CUdriverProcAddressQueryResult ignored;
    CUresult result = cuGetProcAddress_v2(symbol, function, version, flags, &ignored);
    return result == CUDA_SUCCESS && function && !*function ? CUDA_ERROR_NOT_FOUND : result;
}

#undef cuGetProcAddress
CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **function, int version,
                                  cuuint64_t flags);
CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **function, int version,
                                  cuuint64_t flags)
{
    return get_address_11(symbol, function, version, flags);
}
#endif
