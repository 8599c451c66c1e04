/* error_list.h: the runtime's error codes, each with CUDA's name and number and a sentence. One
 * list makes the enumeration (driver_types.h) and the two tables of names (error.c). */
#ifndef SOFT_ERROR_LIST_H
#define SOFT_ERROR_LIST_H

/* clang-format off */
#define SOFT_ERROR_LIST(X)                                                                       \
    X(cudaSuccess, 0, "no error")                                                                \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                              \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                             \
    X(cudaErrorInitializationError, 3, "the runtime could not be initialised")                   \
    X(cudaErrorCudartUnloading, 4, "the runtime is shutting down")                               \
    X(cudaErrorInvalidConfiguration, 9, "invalid launch configuration")                          \
    X(cudaErrorInvalidPitchValue, 12, "invalid pitch")                                           \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                       \
    X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                   \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                               \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction")                             \
    X(cudaErrorNotYetImplemented, 31, "not implemented")                                         \
    X(cudaErrorInsufficientDriver, 35, "the driver is older than the runtime")                   \
    X(cudaErrorDevicesUnavailable, 46, "the device is unavailable")                              \
    X(cudaErrorMissingConfiguration, 52, "launch configuration is missing")                      \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid kernel function")                             \
    X(cudaErrorNoDevice, 100, "no device was found")                                             \
    X(cudaErrorInvalidDevice, 101, "invalid device number")                                      \
    X(cudaErrorInvalidKernelImage, 200, "invalid kernel image")                                  \
    X(cudaErrorDeviceUninitialized, 201, "the device has no context")                            \
    X(cudaErrorMapBufferObjectFailed, 205, "memory could not be mapped")                         \
    X(cudaErrorAlreadyMapped, 208, "already mapped")                                             \
    X(cudaErrorNoKernelImageForDevice, 209, "no kernel was compiled for this device")            \
    X(cudaErrorNotMapped, 211, "not mapped")                                                     \
    X(cudaErrorECCUncorrectable, 214, "uncorrectable memory error")                              \
    X(cudaErrorUnsupportedLimit, 215, "unsupported limit")                                       \
    X(cudaErrorPeerAccessUnsupported, 217, "peer access is not possible between these devices")  \
    X(cudaErrorOperatingSystem, 304, "an operating system call failed")                          \
    X(cudaErrorInvalidResourceHandle, 400, "invalid stream or event handle")                     \
    X(cudaErrorIllegalState, 401, "object is in a state that forbids the call")                  \
    X(cudaErrorSymbolNotFound, 500, "symbol was not found")                                      \
    X(cudaErrorNotReady, 600, "work has not finished")                                           \
    X(cudaErrorIllegalAddress, 700, "a kernel touched memory that it may not touch")             \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")             \
    X(cudaErrorLaunchTimeout, 702, "a kernel did not end and was stopped")                       \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                  \
    X(cudaErrorPeerAccessNotEnabled, 705, "peer access is not enabled")                          \
    X(cudaErrorSetOnActiveProcess, 708, "the device is already in use")                          \
    X(cudaErrorContextIsDestroyed, 709, "the context was destroyed")                             \
    X(cudaErrorAssert, 710, "a device assertion failed")                                         \
    X(cudaErrorTooManyPeers, 711, "too many peers")                                              \
    X(cudaErrorHostMemoryAlreadyRegistered, 712, "host memory is already page-locked")           \
    X(cudaErrorHostMemoryNotRegistered, 713, "host memory is not registered")                    \
    X(cudaErrorMisalignedAddress, 716, "misaligned address")                                     \
    X(cudaErrorLaunchFailure, 719, "a kernel was stopped by an error")                           \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in a cooperative launch")        \
    X(cudaErrorNotPermitted, 800, "operation not permitted")                                     \
    X(cudaErrorNotSupported, 801, "operation not supported")                                     \
    X(cudaErrorSystemNotReady, 802, "the system is not ready")                                   \
    X(cudaErrorStreamCaptureUnsupported, 900, "not possible while a stream is captured")         \
    X(cudaErrorStreamCaptureMerge, 902, "two captures would become one")                         \
    X(cudaErrorStreamCaptureUnmatched, 903, "the capture began on another stream")               \
    X(cudaErrorStreamCaptureUnjoined, 904, "a captured stream was not joined to the first one")  \
    X(cudaErrorStreamCaptureIsolation, 905, "a captured stream would wait for one that is not")  \
    X(cudaErrorCapturedEvent, 907, "the event was recorded in a captured stream")                \
    X(cudaErrorTimeout, 909, "timeout")                                                          \
    X(cudaErrorUnknown, 999, "unknown error")
/* clang-format on */

#endif
