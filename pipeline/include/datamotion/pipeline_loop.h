/* pipeline_loop.h: what the loops that pipelinecc translates are made of. Generated sources include
 * it; nothing in it is meant to be called by hand. */
#ifndef DATAMOTION_PIPELINE_LOOP_H
#define DATAMOTION_PIPELINE_LOOP_H

#include <stdio.h>
#include <stdlib.h>

#include <math.h>

#include <datamotion/launch.h>
#include <datamotion/pipeline.h>

#ifdef __cplusplus

#if defined(__CUDACC__) || defined(SOFTGPU)

#if defined(SOFTGPU)
enum { PIPELINE_BLOCK = 32, PIPELINE_BLOCKS_MAX = 4 };
#else
enum { PIPELINE_BLOCK = 256, PIPELINE_BLOCKS_MAX = 4096 };
#endif

/* How often a loop from begin to end runs. */
static inline __host__ __device__ long pipeline_count(long begin, long end, long step)
{
    return begin < end ? (end - begin + step - 1) / step : 0;
}

/* a / b of numbers that are not negative. A division of 64 bits takes a GPU several times as long
 * as one of 32. */
static inline __host__ __device__ long pipeline_quotient(long a, long b)
{
    if (a < 0x80000000l && b < 0x80000000l)
        return (long)((unsigned)a / (unsigned)b);
    return a / b;
}

/* Blocks for so many threads; beyond the limit each thread does more. */
static inline unsigned pipeline_blocks(long threads)
{
    long blocks = pipeline_count(0, threads, PIPELINE_BLOCK);
    return (unsigned)(blocks < 1                           ? 1
                      : blocks < (long)PIPELINE_BLOCKS_MAX ? blocks
                                                           : (long)PIPELINE_BLOCKS_MAX);
}

/* Rows of blocks for so many iterations. */
static inline unsigned pipeline_rows(long iterations)
{
    return (unsigned)(iterations < 65535 ? iterations : 65535);
}

/* Parts of a stage for as many threads as can work at an iteration: a few elements each. */
static inline int pipeline_parts(long threads)
{
    long parts = threads / 16384;
    return parts < 1 ? 1 : parts < 16 ? (int)parts : 16;
}

/* Adds to a sum that other threads add to. Two's complement needs no addition of its own. */
template <class Number> static inline __device__ void pipeline_add(Number *sum, Number value)
{
    atomicAdd(sum, value);
}
static inline __device__ void pipeline_add(long *sum, long value)
{
    atomicAdd((unsigned long long *)sum, (unsigned long long)value);
}
static inline __device__ void pipeline_add(unsigned long *sum, unsigned long value)
{
    atomicAdd((unsigned long long *)sum, (unsigned long long)value);
}
static inline __device__ void pipeline_add(long long *sum, long long value)
{
    atomicAdd((unsigned long long *)sum, (unsigned long long)value);
}

/* The sum of the values of all threads of a block of one dimension, for each of them. All call it.
 */
template <class Number> static inline __device__ Number pipeline_block_sum(Number value)
{
    __shared__ Number values[1024];
    __syncthreads(); /* those of the call before are no longer read */
    values[threadIdx.x] = value;
    __syncthreads();
    for (unsigned size = blockDim.x; size > 1;) {
        unsigned half = (size + 1) / 2;
        if (threadIdx.x + half < size)
            values[threadIdx.x] += values[threadIdx.x + half];
        size = half;
        __syncthreads();
    }
    return values[0];
}

/* Likewise their product. */
template <class Number> static inline __device__ Number pipeline_block_product(Number value)
{
    __shared__ Number values[1024];
    __syncthreads();
    values[threadIdx.x] = value;
    __syncthreads();
    for (unsigned size = blockDim.x; size > 1;) {
        unsigned half = (size + 1) / 2;
        if (threadIdx.x + half < size)
            values[threadIdx.x] *= values[threadIdx.x + half];
        size = half;
        __syncthreads();
    }
    return values[0];
}

#endif
#endif
#endif
