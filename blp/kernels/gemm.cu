#include "common/workloads/gemm_device.h"

#include "kernels.h"

enum { NARROW_THREADS = 128, NARROW_BLOCKS = 8 };

static inline __device__ void compute(const struct blp_unit *unit, const struct gemm_shape *shape)
{
    struct gemm_shape gemm = *shape;
    struct dm_slices views[GEMM_ARRAYS];
    for (int a = 0; a < GEMM_ARRAYS; a++)
        views[a] = blp_in_global_memory(unit->views[a]);
    long tiles = gemm.n / GEMM_TILE, end = tiles * (unit->part + 1) / unit->parts;
    for (long i = unit->begin; i < unit->end; i++)
        for (long row = tiles * unit->part / unit->parts; row < end; row++)
            gemm_tile(views, gemm, i, row);
}

static int parts(const void *shape)
{
    return blp_parts(((const struct gemm_shape *)shape)->n / GEMM_TILE);
}

BLP_FUNCTIONS(gemm_narrow, struct gemm_shape, compute, float, NARROW_THREADS, NARROW_BLOCKS)
BLP_FUNCTIONS(gemm_wide, struct gemm_shape, compute, float, BLP_THREADS_MAX, 1)

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

/* Bound by arithmetic when n is large: few threads with many rows each need shared memory least
 * (gemm_device.h), and many blocks hide latencies. Fewer of them than elsewhere need to copy. */
const struct blp_kernel gemm_kernel = blp_make_kernel(resident, start, 0, BLP_THREADS_MAX, 1, parts,
                                                      {NARROW_THREADS, NARROW_BLOCKS, 33, 132});
