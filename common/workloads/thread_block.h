/* thread_block.h: the thread blocks with which a workload's kernels are launched. */
#ifndef COMMON_WORKLOADS_THREAD_BLOCK_H
#define COMMON_WORKLOADS_THREAD_BLOCK_H

#include <datamotion/region.h>

enum { THREAD_BLOCK_LIMIT = 1024 };

/* The region's thread block, or, where the region leaves it open, `gpu` on a GPU and `soft` on the
 * software GPU (where threads at a barrier take turns, so that small blocks are cheaper).
 * cudaErrorInvalidConfiguration if it has no threads, too many, or a third dimension. */
static inline cudaError_t thread_block_choose(const struct dm_region *region, dim3 gpu, dim3 soft,
                                              dim3 *block)
{
    dim3 asked = region->block;
#if defined(SOFTGPU)
    dim3 usual = soft;
    (void)gpu;
#else
    dim3 usual = gpu;
    (void)soft;
#endif
    *block = asked.x || asked.y || asked.z ? asked : usual;
    bool possible = block->x >= 1 && block->x <= THREAD_BLOCK_LIMIT && block->y >= 1 &&
                    block->y <= THREAD_BLOCK_LIMIT / block->x && block->z == 1;
    return possible ? cudaSuccess : cudaErrorInvalidConfiguration;
}

/* Blocks of `size` threads that it takes for `count` elements. */
static inline unsigned thread_block_count(long count, unsigned size)
{
    return (unsigned)((count + size - 1) / size);
}

#endif
