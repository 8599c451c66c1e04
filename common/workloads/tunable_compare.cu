#include "tunable_compare.h"

#include "common/gpu.h"

static __global__ void compare_kernel(const float *result, const float *expected, size_t count,
                                      double tolerance, unsigned *wrong)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    double difference = fabs((double)result[i] - (double)expected[i]);
    double scale = fmax(1.0, fabs((double)expected[i]));
    if (!(difference <= tolerance * scale)) /* true also for NaN */
        atomicAdd(wrong, 1u);
}

cudaError_t tunable_compare(const float *result, const float *expected, size_t count,
                            double tolerance, unsigned *wrong, cudaStream_t stream)
{
    const size_t threads = 256;
    if (count == 0)
        return cudaSuccess;
    dm_launch(compare_kernel, dim3((unsigned)((count + threads - 1) / threads)), dim3(threads), 0,
              stream, result, expected, count, tolerance, wrong);
    return cudaGetLastError();
}
