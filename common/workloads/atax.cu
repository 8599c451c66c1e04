#include "atax.h"

#include "common/gpu.h"

#include "atax_device.h"
#include "thread_block.h"

static __global__ void product_kernel(struct dm_slices a, struct dm_slices x, struct dm_slices tmp,
                                      struct atax_shape shape, long begin)
{
    const struct dm_slices views[ATAX_ARRAYS] = {a, x, tmp};
    long i = begin + blockIdx.x;
    float product = atax_product(views, shape, i);
    if (threadIdx.x == 0)
        *dm_slice<float>(tmp, i) = product;
}

/* Threads of one column share the rows, and the first of them adds up what they found. */
static __global__ void add_rows_kernel(struct dm_slices a, struct dm_slices tmp, float *y, long n,
                                       long begin, long end, bool overwrite)
{
    __shared__ float sums[THREAD_BLOCK_LIMIT];
    long j = (long)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (j < n)
        for (long i = begin + threadIdx.y; i < end; i += blockDim.y)
            sum += *dm_slice<float>(tmp, i) * dm_slice<float>(a, i)[j];
    if (blockDim.y > 1) {
        sums[threadIdx.y * blockDim.x + threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.y > 0)
            return;
        for (unsigned group = 1; group < blockDim.y; group++)
            sum += sums[group * blockDim.x + threadIdx.x];
    }
    if (j < n)
        y[j] = overwrite ? sum : y[j] + sum;
}

cudaError_t atax_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                        long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    struct atax_shape shape = *(const struct atax_shape *)region->context;
    dim3 block;
    cudaError_t error = thread_block_choose(region, {32, 16, 1}, {32, 1, 1}, &block);
    if (error)
        return error;
    if (block.x * block.y % 32)
        return cudaErrorInvalidConfiguration;
    dm_launch(product_kernel, (unsigned)(end - begin), block.x * block.y, 0, stream, views[ATAX_A],
              views[ATAX_X], views[ATAX_TMP], shape, begin);
    error = cudaGetLastError();
    if (error)
        return error;
    dm_launch(add_rows_kernel, thread_block_count(shape.n, block.x), block, 0, stream,
              views[ATAX_A], views[ATAX_TMP], (float *)views[ATAX_Y].base, shape.n, begin, end,
              begin == region->begin);
    return cudaGetLastError();
}
