#include "common/gpu.h"

#include "conv2d_device.h"
#include "thread_block.h"

static __global__ void conv2d_kernel(struct dm_slices input, struct dm_slices output, long columns,
                                     long begin, long end)
{
    long j = (long)blockIdx.x * blockDim.x + threadIdx.x;
    long i = (long)blockIdx.y * blockDim.y + threadIdx.y + begin;
    if (i < end && j < columns)
        dm_slice<float>(output, i)[j] = conv2d_element(input, columns, i, j);
}

cudaError_t conv2d_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                          long end, cudaStream_t stream)
{
    const struct conv2d_shape *shape = (const struct conv2d_shape *)region->context;
    dim3 block;
    cudaError_t error = thread_block_choose(region, dim3(32, 8, 1), dim3(32, 2, 1), &block);
    if (error != cudaSuccess)
        return error;
    if (begin < 1 || end > shape->rows - 1 || begin > end || shape->columns < 1)
        return cudaErrorInvalidValue;
    if (begin == end)
        return cudaSuccess;
    dim3 grid(thread_block_count(shape->columns, block.x), thread_block_count(end - begin, block.y),
              1);
    dm_launch(conv2d_kernel, grid, block, 0, stream, views[IN_OUT_INPUT], views[IN_OUT_OUTPUT],
              shape->columns, begin, end);
    return cudaGetLastError();
}
