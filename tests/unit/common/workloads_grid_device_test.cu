/* The device functions of the workloads on grids, as a persistent kernel calls them: a few blocks
 * take iterations in turn, each by all of its threads. */
#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/workloads/conv2d_device.h"
#include "common/workloads/conv3d_device.h"
#include "common/workloads/pooling_device.h"
#include "common/workloads/stencil_device.h"
#include "common/workloads/transpose_device.h"
#include "tests/unit/test.h"

enum { BLOCKS = 5, PARTS = 3 };

/* A kernel that executes iterations, and its launch function. */
#define PERSISTENT(name, shape_of)                                                                 \
    static __global__ void name##_kernel(struct dm_slices input, struct dm_slices output,          \
                                         struct shape_of##_shape shape, long begin, long end)      \
    {                                                                                              \
        const struct dm_slices views[2] = {input, output};                                         \
        for (long i = begin + blockIdx.x; i < end; i += gridDim.x)                                 \
            name(views, shape, i);                                                                 \
    }                                                                                              \
    static cudaError_t name##_launch(const struct dm_region *region,                               \
                                     const struct dm_slices *views, long begin, long end,          \
                                     cudaStream_t stream)                                          \
    {                                                                                              \
        dm_launch(name##_kernel, BLOCKS, region->block.x, 0, stream, views[0], views[1],           \
                  *(const struct shape_of##_shape *)region->context, begin, end);                  \
        return cudaGetLastError();                                                                 \
    }

static inline __device__ void conv3d_parts(const struct dm_slices *views, struct conv3d_shape shape,
                                           long i)
{
    for (long part = 0; part < PARTS; part++)
        conv3d_part(views, shape, i, part, PARTS);
}

static inline __device__ void stencil_parts(const struct dm_slices *views,
                                            struct stencil_shape shape, long i)
{
    for (long part = 0; part < PARTS; part++)
        stencil_part(views, shape, i, part, PARTS);
}

PERSISTENT(conv2d_iteration, conv2d)
PERSISTENT(conv3d_iteration, conv3d)
PERSISTENT(conv3d_parts, conv3d)
PERSISTENT(stencil_iteration, stencil)
PERSISTENT(stencil_parts, stencil)
PERSISTENT(pooling_iteration, pooling)
PERSISTENT(transpose_iteration, transpose)

static long errors_with(dm_region_launch *launch_function, const char *kind, size_t size,
                        unsigned threads)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of(kind), size, 1, MEMORY_PAGEABLE, 7);
    struct dm_region *region = &benchmark->region;
    struct dm_slices views[2];
    size_t bytes[2];
    benchmark_reset(benchmark);
    region->block = dim3(threads, 1, 1);
    for (int a = 0; a < 2; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        bytes[a] = (size_t)array->slices * dm_region_slice_size(array);
        void *device = memory_allocate(MEMORY_DEVICE, bytes[a]);
        check_cuda(cudaMemcpy(device, array->host, bytes[a], cudaMemcpyHostToDevice));
        views[a] = dm_region_whole_view(array, device, array->pitch_bytes);
    }
    check_cuda(launch_function(region, views, region->begin, region->end, 0));
    check_cuda(cudaMemcpy(region->arrays[1].host, views[1].base, bytes[1], cudaMemcpyDeviceToHost));
    long errors = benchmark_errors(benchmark);
    for (int a = 0; a < 2; a++)
        memory_release(MEMORY_DEVICE, views[a].base);
    benchmark_release(benchmark);
    return errors;
}

static void check_all(unsigned threads)
{
    expect(errors_with(conv2d_iteration_launch, "conv2d", 67, threads) == 0);
    expect(errors_with(conv3d_iteration_launch, "conv3d", 37, threads) == 0);
    expect(errors_with(conv3d_parts_launch, "conv3d", 37, threads) == 0);
    expect(errors_with(stencil_iteration_launch, "stencil", 36, threads) == 0);
    expect(errors_with(stencil_parts_launch, "stencil", 36, threads) == 0);
    expect(errors_with(pooling_iteration_launch, "pooling", 90, threads) == 0);
    expect(errors_with(transpose_iteration_launch, "transpose", 160, threads) == 0);
}

static void blocks_of_32_threads(void)
{
    check_all(32);
}

static void blocks_of_96_threads(void)
{
    check_all(96);
}

static void blocks_of_1024_threads(void)
{
    check_all(1024);
}

int main(void)
{
    run_test(blocks_of_32_threads);
    run_test(blocks_of_96_threads);
    run_test(blocks_of_1024_threads);
    return end_tests();
}
