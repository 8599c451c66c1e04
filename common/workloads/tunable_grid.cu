#include "tunable_grid.h"

#include "common/gpu.h"

#include "thread_block.h"

/* The sum of the elements at both sides of one. */
static inline __device__ float both(const float *at, long step)
{
    return at[-step] + at[step];
}

/* The sums of an element's neighbours in a plane: four in its row and column, four at its corners.
 */
static inline __device__ float cross(const float *at, long row)
{
    return both(at, 1) + both(at, row);
}

static inline __device__ float diagonals(const float *at, long row)
{
    return both(at, row - 1) + both(at, row + 1);
}

static inline __device__ float epcc_element(struct dm_slices input, long n, long i, long j, long k)
{
    long at = j * n + k;
    const float *above = dm_slice<float>(input, i - 1) + at;
    const float *middle = dm_slice<float>(input, i) + at;
    const float *below = dm_slice<float>(input, i + 1) + at;
    if (j == 0 || k == 0 || j == n - 1 || k == n - 1)
        return *middle;
    float faces = *above + *below + cross(middle, n);
    float edges = cross(above, n) + cross(below, n) + diagonals(middle, n);
    float corners = diagonals(above, n) + diagonals(below, n);
    return EPCC_POINT * *middle + EPCC_FACE * faces + EPCC_EDGE * edges + EPCC_CORNER * corners;
}

static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    epcc_kernel(struct dm_slices input, struct dm_slices output, long n, long begin)
{
    long k = (long)blockIdx.x * blockDim.x + threadIdx.x;
    long j = (long)blockIdx.y * blockDim.y + threadIdx.y;
    long i = (long)blockIdx.z + begin;
    if (j < n && k < n)
        dm_slice<float>(output, i)[j * n + k] = epcc_element(input, n, i, j, k);
}

cudaError_t epcc_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                        long end, cudaStream_t stream)
{
    long n = ((const struct epcc_shape *)region->context)->n;
    dim3 block;
    cudaError_t error = thread_block_choose(region, dim3(32, 8, 1), dim3(32, 2, 1), &block);
    if (error != cudaSuccess)
        return error;
    if (begin < 1 || end > n - 1 || begin > end)
        return cudaErrorInvalidValue;
    if (begin == end)
        return cudaSuccess;
    dim3 grid(thread_block_count(n, block.x), thread_block_count(n, block.y),
              (unsigned)(end - begin));
    dm_launch(epcc_kernel, grid, block, 0, stream, views[IN_OUT_INPUT], views[IN_OUT_OUTPUT], n,
              begin);
    return cudaGetLastError();
}
