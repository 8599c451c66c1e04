/* cooperative_groups.h: the grid, the block and tiles of a warp as groups, by CUDA's names. */
#ifndef SOFT_COOPERATIVE_GROUPS_H
#define SOFT_COOPERATIVE_GROUPS_H

#include "softgpu/device.h"

namespace cooperative_groups
{

/* All threads of the launch. sync() needs dm_launch_cooperative(). */
class grid_group
{
  public:
    bool is_valid() const
    {
        return soft_is_cooperative();
    }
    void sync() const
    {
        soft_barrier(1, 0);
    }
    unsigned long long size() const
    {
        return num_blocks() * blockDim.x * blockDim.y * blockDim.z;
    }
    unsigned long long num_threads() const
    {
        return size();
    }
    unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    unsigned long long block_rank() const
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    unsigned long long thread_rank() const
    {
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) +
               (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    dim3 group_dim() const
    {
        return gridDim;
    }
};

class thread_block
{
  public:
    void sync() const
    {
        __syncthreads();
    }
    unsigned size() const
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    unsigned num_threads() const
    {
        return size();
    }
    unsigned thread_rank() const
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    dim3 group_index() const
    {
        return blockIdx;
    }
    dim3 thread_index() const
    {
        return threadIdx;
    }
    dim3 group_dim() const
    {
        return blockDim;
    }
};

/* `lanes` consecutive threads of a warp; a power of two up to 32. */
template <unsigned lanes> class thread_block_tile
{
    static_assert(lanes > 0 && lanes <= 32 && (lanes & (lanes - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

    static unsigned first_lane()
    {
        return soft_lane() & ~(lanes - 1);
    }
    static unsigned mask()
    {
        return (0xffffffffu >> (32 - lanes)) << first_lane();
    }

  public:
    void sync() const
    {
        __syncwarp(mask());
    }
    static constexpr unsigned size()
    {
        return lanes;
    }
    static constexpr unsigned num_threads()
    {
        return lanes;
    }
    unsigned thread_rank() const
    {
        return soft_lane() & (lanes - 1);
    }
    /* Which tile of the block this is, and how many there are. */
    unsigned meta_group_rank() const
    {
        return thread_block().thread_rank() / lanes;
    }
    unsigned meta_group_size() const
    {
        return (thread_block().size() + lanes - 1) / lanes;
    }
    template <class T> T shfl(T value, int source) const
    {
        return __shfl_sync(mask(), value, source, lanes);
    }
    template <class T> T shfl_up(T value, unsigned delta) const
    {
        return __shfl_up_sync(mask(), value, delta, lanes);
    }
    template <class T> T shfl_down(T value, unsigned delta) const
    {
        return __shfl_down_sync(mask(), value, delta, lanes);
    }
    template <class T> T shfl_xor(T value, unsigned lane_mask) const
    {
        return __shfl_xor_sync(mask(), value, (int)lane_mask, lanes);
    }
    /* Bit i is the tile's thread i. */
    unsigned ballot(int predicate) const
    {
        return __ballot_sync(mask(), predicate) >> first_lane();
    }
    bool any(int predicate) const
    {
        return ballot(predicate) != 0;
    }
    bool all(int predicate) const
    {
        return __all_sync(mask(), predicate);
    }
};

static inline grid_group this_grid()
{
    return grid_group();
}
static inline thread_block this_thread_block()
{
    return thread_block();
}
template <unsigned lanes, class Group> static inline thread_block_tile<lanes> tiled_partition(Group)
{
    return thread_block_tile<lanes>();
}
template <class Group> static inline void sync(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
