#include "common/workloads/gemm_device.h"

#include "blp_kernel.h"

enum { NARROW_THREADS = 128, NARROW_BLOCKS = 8 };

static inline __device__ void gemm_compute(const struct blp_unit *unit, const void *shape)
{
    struct gemm_shape gemm = *(const struct gemm_shape *)shape;
    struct dm_slices views[GEMM_ARRAYS];
    for (int a = 0; a < GEMM_ARRAYS; a++)
        views[a] = blp_in_global_memory(unit->views[a]);
    long tiles = gemm.n / GEMM_TILE, end = tiles * (unit->part + 1) / unit->parts;
    for (long i = unit->begin; i < unit->end; i++)
        for (long row = tiles * unit->part / unit->parts; row < end; row++)
            gemm_tile(views, gemm, i, row);
}

static int gemm_parts(const void *shape)
{
    return blp_parts(((const struct gemm_shape *)shape)->n / GEMM_TILE);
}

BLP_KERNEL(gemm_narrow, struct gemm_shape, gemm_compute, NARROW_THREADS, NARROW_BLOCKS)
BLP_KERNEL(gemm_wide, struct gemm_shape, gemm_compute, 1024, 1)

static cudaError_t gemm_resident(int threads, int *blocks)
{
    return threads <= NARROW_THREADS ? gemm_narrow_resident(threads, blocks)
                                     : gemm_wide_resident(threads, blocks);
}

static cudaError_t gemm_start(const struct blp_work *work, const void *shape, cudaStream_t stream)
{
    return work->threads <= NARROW_THREADS ? gemm_narrow_start(work, shape, stream)
                                           : gemm_wide_start(work, shape, stream);
}

/* Bound by arithmetic when n is large: few threads with many rows each need shared memory least
 * (gemm_device.h), and many blocks hide latencies. Fewer of them than elsewhere need to copy. */
const struct blp_kernel blp_gemm_kernel = {
    "gemm",        1,         false, {NARROW_THREADS, NARROW_BLOCKS, 33, 132}, gemm_parts,
    gemm_resident, gemm_start};
