#include "fdtd2d.h"

#include "common/gpu.h"

#include "fdtd2d_device.h"
#include "thread_block.h"

/* The element of this thread, in rows that begin with `begin`. */
static inline __device__ long row_of_thread(long begin)
{
    return begin + (long)blockIdx.y * blockDim.y + threadIdx.y;
}

static inline __device__ long column_of_thread(void)
{
    return (long)blockIdx.x * blockDim.x + threadIdx.x;
}

static __global__ void ey_kernel(struct dm_slices ey, struct dm_slices hz, struct dm_slices ey_new,
                                 long n, long begin, long end)
{
    struct dm_slices views[FDTD2D_ARRAYS] = {};
    views[FDTD2D_EY] = ey, views[FDTD2D_HZ] = hz, views[FDTD2D_EY_NEW] = ey_new;
    long i = row_of_thread(begin), j = column_of_thread();
    if (i < end && j < n)
        fdtd2d_ey_element(views, i, j);
}

static __global__ void ex_kernel(struct dm_slices ex, struct dm_slices hz, struct dm_slices ex_new,
                                 long n, long begin, long end)
{
    struct dm_slices views[FDTD2D_ARRAYS] = {};
    views[FDTD2D_EX] = ex, views[FDTD2D_HZ] = hz, views[FDTD2D_EX_NEW] = ex_new;
    long i = row_of_thread(begin), j = column_of_thread();
    if (i < end && j < n)
        fdtd2d_ex_element(views, i, j);
}

static __global__ void hz_kernel(struct dm_slices hz, struct dm_slices ey_new,
                                 struct dm_slices ex_new, struct dm_slices hz_new, long n,
                                 long begin, long end)
{
    struct dm_slices views[FDTD2D_ARRAYS] = {};
    views[FDTD2D_HZ] = hz, views[FDTD2D_EY_NEW] = ey_new;
    views[FDTD2D_EX_NEW] = ex_new, views[FDTD2D_HZ_NEW] = hz_new;
    long i = row_of_thread(begin), j = column_of_thread();
    if (i < end && j < n)
        fdtd2d_hz_element(views, n, i, j);
}

cudaError_t fdtd2d_launch(const struct dm_region *region, const struct dm_slices *views, long begin,
                          long end, cudaStream_t stream)
{
    if (begin >= end || begin < region->begin || end > region->end)
        return begin == end ? cudaSuccess : cudaErrorInvalidValue;
    long n = ((const struct fdtd2d_shape *)region->context)->n;
    long first_ey = begin == region->begin ? begin : begin + 1;
    dim3 block;
    cudaError_t error = thread_block_choose(region, {32, 8, 1}, {64, 1, 1}, &block);
    if (error)
        return error;
    dim3 grid(thread_block_count(n, block.x), thread_block_count(end - begin, block.y), 1);
    dim3 ey_grid(grid.x, thread_block_count(end + 1 - first_ey, block.y), 1);
    dm_launch(ey_kernel, ey_grid, block, 0, stream, views[FDTD2D_EY], views[FDTD2D_HZ],
              views[FDTD2D_EY_NEW], n, first_ey, end + 1);
    error = cudaGetLastError();
    if (error)
        return error;
    dm_launch(ex_kernel, grid, block, 0, stream, views[FDTD2D_EX], views[FDTD2D_HZ],
              views[FDTD2D_EX_NEW], n, begin, end);
    error = cudaGetLastError();
    if (error)
        return error;
    dm_launch(hz_kernel, grid, block, 0, stream, views[FDTD2D_HZ], views[FDTD2D_EY_NEW],
              views[FDTD2D_EX_NEW], views[FDTD2D_HZ_NEW], n, begin, end);
    return cudaGetLastError();
}
