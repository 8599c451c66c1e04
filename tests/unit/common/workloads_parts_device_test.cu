/* The device functions of gemm, atax, fdtd2d and qcd, as a persistent kernel calls them: a few
 * one-dimensional blocks take iterations, or parts of them, in turn. Stages that need results of
 * other blocks are kernels of their own here. */
#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/workloads/atax_device.h"
#include "common/workloads/fdtd2d_device.h"
#include "common/workloads/gemm_device.h"
#include "common/workloads/qcd_device.h"
#include "common/workloads/thread_block.h"
#include "tests/unit/test.h"

#include "workloads_test.h"

enum { BLOCKS = 5, PARTS = 3 };

struct all_views {
    struct dm_slices of[DM_REGION_ARRAYS];
};

static struct all_views copy_views(const struct dm_region *region, const struct dm_slices *views)
{
    struct all_views copy = {};
    for (int a = 0; a < region->array_count; a++)
        copy.of[a] = views[a];
    return copy;
}

template <int SIZE, int RM, int RN, int THREADS>
static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    gemm_blocks(struct all_views views, struct gemm_shape shape, long begin, long end)
{
    alignas(16) __shared__ struct gemm_buffers<SIZE, SIZE> buffers;
    const long rows = (shape.n + SIZE - 1) / SIZE, panels = SIZE / GEMM_TILE;
    for (long tile = blockIdx.x; tile < (end - begin + panels - 1) / panels * rows;
         tile += gridDim.x) {
        long panel = begin + tile / rows * panels, row = tile % rows * SIZE;
        const struct gemm_task task = gemm_task_of(views.of, shape, panel, min(panel + panels, end),
                                                   row, min(row + SIZE, shape.n));
        gemm_execute<SIZE, SIZE, RM, RN, THREADS>(&task, &buffers);
    }
}

template <int SIZE, int RM, int RN, int THREADS>
static cudaError_t gemm_in_blocks(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    dm_launch((gemm_blocks<SIZE, RM, RN, THREADS>), BLOCKS, region->block.x, 0, stream,
              copy_views(region, views), *(const struct gemm_shape *)region->context, begin, end);
    return cudaGetLastError();
}

/* Each block adds its rows to a y of its own, */
static __global__ void __launch_bounds__(THREAD_BLOCK_LIMIT)
    atax_blocks(struct all_views views, struct atax_shape shape, float *partial, long begin,
                long end)
{
    for (long i = begin + blockIdx.x; i < end; i += gridDim.x)
        atax_row(views.of, shape, i, partial + blockIdx.x * shape.n);
}

/* and these are added up. */
static __global__ void atax_sum(const float *partial, float *y, long n, bool overwrite)
{
    for (long j = threadIdx.x; j < n; j += blockDim.x) {
        float sum = overwrite ? 0.0f : y[j];
        for (long block = 0; block < BLOCKS; block++)
            sum += partial[block * n + j];
        y[j] = sum;
    }
}

static cudaError_t atax_in_blocks(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    struct atax_shape shape = *(const struct atax_shape *)region->context;
    size_t bytes = BLOCKS * (size_t)shape.n * sizeof(float);
    float *partial = (float *)memory_allocate(MEMORY_DEVICE, bytes);
    check_cuda(cudaMemsetAsync(partial, 0, bytes, stream));
    dm_launch(atax_blocks, BLOCKS, region->block.x, 0, stream, copy_views(region, views), shape,
              partial, begin, end);
    dm_launch(atax_sum, 1, region->block.x, 0, stream, partial, (float *)views[ATAX_Y].base,
              shape.n, begin == region->begin);
    check_cuda(cudaStreamSynchronize(stream));
    memory_release(MEMORY_DEVICE, partial);
    return cudaGetLastError();
}

static __global__ void fdtd2d_electric(struct all_views views, struct fdtd2d_shape shape,
                                       long begin, long end, bool first)
{
    for (long i = begin + blockIdx.x; i < end; i += gridDim.x) {
        if (first && i == begin)
            fdtd2d_ey(views.of, shape, i);
        fdtd2d_ey(views.of, shape, i + 1);
        fdtd2d_ex(views.of, shape, i);
    }
}

static __global__ void fdtd2d_magnetic(struct all_views views, struct fdtd2d_shape shape,
                                       long begin, long end)
{
    for (long i = begin + blockIdx.x; i < end; i += gridDim.x)
        fdtd2d_hz(views.of, shape, i);
}

static cudaError_t fdtd2d_in_blocks(const struct dm_region *region, const struct dm_slices *views,
                                    long begin, long end, cudaStream_t stream)
{
    struct fdtd2d_shape shape = *(const struct fdtd2d_shape *)region->context;
    struct all_views all = copy_views(region, views);
    dm_launch(fdtd2d_electric, BLOCKS, region->block.x, 0, stream, all, shape, begin, end,
              begin == region->begin);
    dm_launch(fdtd2d_magnetic, BLOCKS, region->block.x, 0, stream, all, shape, begin, end);
    return cudaGetLastError();
}

static __global__ void qcd_hops(struct all_views views, struct qcd_shape shape, long begin,
                                long end)
{
    for (long task = blockIdx.x; task < (end - begin) * PARTS; task += gridDim.x)
        qcd_hop_part(views.of, shape, begin + task / PARTS, task % PARTS, PARTS);
}

static __global__ void qcd_combines(struct all_views views, struct qcd_shape shape, long begin,
                                    long end)
{
    for (long task = blockIdx.x; task < (end - begin) * PARTS; task += gridDim.x)
        qcd_combine_part(views.of, shape, begin + task / PARTS, task % PARTS, PARTS);
}

static cudaError_t qcd_in_parts(const struct dm_region *region, const struct dm_slices *views,
                                long begin, long end, cudaStream_t stream)
{
    struct qcd_shape shape = *(const struct qcd_shape *)region->context;
    struct all_views all = copy_views(region, views);
    dm_launch(qcd_hops, BLOCKS, region->block.x, 0, stream, all, shape, begin, end);
    dm_launch(qcd_combines, BLOCKS, region->block.x, 0, stream, all, shape, begin, end);
    return cudaGetLastError();
}

static __global__ void qcd_slices(struct all_views views, struct qcd_shape shape, long begin,
                                  long end, bool combine)
{
    for (long t = begin + blockIdx.x; t < end; t += gridDim.x)
        if (combine)
            qcd_combine(views.of, shape, t);
        else
            qcd_hop(views.of, shape, t);
}

static cudaError_t qcd_in_slices(const struct dm_region *region, const struct dm_slices *views,
                                 long begin, long end, cudaStream_t stream)
{
    struct qcd_shape shape = *(const struct qcd_shape *)region->context;
    struct all_views all = copy_views(region, views);
    dm_launch(qcd_slices, BLOCKS, region->block.x, 0, stream, all, shape, begin, end, false);
    dm_launch(qcd_slices, BLOCKS, region->block.x, 0, stream, all, shape, begin, end, true);
    return cudaGetLastError();
}

/* In chunks of 3 iterations and all at once, on rings, with these numbers of threads. */
static void expect_no_errors(dm_region_launch *launch_function, const char *kind, size_t size,
                             const unsigned *threads)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of(kind), size, 1, MEMORY_PAGEABLE, 7);
    benchmark->region.launch = launch_function;
    for (; *threads; threads++) {
        expect(errors_in_chunks(benchmark, 3, true, dim3(*threads, 1, 1)) == 0);
        expect(errors_in_chunks(benchmark, (long)size, true, dim3(*threads, 1, 1)) == 0);
    }
    benchmark_release(benchmark);
}

/* Under ThreadSanitizer a thread at a barrier is dear. */
#if defined(__SANITIZE_THREAD__)
static const unsigned warps[] = {32, 96, 0}, any_threads[] = {1, 33, 0};
#else
static const unsigned warps[] = {32, 96, 160, 1024, 0}, any_threads[] = {1, 33, 256, 0};
#endif

static void gemm_tiles(void)
{
    static const unsigned large[] = {GEMM_LARGE_THREADS, 0};
    expect_no_errors(gemm_in_blocks<GEMM_TILE, 1, 4, GEMM_ANY_THREADS>, "gemm", 64, warps);
    expect_no_errors(gemm_in_blocks<GEMM_TILE, 2, 4, GEMM_ANY_THREADS>, "gemm", 64, warps);
    /* parts of tiles */
    expect_no_errors(gemm_in_blocks<GEMM_LARGE, 8, 8, GEMM_LARGE_THREADS>, "gemm", 160, large);
    expect_no_errors(gemm_in_blocks<GEMM_LARGE, 8, 8, GEMM_LARGE_THREADS>, "gemm", 288, large);
}

static void atax_rows(void)
{
    expect_no_errors(atax_in_blocks, "atax", 77, warps);
}

static void fdtd2d_rows(void)
{
    expect_no_errors(fdtd2d_in_blocks, "fdtd2d", 37, any_threads);
}

static void qcd_parts_and_slices(void)
{
    expect_no_errors(qcd_in_parts, "qcd", 5, any_threads);
    expect_no_errors(qcd_in_slices, "qcd", 4, any_threads);
}

int main(void)
{
    run_test(gemm_tiles);
    run_test(atax_rows);
    run_test(fdtd2d_rows);
    run_test(qcd_parts_and_slices);
    return end_tests();
}
