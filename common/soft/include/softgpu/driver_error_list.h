/* driver_error_list.h: the driver's error codes, each with CUDA's name and number and a sentence.
 * One list makes the enumeration (cuda_types.h) and the two tables of names (driver_error.c). */
#ifndef SOFT_DRIVER_ERROR_LIST_H
#define SOFT_DRIVER_ERROR_LIST_H

/* clang-format off */
#define SOFT_DRIVER_ERROR_LIST(X)                                                                   \
    X(CUDA_SUCCESS, 0, "no error")                                                                  \
    X(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                                              \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                                                 \
    X(CUDA_ERROR_NOT_INITIALIZED, 3, "the driver was not initialised, or could not be")             \
    X(CUDA_ERROR_DEINITIALIZED, 4, "the driver is shutting down")                                   \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46, "the device is unavailable")                               \
    X(CUDA_ERROR_NO_DEVICE, 100, "no device was found")                                             \
    X(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device number")                                      \
    X(CUDA_ERROR_INVALID_IMAGE, 200, "the image is no kernel module")                               \
    X(CUDA_ERROR_INVALID_CONTEXT, 201, "no current context, or an invalid one")                     \
    X(CUDA_ERROR_MAP_FAILED, 205, "memory could not be mapped")                                     \
    X(CUDA_ERROR_ALREADY_MAPPED, 208, "already mapped")                                             \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, "the module holds no code for this device")                \
    X(CUDA_ERROR_NOT_MAPPED, 211, "not mapped")                                                     \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, "uncorrectable memory error")                              \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215, "unsupported limit")                                       \
    X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217, "peer access is not possible between these devices") \
    X(CUDA_ERROR_INVALID_PTX, 218, "the PTX text cannot be compiled")                               \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221, "there is no PTX compiler")                           \
    X(CUDA_ERROR_INVALID_SOURCE, 300, "invalid source")                                             \
    X(CUDA_ERROR_FILE_NOT_FOUND, 301, "file was not found")                                         \
    X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302, "a symbol of the shared object was not found") \
    X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303, "the shared object could not be loaded")           \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304, "an operating system call failed")                          \
    X(CUDA_ERROR_INVALID_HANDLE, 400, "invalid handle")                                             \
    X(CUDA_ERROR_ILLEGAL_STATE, 401, "object is in a state that forbids the call")                  \
    X(CUDA_ERROR_NOT_FOUND, 500, "named symbol was not found")                                      \
    X(CUDA_ERROR_NOT_READY, 600, "work has not finished")                                           \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, "a kernel touched memory that it may not touch")             \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch")           \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, "a kernel did not end and was stopped")                       \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, "peer access is already enabled")                \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705, "peer access is not enabled")                        \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708, "the primary context is in use")                      \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "the context was destroyed")                            \
    X(CUDA_ERROR_ASSERT, 710, "a device assertion failed")                                          \
    X(CUDA_ERROR_TOO_MANY_PEERS, 711, "too many peers")                                             \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, "host memory is already page-locked")         \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713, "host memory is not registered")                  \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                                     \
    X(CUDA_ERROR_LAUNCH_FAILED, 719, "a kernel was stopped by an error")                            \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720, "too many blocks in a cooperative launch")      \
    X(CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")                                     \
    X(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                                     \
    X(CUDA_ERROR_SYSTEM_NOT_READY, 802, "the system is not ready")                                  \
    X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900, "not possible while a stream is captured")        \
    X(CUDA_ERROR_TIMEOUT, 909, "timeout")                                                           \
    X(CUDA_ERROR_UNKNOWN, 999, "unknown error")
/* clang-format on */

#endif
