#include "asian_kernels.h"

#include "common/gpu.h"

/* A thread is a lane of a block of paths. */
enum { THREADS = ASIAN_LANES };

/* The whole path with that index. */
static __device__ ASIAN_CLONES struct asian_path walk_path(const struct asian_walk *walk,
                                                           uint32_t index)
{
    struct asian_path path = {};
    for (uint32_t group = 0; group < walk->groups; group++)
        asian_advance(walk, index, group, &path);
    return path;
}

/* The sums of one block of paths, in lanes[0] for thread 0. */
static __device__ void sum_block(const struct asian_walk *walk, int64_t paths, int64_t block,
                                 struct asian_sums *lanes)
{
    unsigned lane = threadIdx.x;
    int count = asian_paths_of_block(paths, block);
    struct asian_sums sums = {};
    for (int p = (int)lane; p < count; p += THREADS) {
        struct asian_path path = walk_path(walk, (uint32_t)(block * ASIAN_BLOCK_PATHS + p));
        asian_add_path(walk, &path, &sums);
    }
    lanes[lane] = sums;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (lane < half)
            asian_add_sums(&lanes[lane], &lanes[lane + half]);
        __syncthreads();
    }
}

static __global__ void __launch_bounds__(THREADS)
    blocks_kernel(const struct asian_walk *walks, int64_t paths, struct asian_sums *parts)
{
    __shared__ struct asian_sums lanes[THREADS];
    struct asian_walk walk = walks[blockIdx.y];
    sum_block(&walk, paths, blockIdx.x, lanes);
    if (threadIdx.x == 0)
        parts[(size_t)blockIdx.y * gridDim.x + blockIdx.x] = lanes[0];
}

static __global__ void __launch_bounds__(THREADS)
    options_kernel(const struct asian_walk *walks, int64_t paths, int64_t blocks,
                   struct asian_sums *sums)
{
    __shared__ struct asian_sums lanes[THREADS];
    struct asian_walk walk = walks[blockIdx.x];
    struct asian_sums total = {};
    for (int64_t block = 0; block < blocks; block++) {
        sum_block(&walk, paths, block, lanes);
        if (threadIdx.x == 0)
            asian_add_sums(&total, &lanes[0]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

cudaError_t asian_launch_blocks(const struct asian_walk *walks, size_t count, int64_t paths,
                                int64_t blocks, struct asian_sums *parts, cudaStream_t stream)
{
    dm_launch(blocks_kernel, dim3((unsigned)blocks, (unsigned)count), dim3(THREADS), 0, stream,
              walks, paths, parts);
    return cudaGetLastError();
}

cudaError_t asian_launch_options(const struct asian_walk *walks, size_t count, int64_t paths,
                                 int64_t blocks, struct asian_sums *sums, cudaStream_t stream)
{
    dm_launch(options_kernel, dim3((unsigned)count), dim3(THREADS), 0, stream, walks, paths, blocks,
              sums);
    return cudaGetLastError();
}
