#include "scale.h"

#include <datamotion/launch.h>

enum { THREADS = 256 };

static __global__ void scale_kernel(uint64_t *to, const uint64_t *from, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i] * SCALE_FACTOR;
}

cudaError_t scale(uint64_t *to, const uint64_t *from, size_t count, cudaStream_t stream)
{
    size_t blocks = count > 0 ? (count + THREADS - 1) / THREADS : 1;
    dm_launch(scale_kernel, dim3((unsigned)blocks), dim3(THREADS), 0, stream, to, from, count);
    return cudaGetLastError();
}
