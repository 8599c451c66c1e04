/* tunable_device.h: the element of a CUDA thread, and the blocks that it takes, where x divides the
 * columns and y the rows. Included by .cu files only. */
#ifndef COMMON_WORKLOADS_TUNABLE_DEVICE_H
#define COMMON_WORKLOADS_TUNABLE_DEVICE_H

#include "thread_block.h"

static inline __device__ int tunable_column(void)
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

static inline __device__ int tunable_row(void)
{
    return (int)(blockIdx.y * blockDim.y + threadIdx.y);
}

static inline dim3 tunable_blocks(size_t rows, size_t columns, dim3 block)
{
    return dim3(thread_block_count((long)columns, block.x), thread_block_count((long)rows, block.y),
                1);
}

#endif
