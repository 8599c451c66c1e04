#include "mapped_copy.h"

#include "common/gpu.h"

enum { COPY_THREADS = 256, COPY_BLOCKS_MAX = 1024, COMPUTE_THREADS = 128 };

__global__ static void copy_kernel(double *target, const double *source, size_t elements)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += stride)
        target[i] = source[i];
}

__global__ static void compute_kernel(double *values, unsigned steps)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    double value = values[thread];
    for (unsigned i = 0; i < steps; i++)
        value = value * 0.999 + 0.5;
    values[thread] = value;
}

cudaError_t mapped_copy(double *target, const double *source, size_t elements, cudaStream_t stream)
{
    size_t blocks = (elements + COPY_THREADS - 1) / COPY_THREADS;
    if (blocks > COPY_BLOCKS_MAX)
        blocks = COPY_BLOCKS_MAX;
    dm_launch(copy_kernel, dim3((unsigned)blocks), dim3(COPY_THREADS), 0, stream, target, source,
              elements);
    return cudaGetLastError();
}

cudaError_t compute_only(double *values, unsigned threads, unsigned steps, cudaStream_t stream)
{
    dm_launch(compute_kernel, dim3(threads / COMPUTE_THREADS), dim3(COMPUTE_THREADS), 0, stream,
              values, steps);
    return cudaGetLastError();
}
