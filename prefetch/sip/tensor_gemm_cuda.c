/* The GPU's matrix product by cuBLAS. */
#include "tensor_gemm.h"

#include <cublas_v2.h>
#include <stdlib.h>

struct tensor_gemm {
    cublasHandle_t handle;
};

static cudaError_t as_cuda_error(cublasStatus_t status)
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

cudaError_t tensor_gemm_open(struct tensor_gemm **gemm, cudaStream_t stream)
{
    *gemm = calloc(1, sizeof **gemm);
    if (!*gemm)
        return cudaErrorMemoryAllocation;
    cudaError_t error = as_cuda_error(cublasCreate(&(*gemm)->handle));
    if (!error)
        error = as_cuda_error(cublasSetStream((*gemm)->handle, stream));
    if (error) {
        tensor_gemm_close(*gemm);
        *gemm = NULL;
    }
    return error;
}

void tensor_gemm_close(struct tensor_gemm *gemm)
{
    if (!gemm)
        return;
    if (gemm->handle)
        cublasDestroy(gemm->handle);
    free(gemm);
}

/* cuBLAS is column-major: what it takes for the transposed matrices are ours, so it is asked for
 * the transposed product, with the operands exchanged. */
cudaError_t tensor_gemm_multiply(struct tensor_gemm *gemm, const struct tensor_product *plan,
                                 double *target, double keep, double alpha, const double *first,
                                 const double *second)
{
    return as_cuda_error(cublasDgemm(gemm->handle,
                                     plan->second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                                     plan->first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, plan->n,
                                     plan->m, plan->k, &alpha, second, plan->second.leading, first,
                                     plan->first.leading, &keep, target, plan->target.leading));
}
