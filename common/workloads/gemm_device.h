/* gemm_device.h: what one thread block does for gemm and matmul: a tile of C.
 *
 * A tile has ROWS x COLUMNS elements, of which a thread has RM x RN in registers. Steps of
 * GEMM_DEPTH columns of A and rows of B go through shared memory, in two buffers in turn: the next
 * step is on its way from device memory into registers while this one is multiplied, so that a step
 * takes one barrier.
 *
 *      B: COLUMNS wide                   shared memory, per step
 *      |    step    |                    a[k][row], transposed: a thread's rows lie side by side
 *  A   +------------+                    b[k][column]
 *  row |    tile    |
 *      +------------+                    a multiply-add takes 1 / RM + 1 / RN words of it
 *
 * Large tiles are 128 x 128 with 8 x 8 elements of 256 threads; small ones, of matrices with few
 * large tiles and of single panels, 32 x 32. Any multiple of 32 threads may compute a tile: too few
 * make several passes, of too many some only load. */
#ifndef COMMON_WORKLOADS_GEMM_DEVICE_H
#define COMMON_WORKLOADS_GEMM_DEVICE_H

#include "gemm.h"

#if defined(__CUDACC__)
#define GEMM_UNROLL _Pragma("unroll")
#else
#define GEMM_UNROLL
#endif

enum {
    GEMM_DEPTH = 16,           /* of a step; half a panel of A */
    GEMM_LARGE = 128,          /* rows and columns of a large tile */
    GEMM_PANELS = 4,           /* of 32 columns, in a large tile */
    GEMM_LARGE_MINIMUM = 1536, /* rows of matrices that are computed in large tiles */
    GEMM_PREFETCHED = 2 /* vectors of 4 floats that a thread prefetches of A, and of B, at most */
};

/* A tile of C and what it is made of: alpha times the sum over k in [begin, end) of products of
 * panel k of A and slice k of B, plus beta times C, which is not read if beta is 0. Columns come in
 * `panels` panels of 32. Rows and panels of a tile that are beyond those here are not stored. */
struct gemm_task {
    struct dm_slices a, b; /* a: from the tile's first row on; b: slices of panel 0 */
    float *b_panels[GEMM_PANELS], *c_panels[GEMM_PANELS]; /* instead of b.base; C from its row on */
    int rows, panels;
    long begin, end;
    size_t c_pitch;
    float alpha, beta;
};

/* Two steps of tiles. Rows of A are padded, so that storing them transposed meets few bank
 * conflicts. */
template <int ROWS, int COLUMNS> struct gemm_buffers {
    float a[2][GEMM_DEPTH][ROWS + 4];
    float b[2][GEMM_DEPTH][COLUMNS];
};

/* ---- from device memory to shared memory: vectors of 4 floats, numbered within a step ---- */

/* What a thread fetches from: `a` from its first column of a step on, `b` from its column on. With
 * a multiple of 32 threads these are the same for all of its vectors. */
struct gemm_source {
    struct dm_slices a, b;
    int rows;
};

template <int COLUMNS>
static __forceinline__ __device__ struct gemm_source gemm_source_of(const struct gemm_task *task)
{
    int k = (int)threadIdx.x % (GEMM_DEPTH / 4) * 4, column = (int)threadIdx.x % (COLUMNS / 4) * 4;
    struct gemm_source source = {task->a, task->b, task->rows};
    source.a.base = (float *)source.a.base + k;
    source.b.base = task->b_panels[min(column / GEMM_TILE, task->panels - 1)] + column % GEMM_TILE;
    return source;
}

static __forceinline__ __device__ float4 gemm_fetch_a(const struct gemm_source *source, long step,
                                                      int i)
{
    int row = min(i / (GEMM_DEPTH / 4), source->rows - 1);
    const float *panel = dm_slice<float>(source->a, step / 2) + step % 2 * GEMM_DEPTH;
    return *(const float4 *)(panel + row * dm_pitch<float>(source->a));
}

template <int COLUMNS>
static __forceinline__ __device__ float4 gemm_fetch_b(const struct gemm_source *source, long step,
                                                      int i)
{
    long k = step % 2 * GEMM_DEPTH + i / (COLUMNS / 4);
    const float *slice = dm_slice<float>(source->b, step / 2);
    return *(const float4 *)(slice + k * dm_pitch<float>(source->b));
}

template <int ROWS, int COLUMNS>
static __forceinline__ __device__ void gemm_store_a(struct gemm_buffers<ROWS, COLUMNS> *buffers,
                                                    int buffer, int i, float4 value)
{
    int row = i / (GEMM_DEPTH / 4), k = i % (GEMM_DEPTH / 4) * 4;
    buffers->a[buffer][k][row] = value.x;
    buffers->a[buffer][k + 1][row] = value.y;
    buffers->a[buffer][k + 2][row] = value.z;
    buffers->a[buffer][k + 3][row] = value.w;
}

template <int ROWS, int COLUMNS>
static __forceinline__ __device__ void gemm_store_b(struct gemm_buffers<ROWS, COLUMNS> *buffers,
                                                    int buffer, int i, float4 value)
{
    int k = i / (COLUMNS / 4), column = i % (COLUMNS / 4) * 4;
    *(float4 *)&buffers->b[buffer][k][column] = value;
}

/* What a thread has on the way. */
struct gemm_prefetch {
    float4 a[GEMM_PREFETCHED], b[GEMM_PREFETCHED];
};

template <int ROWS, int COLUMNS>
static __forceinline__ __device__ void gemm_prefetch_step(const struct gemm_source *source,
                                                          long step, struct gemm_prefetch *prefetch)
{
    enum { A_VECTORS = ROWS * GEMM_DEPTH / 4, B_VECTORS = COLUMNS * GEMM_DEPTH / 4 };
    GEMM_UNROLL
    for (int j = 0; j < GEMM_PREFETCHED; j++) {
        int i = (int)(threadIdx.x + j * blockDim.x);
        if (i < A_VECTORS)
            prefetch->a[j] = gemm_fetch_a(source, step, i);
        if (i < B_VECTORS)
            prefetch->b[j] = gemm_fetch_b<COLUMNS>(source, step, i);
    }
}

/* Stores what was prefetched, and what few threads could not hold. */
template <int ROWS, int COLUMNS>
static __forceinline__ __device__ void gemm_store_step(const struct gemm_source *source, long step,
                                                       const struct gemm_prefetch *prefetch,
                                                       struct gemm_buffers<ROWS, COLUMNS> *buffers)
{
    enum { A_VECTORS = ROWS * GEMM_DEPTH / 4, B_VECTORS = COLUMNS * GEMM_DEPTH / 4 };
    const int threads = (int)blockDim.x, buffer = (int)(step % 2);
    GEMM_UNROLL
    for (int j = 0; j < GEMM_PREFETCHED; j++) {
        int i = (int)threadIdx.x + j * threads;
        if (i < A_VECTORS)
            gemm_store_a(buffers, buffer, i, prefetch->a[j]);
        if (i < B_VECTORS)
            gemm_store_b(buffers, buffer, i, prefetch->b[j]);
    }
    for (int i = (int)threadIdx.x + GEMM_PREFETCHED * threads; i < A_VECTORS; i += threads)
        gemm_store_a(buffers, buffer, i, gemm_fetch_a(source, step, i));
    for (int i = (int)threadIdx.x + GEMM_PREFETCHED * threads; i < B_VECTORS; i += threads)
        gemm_store_b(buffers, buffer, i, gemm_fetch_b<COLUMNS>(source, step, i));
}

/* ---- products ---- */

/* Where a thread's elements lie. A warp has 4 x 8 threads; a thread has runs of up to 4 rows and of
 * 4 columns, as far apart as there are runs, so that a warp reads whole lines of shared memory. */
template <int ROWS, int COLUMNS, int RM, int RN> struct gemm_elements {
    enum { RUN = RM < 4 ? RM : 4, THREADS = ROWS / RM * (COLUMNS / RN) };
    int row, column;
    __device__ gemm_elements(int thread)
    {
        enum { WARPS_WIDE = COLUMNS / RN / 8 };
        int warp = thread / 32, lane = thread % 32;
        row = (warp / WARPS_WIDE * 4 + lane / 8) * RUN;
        column = (warp % WARPS_WIDE * 8 + lane % 8) * 4;
    }
    __device__ int row_of(int j) const
    {
        return row + j / RUN * (ROWS / (RM / RUN)) + j % RUN;
    }
    __device__ int column_of(int run) const
    {
        return column + run * (COLUMNS / (RN / 4));
    }
};

template <int ROWS, int COLUMNS, int RM, int RN>
static __forceinline__ __device__ void
gemm_multiply(const struct gemm_buffers<ROWS, COLUMNS> *buffers, int buffer,
              const gemm_elements<ROWS, COLUMNS, RM, RN> &own, float (*sums)[RN])
{
    GEMM_UNROLL
    for (int k = 0; k < GEMM_DEPTH; k++) {
        float a[RM], b[RN];
        GEMM_UNROLL
        for (int j = 0; j < RM; j++)
            a[j] = buffers->a[buffer][k][own.row_of(j)];
        GEMM_UNROLL
        for (int run = 0; run < RN / 4; run++)
            *(float4 *)&b[4 * run] = *(const float4 *)&buffers->b[buffer][k][own.column_of(run)];
        GEMM_UNROLL
        for (int j = 0; j < RM * RN; j++)
            sums[j / RN][j % RN] += a[j / RN] * b[j % RN];
    }
}

template <int ROWS, int COLUMNS, int RM, int RN>
static __forceinline__ __device__ void gemm_store(const struct gemm_task *task,
                                                  const gemm_elements<ROWS, COLUMNS, RM, RN> &own,
                                                  const float (*sums)[RN])
{
    GEMM_UNROLL
    for (int run = 0; run < RN / 4; run++) {
        int column = own.column_of(run), panel = column / GEMM_TILE;
        if (panel >= task->panels)
            continue;
        float *c = task->c_panels[panel] + column % GEMM_TILE;
        GEMM_UNROLL
        for (int j = 0; j < RM; j++) {
            if (own.row_of(j) >= task->rows)
                continue;
            float4 *element = (float4 *)(c + own.row_of(j) * task->c_pitch), old = {0, 0, 0, 0};
            if (task->beta != 0.0f)
                old = *element;
            const float *sum = &sums[j][4 * run];
            *element = {task->alpha * sum[0] + task->beta * old.x,
                        task->alpha * sum[1] + task->beta * old.y,
                        task->alpha * sum[2] + task->beta * old.z,
                        task->alpha * sum[3] + task->beta * old.w};
        }
    }
}

/* One pass: the elements of threads `first` and up. */
template <int ROWS, int COLUMNS, int RM, int RN>
static __forceinline__ __device__ void gemm_pass(const struct gemm_task *task, int first,
                                                 struct gemm_buffers<ROWS, COLUMNS> *buffers)
{
    const gemm_elements<ROWS, COLUMNS, RM, RN> own(first + (int)threadIdx.x);
    const bool computes = first + (int)threadIdx.x < own.THREADS;
    const struct gemm_source source = gemm_source_of<COLUMNS>(task);
    const long steps_end = 2 * task->end;
    struct gemm_prefetch prefetch = {};
    float sums[RM][RN] = {};

    gemm_prefetch_step<ROWS, COLUMNS>(&source, 2 * task->begin, &prefetch);
    gemm_store_step(&source, 2 * task->begin, &prefetch, buffers);
    __syncthreads();
    for (long step = 2 * task->begin; step < steps_end; step++) {
        if (step + 1 < steps_end)
            gemm_prefetch_step<ROWS, COLUMNS>(&source, step + 1, &prefetch);
        if (computes)
            gemm_multiply(buffers, (int)(step % 2), own, sums);
        if (step + 1 < steps_end)
            gemm_store_step(&source, step + 1, &prefetch, buffers);
        __syncthreads();
    }
    if (computes)
        gemm_store(task, own, sums);
}

/* All threads of the block call it. `memory` is shared memory for gemm_buffers. */
template <int ROWS, int COLUMNS, int RM, int RN>
static __forceinline__ __device__ void gemm_execute(const struct gemm_task *task, void *memory)
{
    typedef gemm_elements<ROWS, COLUMNS, RM, RN> elements;
    for (int first = 0; first < elements::THREADS; first += (int)blockDim.x)
        gemm_pass<ROWS, COLUMNS, RM, RN>(task, first, (struct gemm_buffers<ROWS, COLUMNS> *)memory);
}

/* ---- tiles of gemm and matmul ---- */

/* Whether there are enough large tiles to keep a GPU busy. */
static inline __host__ __device__ bool gemm_has_large_tiles(long n)
{
    return n >= GEMM_LARGE_MINIMUM;
}

/* Rows [first_row, rows_end) of panels [panel, panels_end) of C in gemm, at most a tile. */
static inline __device__ struct gemm_task gemm_task_of(const struct dm_slices *views,
                                                       struct gemm_shape shape, long panel,
                                                       long panels_end, long first_row,
                                                       long rows_end)
{
    size_t n = (size_t)shape.n, b_pitch = views[GEMM_B].pitch_bytes;
    struct gemm_task task = {};
    task.a = {(float *)views[GEMM_A].base + (size_t)first_row * n, GEMM_TILE * sizeof(float),
              n * sizeof(float), 0, shape.n / GEMM_TILE};
    task.b = {NULL, GEMM_TILE * b_pitch, b_pitch, 0, shape.n / GEMM_TILE};
    task.c_pitch = dm_pitch<float>(views[GEMM_C]);
    task.rows = (int)(rows_end - first_row);
    task.panels = (int)(panels_end - panel);
    for (int p = 0; p < GEMM_PANELS; p++) {
        long own = panel + min(p, task.panels - 1);
        task.b_panels[p] = dm_slice<float>(views[GEMM_B], own);
        task.c_panels[p] = dm_slice<float>(views[GEMM_C], own) + (size_t)first_row * task.c_pitch;
    }
    task.end = shape.n / GEMM_TILE;
    task.alpha = shape.alpha;
    task.beta = shape.beta;
    return task;
}

/* A tile of C in matmul, at most `size` rows and columns from the given ones on: the products of
 * panels and slices [begin, end) are added to it, or overwrite it. */
static inline __device__ struct gemm_task
matmul_task_of(const struct dm_slices *views, struct gemm_shape shape, long begin, long end,
               long first_row, long first_column, long size, bool overwrite)
{
    size_t n = (size_t)shape.n;
    struct gemm_task task = {};
    task.a = views[GEMM_A];
    task.a.base = (float *)task.a.base + (size_t)first_row * dm_pitch<float>(task.a);
    task.b = views[GEMM_B];
    task.b.pitch_bytes = n * sizeof(float);
    task.c_pitch = n;
    task.rows = (int)min(size, shape.n - first_row);
    task.panels = (int)(min(size, shape.n - first_column) / GEMM_TILE);
    for (int p = 0; p < GEMM_PANELS; p++) {
        size_t column = (size_t)first_column + (size_t)(min(p, task.panels - 1) * GEMM_TILE);
        task.b_panels[p] = (float *)views[GEMM_B].base + column;
        task.c_panels[p] = (float *)views[GEMM_C].base + (size_t)first_row * n + column;
    }
    task.begin = begin;
    task.end = end;
    task.alpha = 1.0f;
    task.beta = overwrite ? 0.0f : 1.0f;
    return task;
}

#endif
