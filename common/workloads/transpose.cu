#include "common/gpu.h"

#include "thread_block.h"
#include "transpose_device.h"

static __global__ void transpose_kernel(struct dm_slices input, struct dm_slices output,
                                        struct transpose_shape shape, long begin)
{
    const struct dm_slices views[2] = {input, output};
    transpose_tile(views, shape, begin + blockIdx.y, blockIdx.x);
}

cudaError_t transpose_launch(const struct dm_region *region, const struct dm_slices *views,
                             long begin, long end, cudaStream_t stream)
{
    const struct transpose_shape *shape = (const struct transpose_shape *)region->context;
    dim3 block;
    cudaError_t error = thread_block_choose(region, dim3(32, 8, 1), dim3(32, 2, 1), &block);
    if (error == cudaSuccess && block.x % TRANSPOSE_PANEL)
        error = cudaErrorInvalidConfiguration;
    if (error != cudaSuccess)
        return error;
    if (begin < 0 || end > shape->rows / TRANSPOSE_PANEL || begin > end || shape->columns < 1)
        return cudaErrorInvalidValue;
    if (begin == end)
        return cudaSuccess;
    dim3 grid(thread_block_count(shape->columns, TRANSPOSE_PANEL), (unsigned)(end - begin), 1);
    dm_launch(transpose_kernel, grid, block, 0, stream, views[IN_OUT_INPUT], views[IN_OUT_OUTPUT],
              *shape, begin);
    return cudaGetLastError();
}
