/* cublas_open.h: cuBLAS with the CUDA runtime's errors. Only with CUDA; a directory that includes
 * it links $(BLAS) (rules.mk). */
#ifndef COMMON_CUBLAS_OPEN_H
#define COMMON_CUBLAS_OPEN_H

#include <cublas_v2.h>
#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the CUDA runtime would say in the place of cuBLAS. */
static inline cudaError_t cublas_error(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS:
        return cudaSuccess;
    case CUBLAS_STATUS_ALLOC_FAILED:
        return cudaErrorMemoryAllocation;
    case CUBLAS_STATUS_INVALID_VALUE:
        return cudaErrorInvalidValue;
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return cudaErrorLaunchFailure;
    default:
        return cudaErrorUnknown;
    }
}

/* A handle for products on `stream` of the current GPU, to be given to cublasDestroy. On error
 * there is none. */
static inline cudaError_t cublas_open(cublasHandle_t *handle, cudaStream_t stream)
{
    cudaError_t error = cublas_error(cublasCreate(handle));
    if (error)
        return error;
    error = cublas_error(cublasSetStream(*handle, stream));
    if (error)
        cublasDestroy(*handle);
    return error;
}

#ifdef __cplusplus
}
#endif
#endif
