/* The GPU's matrix product by cuBLAS. */
#include <stdlib.h>

#include "common/cublas_open.h"

#include "tensor_gemm.h"

struct tensor_gemm {
    cublasHandle_t handle;
};

cudaError_t tensor_gemm_open(struct tensor_gemm **gemm, cudaStream_t stream)
{
    *gemm = calloc(1, sizeof **gemm);
    if (!*gemm)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cublas_open(&(*gemm)->handle, stream);
    if (error) {
        free(*gemm);
        *gemm = NULL;
    }
    return error;
}

void tensor_gemm_close(struct tensor_gemm *gemm)
{
    if (!gemm)
        return;
    cublasDestroy(gemm->handle);
    free(gemm);
}

/* cuBLAS is column-major: what it takes for the transposed matrices are ours, so it is asked for
 * the transposed product, with the operands swapped. */
cudaError_t tensor_gemm_multiply(struct tensor_gemm *gemm, const struct tensor_product *plan,
                                 double *target, double keep, double alpha, const double *first,
                                 const double *second)
{
    return cublas_error(cublasDgemm(gemm->handle,
                                    plan->second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                                    plan->first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, plan->n,
                                    plan->m, plan->k, &alpha, second, plan->second.leading, first,
                                    plan->first.leading, &keep, target, plan->target.leading));
}
