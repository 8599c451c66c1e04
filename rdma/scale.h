/* scale.h: what a worker computes with a block between getting and putting it. */
#ifndef RDMA_SCALE_H
#define RDMA_SCALE_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers are unsigned and products modulo 2^64: results can be compared exactly, and as the factor
 * is odd no two numbers become equal. Source of the factor: the multiplier of Knuth's MMIX
 * generator. */
#define SCALE_FACTOR 6364136223846793005u

/* to[i] = from[i] * SCALE_FACTOR; `to` may be `from`. count may be 0: then a kernel runs that does
 * nothing. Returns when the kernel is enqueued. */
cudaError_t scale(uint64_t *to, const uint64_t *from, size_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
