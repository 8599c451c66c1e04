/* real_driver.h: CUDA's own functions, behind those that are interposed. */
#ifndef REAL_DRIVER_H
#define REAL_DRIVER_H

#include <stdbool.h>

#include <cuda.h>
#ifdef SOFTGPU
#include "softgpu/module.h"
#endif

/* What cuCtxCreate was before CUDA 13; programs that were built then call it.
 */
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

#define REAL_DRIVER_COMMON(X)                                                                      \
    X(cuDeviceGetCount)                                                                            \
    X(cuDeviceGet)                                                                                 \
    X(cuDeviceCanAccessPeer)                                                                       \
    X(cuDevicePrimaryCtxRetain)                                                                    \
    X(cuDevicePrimaryCtxRelease_v2)                                                                \
    X(cuGetProcAddress_v2)                                                                         \
    X(cuCtxCreate_v2)                                                                              \
    X(cuCtxCreate_v4)                                                                              \
    X(cuCtxDestroy_v2)                                                                             \
    X(cuCtxGetCurrent)                                                                             \
    X(cuCtxSetCurrent)                                                                             \
    X(cuCtxPopCurrent_v2)                                                                          \
    X(cuCtxPushCurrent_v2)                                                                         \
    X(cuCtxSynchronize)                                                                            \
    X(cuCtxEnablePeerAccess)                                                                       \
    X(cuModuleLoad)                                                                                \
    X(cuModuleLoadData)                                                                            \
    X(cuModuleLoadDataEx)                                                                          \
    X(cuModuleUnload)                                                                              \
    X(cuModuleGetFunction)                                                                         \
    X(cuModuleGetGlobal_v2)                                                                        \
    X(cuFuncGetName)                                                                               \
    X(cuFuncGetParamInfo)                                                                          \
    X(cuFuncSetAttribute)                                                                          \
    X(cuFuncSetCacheConfig)                                                                        \
    X(cuLaunchKernel)                                                                              \
    X(cuLaunchKernelEx)                                                                            \
    X(cuLaunchCooperativeKernel)                                                                   \
    X(cuLaunchHostFunc)                                                                            \
    X(cuMemGetInfo_v2)                                                                             \
    X(cuMemAlloc_v2)                                                                               \
    X(cuMemAllocPitch_v2)                                                                          \
    X(cuMemAllocAsync)                                                                             \
    X(cuMemFree_v2)                                                                                \
    X(cuMemFreeAsync)                                                                              \
    X(cuMemHostAlloc)                                                                              \
    X(cuMemFreeHost)                                                                               \
    X(cuMemHostRegister_v2)                                                                        \
    X(cuMemcpy)                                                                                    \
    X(cuMemcpyAsync)                                                                               \
    X(cuMemcpyHtoD_v2)                                                                             \
    X(cuMemcpyDtoH_v2)                                                                             \
    X(cuMemcpyDtoD_v2)                                                                             \
    X(cuMemcpyHtoDAsync_v2)                                                                        \
    X(cuMemcpyDtoHAsync_v2)                                                                        \
    X(cuMemcpyDtoDAsync_v2)                                                                        \
    X(cuMemcpyPeer)                                                                                \
    X(cuMemcpyPeerAsync)                                                                           \
    X(cuMemcpy2D_v2)                                                                               \
    X(cuMemcpy2DUnaligned_v2)                                                                      \
    X(cuMemcpy2DAsync_v2)                                                                          \
    X(cuMemcpy3DPeer)                                                                              \
    X(cuMemcpy3DPeerAsync)                                                                         \
    X(cuMemsetD8_v2)                                                                               \
    X(cuMemsetD16_v2)                                                                              \
    X(cuMemsetD32_v2)                                                                              \
    X(cuMemsetD8Async)                                                                             \
    X(cuMemsetD16Async)                                                                            \
    X(cuMemsetD32Async)                                                                            \
    X(cuMemsetD2D8_v2)                                                                             \
    X(cuMemsetD2D8Async)                                                                           \
    X(cuMemsetD2D16_v2)                                                                            \
    X(cuMemsetD2D16Async)                                                                          \
    X(cuMemsetD2D32_v2)                                                                            \
    X(cuMemsetD2D32Async)                                                                          \
    X(cuStreamCreate)                                                                              \
    X(cuStreamDestroy_v2)                                                                          \
    X(cuStreamSynchronize)                                                                         \
    X(cuStreamQuery)                                                                               \
    X(cuStreamWaitEvent)                                                                           \
    X(cuEventCreate)                                                                               \
    X(cuEventDestroy_v2)                                                                           \
    X(cuEventRecord)

/* What only one of the two drivers has, the software GPU's and CUDA's. */
#ifdef SOFTGPU
#define REAL_DRIVER_MORE(X) X(softModulePromote)
#else
#define REAL_DRIVER_MORE(X)                                                                        \
    X(cuCtxSetLimit)                                                                               \
    X(cuDevicePrimaryCtxReset_v2)                                                                  \
    X(cuStreamAddCallback)                                                                         \
    X(cuEventRecordWithFlags)                                                                      \
    X(cuGraphLaunch)                                                                               \
    X(cuMemcpyDtoA_v2)                                                                             \
    X(cuMemcpyAtoD_v2)                                                                             \
    X(cuMemcpy3D_v2)                                                                               \
    X(cuMemcpy3DAsync_v2)                                                                          \
    X(cuStreamBeginCapture_v2)                                                                     \
    X(cuStreamBeginCaptureToGraph)                                                                 \
    X(cuStreamEndCapture)                                                                          \
    X(cuStreamIsCapturing)                                                                         \
    X(cuThreadExchangeStreamCaptureMode)                                                           \
    X(cuDeviceGetAttribute)                                                                        \
    X(cuDevicePrimaryCtxGetState)                                                                  \
    X(cuCtxSynchronize_v2)                                                                         \
    X(cuMemAllocFromPoolAsync)                                                                     \
    X(cuMemAllocManaged)                                                                           \
    X(cuLibraryLoadData)                                                                           \
    X(cuLibraryLoadFromFile)                                                                       \
    X(cuLibraryUnload)                                                                             \
    X(cuLibraryGetKernel)                                                                          \
    X(cuLibraryGetModule)                                                                          \
    X(cuLibraryGetGlobal)                                                                          \
    X(cuLibraryEnumerateKernels)                                                                   \
    X(cuKernelGetName)                                                                             \
    X(cuKernelGetFunction)                                                                         \
    X(cuKernelSetAttribute)                                                                        \
    X(cuKernelSetCacheConfig)
#endif

#define REAL_DRIVER(X) REAL_DRIVER_COMMON(X) REAL_DRIVER_MORE(X)

#define REAL_DRIVER_MEMBER(name) __typeof__(&name) name;
struct real_driver {
    REAL_DRIVER(REAL_DRIVER_MEMBER)
};
#undef REAL_DRIVER_MEMBER

/* Complete after real_driver_load(). A function that this driver lacks returns
 * CUDA_ERROR_NOT_FOUND.
 */
extern struct real_driver real;
void real_driver_load(void);

/* Whether the calling thread is looking for them: it is not to find the interposed ones. */
bool real_driver_is_looking(void);

#endif
