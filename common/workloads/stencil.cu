#include "common/gpu.h"

#include "stencil_device.h"
#include "thread_block.h"

static __global__ void stencil_kernel(struct dm_slices input, struct dm_slices output,
                                      struct stencil_shape shape, long begin)
{
    long k = (long)blockIdx.x * blockDim.x + threadIdx.x;
    long j = (long)blockIdx.y * blockDim.y + threadIdx.y;
    long i = (long)blockIdx.z + begin;
    if (j < shape.rows && k < shape.columns)
        dm_slice<float>(output, i)[j * shape.columns + k] = stencil_element(input, shape, i, j, k);
}

cudaError_t stencil_launch(const struct dm_region *region, const struct dm_slices *views,
                           long begin, long end, cudaStream_t stream)
{
    const struct stencil_shape *shape = (const struct stencil_shape *)region->context;
    dim3 block;
    cudaError_t error = thread_block_choose(region, dim3(32, 8, 1), dim3(32, 2, 1), &block);
    if (error != cudaSuccess)
        return error;
    if (begin < 1 || end > shape->planes - 1 || begin > end || shape->rows < 1 ||
        shape->columns < 1)
        return cudaErrorInvalidValue;
    if (begin == end)
        return cudaSuccess;
    dim3 grid(thread_block_count(shape->columns, block.x), thread_block_count(shape->rows, block.y),
              (unsigned)(end - begin));
    dm_launch(stencil_kernel, grid, block, 0, stream, views[IN_OUT_INPUT], views[IN_OUT_OUTPUT],
              *shape, begin);
    return cudaGetLastError();
}
