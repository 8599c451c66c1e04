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
 * Large tiles are 128 x 128 with 8 x 8 elements of each of 256 threads. Small ones, of matrices
 * with few large tiles, of single panels and for other numbers of threads, are 32 x 32: any
 * multiple of 32 threads may compute one. Too few make several passes, of too many some only load.
 */
#ifndef COMMON_WORKLOADS_GEMM_DEVICE_H
#define COMMON_WORKLOADS_GEMM_DEVICE_H

#include "gemm.h"

#if defined(__CUDACC__)
#define GEMM_UNROLL _Pragma("unroll")
#else
#define GEMM_UNROLL
#endif

enum {
    GEMM_DEPTH = 16,          /* of a step; half a panel of A */
    GEMM_LARGE = 128,         /* rows and columns of a large tile */
    GEMM_PANELS = 4,          /* of 32 columns, in a large tile */
    GEMM_LARGE_THREADS = 256, /* that compute a large tile */
    GEMM_ANY_THREADS = 0,
    GEMM_LARGE_MINIMUM = 1536 /* rows of matrices that are computed in large tiles */
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

/* A view in few registers; elements instead of bytes. */
struct gemm_slices {
    const float *base;
    unsigned stride, pitch;
    int first, capacity;
};

static __forceinline__ __device__ struct gemm_slices gemm_slices_of(struct dm_slices view,
                                                                    const float *base)
{
    return {base, (unsigned)(view.stride_bytes / sizeof(float)), (unsigned)dm_pitch<float>(view),
            (int)view.first, (int)view.capacity};
}

static __forceinline__ __device__ const float *gemm_slice(const struct gemm_slices *view, int i)
{
    int slot = i - view->first;
    slot -= slot >= view->capacity ? view->capacity : 0;
    return view->base + (size_t)(unsigned)slot * view->stride;
}

/* What a thread fetches from: `a` from its first column of a step on, `b` from its column on. With
 * a multiple of 32 threads these are the same for all of its vectors. */
struct gemm_source {
    struct gemm_slices a, b;
    int rows;
};

template <int COLUMNS>
static __forceinline__ __device__ struct gemm_source gemm_source_of(const struct gemm_task *task)
{
    int k = (int)threadIdx.x % (GEMM_DEPTH / 4) * 4, column = (int)threadIdx.x % (COLUMNS / 4) * 4;
    const float *panel = task->b_panels[min(column / GEMM_TILE, task->panels - 1)];
    return {gemm_slices_of(task->a, (const float *)task->a.base + k),
            gemm_slices_of(task->b, panel + column % GEMM_TILE), task->rows};
}

/* The first row of A or B in a step; vector i is some rows further. */
struct gemm_step {
    const float *a, *b;
};

static __forceinline__ __device__ struct gemm_step gemm_step_of(const struct gemm_source *source,
                                                                int step)
{
    unsigned k = (unsigned)step % 2 * GEMM_DEPTH;
    return {gemm_slice(&source->a, step / 2) + k,
            gemm_slice(&source->b, step / 2) + k * source->b.pitch};
}

static __forceinline__ __device__ float4 gemm_fetch_a(const struct gemm_source *source,
                                                      struct gemm_step step, int i)
{
    unsigned row = (unsigned)min(i / (GEMM_DEPTH / 4), source->rows - 1);
    return *(const float4 *)(step.a + row * source->a.pitch);
}

template <int COLUMNS>
static __forceinline__ __device__ float4 gemm_fetch_b(const struct gemm_source *source,
                                                      struct gemm_step step, int i)
{
    return *(const float4 *)(step.b + (unsigned)(i / (COLUMNS / 4)) * source->b.pitch);
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
template <int ROWS, int COLUMNS, int THREADS> struct gemm_prefetch {
    enum { A_VECTORS = ROWS * GEMM_DEPTH / 4, B_VECTORS = COLUMNS * GEMM_DEPTH / 4 };
    enum { A = A_VECTORS / THREADS, B = B_VECTORS / THREADS };
    float4 a[A], b[B];

    __forceinline__ __device__ void fetch(const struct gemm_source *source, int number)
    {
        const struct gemm_step step = gemm_step_of(source, number);
        GEMM_UNROLL
        for (int j = 0; j < A; j++)
            a[j] = gemm_fetch_a(source, step, (int)threadIdx.x + j * THREADS);
        GEMM_UNROLL
        for (int j = 0; j < B; j++)
            b[j] = gemm_fetch_b<COLUMNS>(source, step, (int)threadIdx.x + j * THREADS);
    }

    __forceinline__ __device__ void store(const struct gemm_source *, int number,
                                          struct gemm_buffers<ROWS, COLUMNS> *buffers) const
    {
        GEMM_UNROLL
        for (int j = 0; j < A; j++)
            gemm_store_a(buffers, number % 2, (int)threadIdx.x + j * THREADS, a[j]);
        GEMM_UNROLL
        for (int j = 0; j < B; j++)
            gemm_store_b(buffers, number % 2, (int)threadIdx.x + j * THREADS, b[j]);
    }
};

/* Any number of threads hold nothing. */
template <int ROWS, int COLUMNS> struct gemm_prefetch<ROWS, COLUMNS, GEMM_ANY_THREADS> {
    __forceinline__ __device__ void fetch(const struct gemm_source *, int)
    {
    }

    __forceinline__ __device__ void store(const struct gemm_source *source, int number,
                                          struct gemm_buffers<ROWS, COLUMNS> *buffers) const
    {
        const struct gemm_step step = gemm_step_of(source, number);
        const int threads = (int)blockDim.x;
        for (int i = (int)threadIdx.x; i < ROWS * GEMM_DEPTH / 4; i += threads)
            gemm_store_a(buffers, number % 2, i, gemm_fetch_a(source, step, i));
        for (int i = (int)threadIdx.x; i < COLUMNS * GEMM_DEPTH / 4; i += threads)
            gemm_store_b(buffers, number % 2, i, gemm_fetch_b<COLUMNS>(source, step, i));
    }
};

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
        alignas(16) float a[RM], b[RN];
        GEMM_UNROLL
        for (int j = 0; j < RM; j += own.RUN)
            if constexpr (gemm_elements<ROWS, COLUMNS, RM, RN>::RUN == 4)
                *(float4 *)&a[j] = *(const float4 *)&buffers->a[buffer][k][own.row_of(j)];
            else
                for (int l = 0; l < own.RUN; l++)
                    a[j + l] = buffers->a[buffer][k][own.row_of(j + l)];
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
template <int ROWS, int COLUMNS, int RM, int RN, int THREADS>
static __forceinline__ __device__ void gemm_pass(const struct gemm_task *task, int first,
                                                 struct gemm_buffers<ROWS, COLUMNS> *buffers)
{
    const gemm_elements<ROWS, COLUMNS, RM, RN> own(first + (int)threadIdx.x);
    const struct gemm_source source = gemm_source_of<COLUMNS>(task);
    const bool computes = first + (int)threadIdx.x < own.THREADS;
    const int begin = 2 * (int)task->begin, end = 2 * (int)task->end;
    gemm_prefetch<ROWS, COLUMNS, THREADS> next = {};
    float sums[RM][RN] = {};

    next.fetch(&source, begin);
    next.store(&source, begin, buffers);
    __syncthreads();
    for (int step = begin; step < end; step++) {
        if (step + 1 < end)
            next.fetch(&source, step + 1);
        if (computes)
            gemm_multiply(buffers, step % 2, own, sums);
        if (step + 1 < end)
            next.store(&source, step + 1, buffers);
        __syncthreads();
    }
    if (computes)
        gemm_store(task, own, sums);
}

/* All threads of the block call it: THREADS, or, if that is GEMM_ANY_THREADS, a multiple of 32.
 * `memory` is shared memory for gemm_buffers. */
template <int ROWS, int COLUMNS, int RM, int RN, int THREADS>
static __forceinline__ __device__ void gemm_execute(const struct gemm_task *task, void *memory)
{
    typedef gemm_elements<ROWS, COLUMNS, RM, RN> elements;
    for (int first = 0; first < elements::THREADS; first += THREADS ? THREADS : (int)blockDim.x)
        gemm_pass<ROWS, COLUMNS, RM, RN, THREADS>(task, first,
                                                  (struct gemm_buffers<ROWS, COLUMNS> *)memory);
}

/* ---- tiles of gemm and matmul ---- */

/* Whether blocks of that many threads can compute large tiles, and there are enough of these to
 * keep a GPU busy. */
static inline __host__ __device__ bool gemm_has_large_tiles(long n, unsigned threads)
{
    return n >= GEMM_LARGE_MINIMUM && threads == GEMM_LARGE_THREADS;
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
