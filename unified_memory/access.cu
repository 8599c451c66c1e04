#include "access.h"

/* A block reads or writes one piece of the array: small enough that on the software GPU, where a
 * block's threads take turns, it stays in a cache. */
enum { PIECE_ELEMENTS = 16384 };
#if defined(SOFTGPU)
enum { THREADS = 32 };
#else
enum { THREADS = 256 };
#endif

/* Adds what the threads of a block bring to *sum, with one access to memory per block. */
static __device__ void add_block(uint32_t mine, uint32_t *sum)
{
    __shared__ uint32_t total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
}

static __device__ size_t piece_end(size_t count)
{
    size_t end = ((size_t)blockIdx.x + 1) * PIECE_ELEMENTS;
    return end < count ? end : count;
}

static __global__ void sum_kernel(const uint32_t *values, size_t count, uint32_t *sum)
{
    uint32_t mine = 0;
    for (size_t i = (size_t)blockIdx.x * PIECE_ELEMENTS + threadIdx.x; i < piece_end(count);
         i += THREADS)
        mine += values[i];
    add_block(mine, sum);
}

static __global__ void fill_kernel(uint32_t *values, size_t count, uint32_t seed)
{
    for (size_t i = (size_t)blockIdx.x * PIECE_ELEMENTS + threadIdx.x; i < piece_end(count);
         i += THREADS)
        values[i] = access_value(i, seed);
}

static __global__ void gather_kernel(const uint32_t *values, size_t count, size_t accesses,
                                     uint32_t seed, uint32_t *sum)
{
    size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x;
    add_block(k < accesses ? values[access_index((uint32_t)k, seed, count)] : 0, sum);
}

static __global__ void increment_kernel(uint32_t *values, size_t count)
{
    for (size_t i = (size_t)blockIdx.x * PIECE_ELEMENTS + threadIdx.x; i < piece_end(count);
         i += THREADS)
        values[i]++;
}

static dim3 blocks_for(size_t count, size_t per_block)
{
    return dim3((unsigned)((count + per_block - 1) / per_block));
}

cudaError_t access_sum(const uint32_t *values, size_t count, uint32_t *sum, cudaStream_t stream)
{
    dm_launch(sum_kernel, blocks_for(count, PIECE_ELEMENTS), dim3(THREADS), 0, stream, values,
              count, sum);
    return cudaGetLastError();
}

cudaError_t access_fill(uint32_t *values, size_t count, uint32_t seed, cudaStream_t stream)
{
    dm_launch(fill_kernel, blocks_for(count, PIECE_ELEMENTS), dim3(THREADS), 0, stream, values,
              count, seed);
    return cudaGetLastError();
}

cudaError_t access_gather(const uint32_t *values, size_t count, size_t accesses, uint32_t seed,
                          uint32_t *sum, cudaStream_t stream)
{
    dm_launch(gather_kernel, blocks_for(accesses, THREADS), dim3(THREADS), 0, stream, values, count,
              accesses, seed, sum);
    return cudaGetLastError();
}

cudaError_t access_increment(uint32_t *values, size_t count, cudaStream_t stream)
{
    dm_launch(increment_kernel, blocks_for(count, PIECE_ELEMENTS), dim3(THREADS), 0, stream, values,
              count);
    return cudaGetLastError();
}
