/* summa_product.h: the local product, by cuBLAS; on the software GPU by a kernel. */
#ifndef COARRAYS_HETERO_SUMMA_PRODUCT_H
#define COARRAYS_HETERO_SUMMA_PRODUCT_H

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct summa_product;

/* For the current device and a stream. cudaErrorMemoryAllocation and those of cuBLAS, in CUDA's
 * words. */
cudaError_t summa_product_open(struct summa_product **product, cudaStream_t stream);
void summa_product_close(struct summa_product *product);

/* Starts C = keep * C + A B, keep 0 or 1: A is m x k and C m x n, both by columns without gaps, B
 * k x n by rows. What C holds does not matter if keep is 0. */
cudaError_t summa_product_start(struct summa_product *product, int m, int n, int k, const double *a,
                                const double *b, int keep, double *c);

#ifdef __cplusplus
}
#endif
#endif
