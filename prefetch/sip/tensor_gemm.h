/* tensor_gemm.h: the GPU's matrix product, row-major: c = keep c + alpha a b.
 *
 * Two implementations, of which the Makefile takes one: tensor_gemm_cuda.c calls cuBLAS (GPU=cuda);
 * the software GPU has no such library, so tensor_gemm_soft.cu is a kernel of our own (GPU=soft).
 */
#ifndef PREFETCH_SIP_TENSOR_GEMM_H
#define PREFETCH_SIP_TENSOR_GEMM_H

#include "tensor_labels.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tensor_gemm;

/* For products on `stream` of the current GPU. On error *gemm is NULL. */
cudaError_t tensor_gemm_open(struct tensor_gemm **gemm, cudaStream_t stream);
void tensor_gemm_close(struct tensor_gemm *gemm);

/* Enqueues the plan's product. keep = 0: the target is not read. */
cudaError_t tensor_gemm_multiply(struct tensor_gemm *gemm, const struct tensor_product *plan,
                                 double *target, double keep, double alpha, const double *first,
                                 const double *second);

#ifdef __cplusplus
}
#endif
#endif
