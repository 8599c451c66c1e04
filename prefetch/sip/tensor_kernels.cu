#include "tensor_kernels.h"

#include "common/gpu.h"

/* A tile of a transposition: its rows in the target, TILE long, are read and written by TILE
 * threads side by side. */
enum { TILE = 32, TILE_LINES = 4 };

enum { LINE_THREADS = 256, DOT_THREADS = 128, DOT_ELEMENTS_PER_BLOCK = 8192 };

/* Enough thread blocks to fill any GPU; each goes on with the tiles that are left. */
static const size_t max_blocks = 1 << 16;

static unsigned blocks_for(size_t work, size_t per_block)
{
    size_t blocks = (work + per_block - 1) / per_block;
    return (unsigned)(blocks < max_blocks ? blocks : max_blocks);
}

/* What a target element becomes; keep = 0: it is not read. */
static __device__ void store(double *target, double keep, double value)
{
    *target = keep == 0.0 ? value : keep * *target + value;
}

/* ---- elements in the same order ---- */

static __global__ void fill_kernel(double *target, size_t elements, double keep, double value)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += step)
        store(&target[i], keep, value);
}

/* target may be the source */
static __global__ void line_kernel(double *target, size_t elements, double keep, double alpha,
                                   const double *source)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += step)
        store(&target[i], keep, alpha * source[i]);
}

cudaError_t tensor_launch_fill(cudaStream_t stream, double *target, size_t elements, double keep,
                               double value)
{
    dm_launch(fill_kernel, blocks_for(elements, LINE_THREADS), LINE_THREADS, 0, stream, target,
              elements, keep, value);
    return cudaGetLastError();
}

/* ---- permutations ---- */

struct tile {
    size_t row0, column0;  /* of its matrix */
    size_t target, source; /* where its matrix begins */
};

static __host__ __device__ size_t tiles_along(size_t extent)
{
    return (extent + TILE - 1) / TILE;
}

static __device__ struct tile find_tile(const struct tensor_permutation *plan, size_t number)
{
    struct tile tile = {0, 0, 0, 0};
    size_t across = tiles_along(plan->column.extent), down = tiles_along(plan->row.extent);
    tile.column0 = number % across * TILE;
    number /= across;
    tile.row0 = number % down * TILE;
    number /= down;
    for (int d = plan->outers - 1; d >= 0; d--) {
        const struct tensor_axis *axis = &plan->outer[d];
        tile.target += number % axis->extent * axis->target_stride;
        tile.source += number % axis->extent * axis->source_stride;
        number /= axis->extent;
    }
    return tile;
}

/* Both have the same stride 1. */
static __global__ void rows_kernel(struct tensor_permutation plan, size_t tiles, double *target,
                                   double keep, double alpha, const double *source)
{
    for (size_t number = blockIdx.x; number < tiles; number += gridDim.x) {
        struct tile tile = find_tile(&plan, number);
        size_t column = tile.column0 + threadIdx.x;
        if (column >= plan.column.extent)
            continue;
        for (size_t row = tile.row0 + threadIdx.y; row < tile.row0 + TILE && row < plan.row.extent;
             row += TILE_LINES)
            store(&target[tile.target + row * plan.row.target_stride + column], keep,
                  alpha * source[tile.source + row * plan.row.source_stride + column]);
    }
}

/* Through shared memory, so that reads and writes are both contiguous. */
static __global__ void transpose_kernel(struct tensor_permutation plan, size_t tiles,
                                        double *target, double keep, double alpha,
                                        const double *source)
{
    __shared__ double values[TILE][TILE + 1]; /* one more: no two threads in the same memory bank */
    for (size_t number = blockIdx.x; number < tiles; number += gridDim.x) {
        struct tile tile = find_tile(&plan, number);
        size_t rows = plan.row.extent - tile.row0, columns = plan.column.extent - tile.column0;
        const double *from =
            source + tile.source + tile.column0 * plan.column.source_stride + tile.row0;
        double *to = target + tile.target + tile.row0 * plan.row.target_stride + tile.column0;
        for (size_t c = threadIdx.y; c < TILE && c < columns; c += TILE_LINES)
            if (threadIdx.x < rows)
                values[c][threadIdx.x] = from[c * plan.column.source_stride + threadIdx.x];
        __syncthreads();
        for (size_t r = threadIdx.y; r < TILE && r < rows; r += TILE_LINES)
            if (threadIdx.x < columns)
                store(&to[r * plan.row.target_stride + threadIdx.x], keep,
                      alpha * values[threadIdx.x][r]);
        __syncthreads();
    }
}

cudaError_t tensor_launch_permute(cudaStream_t stream, const struct tensor_permutation *plan,
                                  double *target, double keep, double alpha, const double *source)
{
    size_t tiles = tiles_along(plan->column.extent) * tiles_along(plan->row.extent) * plan->batch;
    dim3 block(TILE, TILE_LINES, 1);
    if (plan->linear)
        dm_launch(line_kernel, blocks_for(plan->elements, LINE_THREADS), LINE_THREADS, 0, stream,
                  target, plan->elements, keep, alpha, source);
    else if (plan->transposed)
        dm_launch(transpose_kernel, blocks_for(tiles, 1), block, 0, stream, *plan, tiles, target,
                  keep, alpha, source);
    else
        dm_launch(rows_kernel, blocks_for(tiles, 1), block, 0, stream, *plan, tiles, target, keep,
                  alpha, source);
    return cudaGetLastError();
}

/* ---- dot products ---- */

/* target[block] = keep target[block] + alpha sum of a[i] b[i] (of a[i] without b) over the block's
 * share. The number of blocks depends on the number of elements alone, and sums are added in a
 * fixed tree: the result is always the same. */
static __global__ void dot_kernel(size_t elements, double *target, double keep, double alpha,
                                  const double *a, const double *b)
{
    __shared__ double sums[DOT_THREADS];
    size_t step = (size_t)gridDim.x * DOT_THREADS;
    double sum = 0.0;
    for (size_t i = (size_t)blockIdx.x * DOT_THREADS + threadIdx.x; i < elements; i += step)
        sum += b ? a[i] * b[i] : a[i];
    sums[threadIdx.x] = sum;
    for (unsigned half = DOT_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        store(&target[blockIdx.x], keep, alpha * sums[0]);
}

cudaError_t tensor_launch_dot(cudaStream_t stream, size_t elements, double *target, double keep,
                              double alpha, const double *a, const double *b, double *partial_sums)
{
    unsigned blocks = blocks_for(elements, DOT_ELEMENTS_PER_BLOCK);
    if (blocks > TENSOR_PARTIAL_SUMS)
        blocks = TENSOR_PARTIAL_SUMS;
    if (blocks > 1) {
        dm_launch(dot_kernel, blocks, DOT_THREADS, 0, stream, elements, partial_sums, 0.0, 1.0, a,
                  b);
        elements = blocks;
        a = partial_sums;
        b = NULL;
    }
    dm_launch(dot_kernel, 1, DOT_THREADS, 0, stream, elements, target, keep, alpha, a, b);
    return cudaGetLastError();
}
