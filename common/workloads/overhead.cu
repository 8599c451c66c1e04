#include "overhead.h"

#include "common/gpu.h"

static __global__ void count_threads(unsigned *counters)
{
    counters[blockIdx.x * blockDim.x + threadIdx.x]++;
}

static __global__ void count_after_barriers(unsigned *counters, unsigned barriers)
{
    for (unsigned i = 0; i < barriers; i++)
        __syncthreads();
    counters[blockIdx.x * blockDim.x + threadIdx.x]++;
}

cudaError_t overhead_count_threads(unsigned *counters, unsigned blocks, unsigned threads_per_block,
                                   cudaStream_t stream)
{
    dm_launch(count_threads, blocks, threads_per_block, 0, stream, counters);
    return cudaGetLastError();
}

cudaError_t overhead_count_after_barriers(unsigned *counters, unsigned blocks,
                                          unsigned threads_per_block, unsigned barriers,
                                          cudaStream_t stream)
{
    dm_launch(count_after_barriers, blocks, threads_per_block, 0, stream, counters, barriers);
    return cudaGetLastError();
}
