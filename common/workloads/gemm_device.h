/* gemm_device.h: what one thread block does for gemm and matmul: a tile of C.
 *
 * Thread t of a block with T threads (a multiple of 32, in one dimension) has
 * column t % 32 of the tile and the rows t / 32, t / 32 + T / 32, ...: a warp
 * has a row, so reading its elements of A is a broadcast, of four at once, and
 * reading its elements of B and C goes to 32 banks and to one line. Each
 * element of B serves all rows of the thread, so few threads with many rows
 * need shared memory least: with 1, 2, 4 or 8 rows a multiply-add takes 1.25,
 * 0.75, 0.5 or 0.375 shared loads of a warp. A block that is too small for 8
 * rows makes several passes. */
#ifndef COMMON_WORKLOADS_GEMM_DEVICE_H
#define COMMON_WORKLOADS_GEMM_DEVICE_H

#include "gemm.h"

enum { GEMM_ROWS = 8 }; /* of a thread in one pass, at most */

/* A tile of C and what it is made of: alpha times the sum over k in [begin,
 * end) of products of tiles, plus beta times C, which is not read if beta is 0.
 * Tile k of A and B is slice k of the views, pitch_bytes from one row to the
 * next. */
struct gemm_task {
    struct dm_slices a, b;
    long begin, end;
    float *c;
    size_t c_pitch;
    float alpha, beta;
};

/* Copies a tile of A and one of B to shared memory, 16 bytes per load. */
static __forceinline__ __device__ void gemm_load_tiles(const struct gemm_task *task, long k,
                                                       float (*a_tile)[GEMM_TILE],
                                                       float (*b_tile)[GEMM_TILE])
{
    enum { VECTORS = GEMM_TILE / 4 }; /* in a row */
    const float *a = dm_slice<float>(task->a, k), *b = dm_slice<float>(task->b, k);
    for (unsigned i = threadIdx.x; i < GEMM_TILE * VECTORS * 2; i += blockDim.x) {
        unsigned row = i / VECTORS % GEMM_TILE, column = i % VECTORS * 4;
        if (i < GEMM_TILE * VECTORS)
            *(float4 *)&a_tile[row][column] =
                *(const float4 *)(a + row * dm_pitch<float>(task->a) + column);
        else
            *(float4 *)&b_tile[row][column] =
                *(const float4 *)(b + row * dm_pitch<float>(task->b) + column);
    }
}

/* One pass: this thread's rows first, first + T / 32, ..., `rows` of them,
 * which is a constant so that sums stay in registers. Rows beyond the tile are
 * computed as copies of the last one and not stored: that is cheaper than to
 * branch. */
static __forceinline__ __device__ void gemm_pass(const struct gemm_task *task, int first,
                                                 const int rows)
{
    alignas(16) __shared__ float a_tile[GEMM_TILE][GEMM_TILE];
    alignas(16) __shared__ float b_tile[GEMM_TILE][GEMM_TILE];
    const int column = (int)(threadIdx.x % GEMM_TILE), warps = (int)(blockDim.x / GEMM_TILE);
    const float *a_rows[GEMM_ROWS];
    float sums[GEMM_ROWS] = {0};

    for (int j = 0; j < rows; j++)
        a_rows[j] = a_tile[min(first + j * warps, GEMM_TILE - 1)];
    for (long tile = task->begin; tile < task->end; tile++) {
        __syncthreads(); /* the tiles before are no longer read */
        gemm_load_tiles(task, tile, a_tile, b_tile);
        __syncthreads();
        for (int k = 0; k < GEMM_TILE; k += 4)
            for (int j = 0; j < rows; j++) {
                float4 a = *(const float4 *)&a_rows[j][k];
                sums[j] += a.x * b_tile[k][column];
                sums[j] += a.y * b_tile[k + 1][column];
                sums[j] += a.z * b_tile[k + 2][column];
                sums[j] += a.w * b_tile[k + 3][column];
            }
    }
    for (int j = 0; j < rows && first + j * warps < GEMM_TILE; j++) {
        float *element = task->c + (first + j * warps) * task->c_pitch + column;
        float product = task->alpha * sums[j];
        *element = task->beta == 0.0f ? product : product + task->beta * *element;
    }
}

/* All threads of the block call it. */
static inline __device__ void gemm_execute(const struct gemm_task *task)
{
    int warps = (int)(blockDim.x / GEMM_TILE), warp = (int)(threadIdx.x / GEMM_TILE);
    if (warps >= GEMM_TILE)
        gemm_pass(task, warp, 1);
    else if (warps >= GEMM_TILE / 2)
        gemm_pass(task, warp, 2);
    else if (warps >= GEMM_TILE / 4)
        gemm_pass(task, warp, 4);
    else
        for (int pass = 0; pass < GEMM_TILE; pass += GEMM_ROWS * warps)
            gemm_pass(task, pass + warp, GEMM_ROWS);
}

/* Tile row `tile_row` of panel i of C in gemm. All threads of the block call
 * it. */
static inline __device__ void gemm_tile(const struct dm_slices *views, struct gemm_shape shape,
                                        long i, long tile_row)
{
    size_t n = (size_t)shape.n, first_row = (size_t)tile_row * GEMM_TILE;
    size_t b_pitch = views[GEMM_B].pitch_bytes, c_pitch = dm_pitch<float>(views[GEMM_C]);
    long tiles = shape.n / GEMM_TILE;
    float *a_rows = (float *)views[GEMM_A].base + first_row * n,
          *b_panel = dm_slice<float>(views[GEMM_B], i);
    const struct gemm_task task = {{a_rows, GEMM_TILE * sizeof(float), n * sizeof(float), 0, tiles},
                                   {b_panel, GEMM_TILE * b_pitch, b_pitch, 0, tiles},
                                   0,
                                   tiles,
                                   dm_slice<float>(views[GEMM_C], i) + first_row * c_pitch,
                                   c_pitch,
                                   shape.alpha,
                                   shape.beta};
    gemm_execute(&task);
}

/* A tile of C in matmul: the products of panels and slices [begin, end) are
 * added to it, or overwrite it. All threads of the block call it. */
static inline __device__ void matmul_tile(const struct dm_slices *views, struct gemm_shape shape,
                                          long begin, long end, long tile_row, long tile_column,
                                          bool overwrite)
{
    size_t n = (size_t)shape.n;
    size_t first_row = (size_t)tile_row * GEMM_TILE, first_column = (size_t)tile_column * GEMM_TILE;
    struct gemm_task task = {views[GEMM_A],
                             views[GEMM_B],
                             begin,
                             end,
                             (float *)views[GEMM_C].base + first_row * n + first_column,
                             n,
                             1.0f,
                             overwrite ? 0.0f : 1.0f};
    task.a.base = (float *)task.a.base + first_row * dm_pitch<float>(task.a);
    task.b.base = (float *)task.b.base + first_column;
    task.b.pitch_bytes = n * sizeof(float);
    gemm_execute(&task);
}

#endif
