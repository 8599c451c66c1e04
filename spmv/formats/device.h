/* device.h: device functions of several formats, and the number of threads of a block. */
#ifndef SPMV_FORMATS_DEVICE_H
#define SPMV_FORMATS_DEVICE_H

#include "common/gpu.h"

/* On the software GPU the threads of a block run one after the other, and a barrier costs a context
 * switch for each. */
#if defined(SOFTGPU)
enum { SPARSE_THREADS = 32 };
#else
enum { SPARSE_THREADS = 256 };
#endif
enum { SPARSE_WARP = 32 };

/* Thread blocks for that many threads. */
static inline dim3 sparse_blocks(int64_t threads)
{
    return dim3((unsigned)((threads + SPARSE_THREADS - 1) / SPARSE_THREADS));
}

static __device__ inline int64_t sparse_thread()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* *y <- alpha sum + beta *y; *y is not read when beta is 0. */
template <class Real> static __device__ void sparse_store(Real alpha, Real sum, Real beta, Real *y)
{
    *y = beta == 0 ? alpha * sum : alpha * sum + beta * *y;
}

/* The sum over groups of `lanes` neighbouring threads (a power of two up to 32), in the first of
 * each. All threads of the warp take part. */
template <class Real> static __device__ Real sparse_sum_lanes(Real sum, int lanes)
{
    for (int distance = lanes / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance, lanes);
    return sum;
}

#endif
