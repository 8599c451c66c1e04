/* limits_kernels.h: the kernels of spmv_limits.h. */
#ifndef SPMV_BENCH_LIMITS_KERNELS_H
#define SPMV_BENCH_LIMITS_KERNELS_H

#include <datamotion/spmv.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies device memory; both addresses and bytes are multiples of 16. */
cudaError_t spmv_limit_copy_launch(void *to, const void *from, size_t bytes, cudaStream_t stream);

#if defined(SOFTGPU)
/* C <- A B, column-major; rows is a multiple of 16. */
cudaError_t spmv_dense_launch(enum spmv_precision precision, int rows, const void *a, const void *b,
                              void *c, cudaStream_t stream);
#endif

#ifdef __cplusplus
}
#endif
#endif
