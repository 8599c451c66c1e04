#include "gemm.h"

#include "common/gpu.h"

#include "gemm_device.h"
#include "thread_block.h"

/* ---- kernels: a block per tile, x over the rows of C in gemm ---- */

template <int SIZE, int RM, int RN, int THREADS>
static __forceinline__ __device__ void gemm_block(const struct dm_slices *views,
                                                  struct gemm_shape shape, long begin, long end)
{
    alignas(16) __shared__ struct gemm_buffers<SIZE, SIZE> buffers;
    long row = (long)blockIdx.x * SIZE, panel = begin + (long)blockIdx.y * (SIZE / GEMM_TILE);
    const struct gemm_task task = gemm_task_of(
        views, shape, panel, min(panel + SIZE / GEMM_TILE, end), row, min(row + SIZE, shape.n));
    gemm_execute<SIZE, SIZE, RM, RN, THREADS>(&task, &buffers);
}

template <int SIZE, int RM, int RN, int THREADS>
static __forceinline__ __device__ void matmul_block(const struct dm_slices *views,
                                                    struct gemm_shape shape, long begin, long end,
                                                    bool overwrite)
{
    alignas(16) __shared__ struct gemm_buffers<SIZE, SIZE> buffers;
    const struct gemm_task task = matmul_task_of(views, shape, begin, end, (long)blockIdx.y * SIZE,
                                                 (long)blockIdx.x * SIZE, SIZE, overwrite);
    gemm_execute<SIZE, SIZE, RM, RN, THREADS>(&task, &buffers);
}

static __global__ void __launch_bounds__(GEMM_LARGE_THREADS, 2)
    gemm_large(struct dm_slices a, struct dm_slices b, struct dm_slices c, struct gemm_shape shape,
               long begin, long end)
{
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    gemm_block<GEMM_LARGE, 8, 8, GEMM_LARGE_THREADS>(views, shape, begin, end);
}

static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    gemm_small(struct dm_slices a, struct dm_slices b, struct dm_slices c, struct gemm_shape shape,
               long begin, long end)
{
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    gemm_block<GEMM_TILE, 2, 4, GEMM_ANY_THREADS>(views, shape, begin, end);
}

static __global__ void __launch_bounds__(GEMM_LARGE_THREADS, 2)
    matmul_large(struct dm_slices a, struct dm_slices b, struct dm_slices c,
                 struct gemm_shape shape, long begin, long end, bool overwrite)
{
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    matmul_block<GEMM_LARGE, 8, 8, GEMM_LARGE_THREADS>(views, shape, begin, end, overwrite);
}

static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    matmul_small(struct dm_slices a, struct dm_slices b, struct dm_slices c,
                 struct gemm_shape shape, long begin, long end, bool overwrite)
{
    const struct dm_slices views[GEMM_ARRAYS] = {a, b, c};
    matmul_block<GEMM_TILE, 2, 4, GEMM_ANY_THREADS>(views, shape, begin, end, overwrite);
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

/* The number of threads for kernels with tiles: of large ones, if the matrix has enough of them and
 * the region does not say otherwise. */
static cudaError_t choose_threads(const struct dm_region *region, bool wants_large,
                                  unsigned *threads)
{
    dim3 block, usual = {GEMM_TILE, 4, 1};
    if (wants_large &&
        gemm_has_large_tiles(((const struct gemm_shape *)region->context)->n, GEMM_LARGE_THREADS))
        usual.y = GEMM_LARGE_THREADS / GEMM_TILE;
    cudaError_t error = thread_block_choose(region, usual, {GEMM_TILE, 1, 1}, &block);
    *threads = block.x * block.y;
    return error ? error : *threads % GEMM_TILE ? cudaErrorInvalidConfiguration : cudaSuccess;
}

static dim3 gemm_grid(struct gemm_shape shape, long panels, long size)
{
    return dim3(thread_block_count(shape.n, (unsigned)size),
                thread_block_count(panels * GEMM_TILE, (unsigned)size), 1);
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
    cudaError_t error = choose_threads(region, end - begin >= GEMM_PANELS, &threads);
    if (error)
        return error;
    if (gemm_has_large_tiles(shape.n, threads))
        middle = end - (end - begin) % GEMM_PANELS;
    if (begin < middle)
        dm_launch(gemm_large, gemm_grid(shape, middle - begin, GEMM_LARGE), threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, middle);
    if (middle < end)
        dm_launch(gemm_small, gemm_grid(shape, end - middle, GEMM_TILE), threads, 0, stream,
                  views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, middle, end);
    return cudaGetLastError();
}

cudaError_t matmul_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                          long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    struct gemm_shape shape = *(const struct gemm_shape *)region->context;
    bool first = begin == region->begin;
    unsigned threads;
    cudaError_t error = choose_threads(region, true, &threads);
    if (error)
        return error;
    if (gemm_has_large_tiles(shape.n, threads))
        dm_launch(matmul_large, gemm_grid(shape, shape.n / GEMM_TILE, GEMM_LARGE), threads, 0,
                  stream, views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end, first);
    else
        dm_launch(matmul_small, gemm_grid(shape, shape.n / GEMM_TILE, GEMM_TILE), threads, 0,
                  stream, views[GEMM_A], views[GEMM_B], views[GEMM_C], shape, begin, end, first);
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
