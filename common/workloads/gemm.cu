#include "gemm.h"

#include "common/gpu.h"

#include "gemm_device.h"
#include "thread_block.h"

static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    gemm_kernel(struct dm_slices a, struct dm_slices b, struct dm_slices c, struct gemm_shape shape,
                long begin)
{
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    gemm_tile(views, shape, begin + blockIdx.y, blockIdx.x);
}

static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    matmul_kernel(struct dm_slices a, struct dm_slices b, struct dm_slices c,
                  struct gemm_shape shape, long begin, long end, bool overwrite)
{
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    matmul_tile(views, shape, begin, end, blockIdx.y, blockIdx.x, overwrite);
}

static __global__ void matmul_naive_kernel(struct dm_slices a, struct dm_slices b, float *c, long n,
                                           long begin, long end, bool overwrite)
{
    long column = (long)blockIdx.x * blockDim.x + threadIdx.x;
    long row = (long)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    float sum = overwrite ? 0.0f : c[row * n + column];
    for (long panel = begin; panel < end; panel++) {
        const float *a_row = dm_slice<float>(a, panel) + row * dm_pitch<float>(a);
        const float *b_column = dm_slice<float>(b, panel) + column;
        for (long k = 0; k < GEMM_TILE; k++)
            sum += a_row[k] * b_column[k * n];
    }
    c[row * n + column] = sum;
}

/* The number of threads for kernels with tiles. */
static cudaError_t choose_threads(const struct dm_region *region, unsigned *threads)
{
    dim3 block;
    cudaError_t error = thread_block_choose(region, {GEMM_TILE, 4, 1}, {GEMM_TILE, 1, 1}, &block);
    *threads = block.x * block.y;
    return error ? error : *threads % GEMM_TILE ? cudaErrorInvalidConfiguration : cudaSuccess;
}

cudaError_t gemm_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                        long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    struct gemm_shape shape = *(const struct gemm_shape *)region->context;
    unsigned threads;
    cudaError_t error = choose_threads(region, &threads);
    if (error)
        return error;
    dim3 grid((unsigned)(shape.n / GEMM_TILE), (unsigned)(end - begin), 1);
    dm_launch(gemm_kernel, grid, threads, 0, stream, views[GEMM_A], views[GEMM_B], views[GEMM_C],
              shape, begin);
    return cudaGetLastError();
}

cudaError_t matmul_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                          long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    struct gemm_shape shape = *(const struct gemm_shape *)region->context;
    unsigned threads, tiles = (unsigned)(shape.n / GEMM_TILE);
    cudaError_t error = choose_threads(region, &threads);
    if (error)
        return error;
    dm_launch(matmul_kernel, dim3(tiles, tiles, 1), threads, 0, stream, views[GEMM_A],
              views[GEMM_B], views[GEMM_C], shape, begin, end, begin == region->begin);
    return cudaGetLastError();
}

cudaError_t matmul_naive_launch(const struct dm_region *region, const struct dm_slices *views,
                                long begin, long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    long n = ((const struct gemm_shape *)region->context)->n;
    dim3 block;
    cudaError_t error = thread_block_choose(region, {32, 8, 1}, {32, 2, 1}, &block);
    if (error)
        return error;
    dim3 grid(thread_block_count(n, block.x), thread_block_count(n, block.y), 1);
    dm_launch(matmul_naive_kernel, grid, block, 0, stream, views[GEMM_A], views[GEMM_B],
              (float *)views[GEMM_C].base, n, begin, end, begin == region->begin);
    return cudaGetLastError();
}
