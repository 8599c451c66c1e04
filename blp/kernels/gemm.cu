#include "common/workloads/gemm_device.h"

#include "kernels.h"

enum { NARROW_THREADS = GEMM_LARGE_THREADS, NARROW_BLOCKS = 2 };

/* The part's rows of tiles in the panels from `panel` on. Of functions of their own, which have all
 * registers that the persistent kernel leaves. */
template <int SIZE, int RM, int RN, int THREADS>
BLP_OUT_OF_LINE void compute_tiles(const struct blp_unit *unit, const struct gemm_shape *shape,
                                   long panel)
{
    alignas(16) __shared__ struct gemm_buffers<SIZE, SIZE> memory;
    struct dm_slices views[GEMM_ARRAYS];
    for (int a = 0; a < GEMM_ARRAYS; a++)
        views[a] = blp_in_global_memory(unit->views[a]);
    long tiles = (shape->n + SIZE - 1) / SIZE, end = tiles * (unit->part + 1) / unit->parts;
    for (long tile = tiles * unit->part / unit->parts; tile < end; tile++) {
        const struct gemm_task task =
            gemm_task_of(views, *shape, panel, min(panel + SIZE / GEMM_TILE, unit->end),
                         tile * SIZE, min((tile + 1) * SIZE, shape->n));
        gemm_execute<SIZE, SIZE, RM, RN, THREADS>(&task, &memory);
    }
}

static inline __device__ void compute_small(const struct blp_unit *unit,
                                            const struct gemm_shape *shape, long panel)
{
    for (; panel < unit->end; panel++)
        compute_tiles<GEMM_TILE, 1, 4, GEMM_ANY_THREADS>(unit, shape, panel);
}

/* Large tiles where four panels are computed at once. */
static inline __device__ void compute_narrow(const struct blp_unit *unit,
                                             const struct gemm_shape *shape)
{
    long panel = unit->begin;
    if (gemm_has_large_tiles(shape->n, blockDim.x))
        for (; unit->end - panel >= GEMM_PANELS; panel += GEMM_PANELS)
            compute_tiles<GEMM_LARGE, 8, 8, GEMM_LARGE_THREADS>(unit, shape, panel);
    compute_small(unit, shape, panel);
}

static inline __device__ void compute_wide(const struct blp_unit *unit,
                                           const struct gemm_shape *shape)
{
    compute_small(unit, shape, unit->begin);
}

static int parts(const void *shape)
{
    long n = ((const struct gemm_shape *)shape)->n;
    return blp_parts(n / (n >= GEMM_LARGE_MINIMUM ? (long)GEMM_LARGE : (long)GEMM_TILE));
}

BLP_FUNCTIONS(gemm_narrow, struct gemm_shape, compute_narrow, float, NARROW_THREADS, NARROW_BLOCKS)
BLP_FUNCTIONS(gemm_wide, struct gemm_shape, compute_wide, float, BLP_THREADS_MAX, 1)

static cudaError_t resident(int threads, int *blocks)
{
    return threads <= NARROW_THREADS ? gemm_narrow_resident(threads, blocks)
                                     : gemm_wide_resident(threads, blocks);
}

static cudaError_t start(const struct blp_work *work, const void *shape, cudaStream_t stream)
{
    return work->threads <= NARROW_THREADS ? gemm_narrow_start(work, shape, stream)
                                           : gemm_wide_start(work, shape, stream);
}

/* Bound by arithmetic when n is large: few threads with many elements each need shared memory least
 * (gemm_device.h), and fewer of them than elsewhere need to copy. Tasks are as wide as large tiles.
 */
const struct blp_kernel gemm_kernel =
    blp_make_kernel(resident, start, 0, BLP_THREADS_MAX, 1, parts,
                    {NARROW_THREADS, NARROW_BLOCKS, 16, 66, GEMM_PANELS});
