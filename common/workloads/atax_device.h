/* atax_device.h: what one thread block does for atax: a row of A. */
#ifndef COMMON_WORKLOADS_ATAX_DEVICE_H
#define COMMON_WORKLOADS_ATAX_DEVICE_H

#include "atax.h"

/* The sum of the values of all threads of a one-dimensional block of a multiple of 32 threads, for
 * each of them. */
static inline __device__ float atax_block_sum(float value)
{
    __shared__ float of_warp[32];
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    if (blockDim.x == 32)
        return value;
    __syncthreads(); /* the sums of the call before are no longer read */
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
    for (unsigned warp = 0; warp < blockDim.x / 32; warp++)
        sum += of_warp[warp];
    return sum;
}

/* A_i . x, for all threads of the block, each of which calls it. */
static inline __device__ float atax_product(const struct dm_slices *views, struct atax_shape shape,
                                            long i)
{
    const float *row = dm_slice<float>(views[ATAX_A], i), *x = (const float *)views[ATAX_X].base;
    float sum = 0.0f;
    for (long j = threadIdx.x; j < shape.n; j += blockDim.x)
        sum += row[j] * x[j];
    return atax_block_sum(sum);
}

/* Iteration i with a y of the block's own: partial[0, n) += (A_i . x) A_i. tmp is not used. All
 * threads of a one-dimensional block of a multiple of 32 threads call it; a thread always has the
 * same elements of `partial`. */
static inline __device__ void atax_row(const struct dm_slices *views, struct atax_shape shape,
                                       long i, float *partial)
{
    const float *row = dm_slice<float>(views[ATAX_A], i);
    float product = atax_product(views, shape, i);
    for (long j = threadIdx.x; j < shape.n; j += blockDim.x)
        partial[j] += product * row[j];
}

#endif
