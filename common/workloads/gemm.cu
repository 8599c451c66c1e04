#include "gemm.h"

#include "common/gpu.h"

#include "gemm_device.h"
#include "thread_block.h"

/* Large tiles have registers for 8 x 8 elements with up to 256 threads, for 4 x 4 with more. */
enum { MANY_THREADS = 256 };

/* ---- kernels: a block per tile, x over the rows of C in gemm ---- */

template <int SIZE, int RM, int RN, int THREADS>
static __global__ void __launch_bounds__(THREADS)
    gemm_kernel(struct dm_slices a, struct dm_slices b, struct dm_slices c, struct gemm_shape shape,
                long begin, long end)
{
    alignas(16) __shared__ struct gemm_buffers<SIZE, SIZE> buffers;
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    long row = (long)blockIdx.x * SIZE, panel = begin + (long)blockIdx.y * (SIZE / GEMM_TILE);
    const struct gemm_task task = gemm_task_of(
        views, shape, panel, min(panel + SIZE / GEMM_TILE, end), row, min(row + SIZE, shape.n));
    gemm_execute<SIZE, SIZE, RM, RN>(&task, &buffers);
}

template <int SIZE, int RM, int RN, int THREADS>
static __global__ void __launch_bounds__(THREADS)
    matmul_kernel(struct dm_slices a, struct dm_slices b, struct dm_slices c,
                  struct gemm_shape shape, long begin, long end, bool overwrite)
{
    alignas(16) __shared__ struct gemm_buffers<SIZE, SIZE> buffers;
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    const struct gemm_task task = matmul_task_of(views, shape, begin, end, (long)blockIdx.y * SIZE,
                                                 (long)blockIdx.x * SIZE, SIZE, overwrite);
    gemm_execute<SIZE, SIZE, RM, RN>(&task, &buffers);
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

/* ---- launches ---- */

/* The number of threads for kernels with tiles. */
static cudaError_t choose_threads(const struct dm_region *region, bool large, unsigned *threads)
{
    dim3 block;
    cudaError_t error =
        thread_block_choose(region, {GEMM_TILE, large ? 8u : 4u, 1}, {GEMM_TILE, 1, 1}, &block);
    *threads = block.x * block.y;
    return error ? error : *threads % GEMM_TILE ? cudaErrorInvalidConfiguration : cudaSuccess;
}

static void launch_gemm(const struct dm_slices *views, struct gemm_shape shape, long begin,
                        long end, bool large, unsigned threads, cudaStream_t stream)
{
    unsigned size = large ? (unsigned)GEMM_LARGE : (unsigned)GEMM_TILE;
    dim3 grid(thread_block_count(shape.n, size),
              thread_block_count((end - begin) * GEMM_TILE, size), 1);
    if (begin == end)
        return;
    if (!large)
        dm_launch((gemm_kernel<GEMM_TILE, 2, 4, THREAD_BLOCK_LIMIT>), grid, threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end);
    else if (threads <= MANY_THREADS)
        dm_launch((gemm_kernel<GEMM_LARGE, 8, 8, MANY_THREADS>), grid, threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end);
    else
        dm_launch((gemm_kernel<GEMM_LARGE, 4, 4, THREAD_BLOCK_LIMIT>), grid, threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end);
}

/* Large tiles as far as there are enough panels for whole ones. */
cudaError_t gemm_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                        long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    struct gemm_shape shape = *(const struct gemm_shape *)region->context;
    long middle = begin;
    unsigned threads;
    if (gemm_has_large_tiles(shape.n))
        middle = end - (end - begin) % GEMM_PANELS;
    cudaError_t error = choose_threads(region, true, &threads);
    if (error)
        return error;
    launch_gemm(views, shape, begin, middle, true, threads, stream);
    error = choose_threads(region, false, &threads);
    if (error)
        return error;
    launch_gemm(views, shape, middle, end, false, threads, stream);
    return cudaGetLastError();
}

cudaError_t matmul_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                          long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    struct gemm_shape shape = *(const struct gemm_shape *)region->context;
    bool large = gemm_has_large_tiles(shape.n), first = begin == region->begin;
    unsigned threads, size = large ? (unsigned)GEMM_LARGE : (unsigned)GEMM_TILE;
    unsigned tiles = thread_block_count(shape.n, size);
    const dim3 grid(tiles, tiles, 1);
    cudaError_t error = choose_threads(region, large, &threads);
    if (error)
        return error;
    if (!large)
        dm_launch((matmul_kernel<GEMM_TILE, 2, 4, THREAD_BLOCK_LIMIT>), grid, threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end, first);
    else if (threads <= MANY_THREADS)
        dm_launch((matmul_kernel<GEMM_LARGE, 8, 8, MANY_THREADS>), grid, threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end, first);
    else
        dm_launch((matmul_kernel<GEMM_LARGE, 4, 4, THREAD_BLOCK_LIMIT>), grid, threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end, first);
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
