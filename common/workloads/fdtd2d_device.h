/* fdtd2d_device.h: the three stages of a time step on the device, by element and by row. */
#ifndef COMMON_WORKLOADS_FDTD2D_DEVICE_H
#define COMMON_WORKLOADS_FDTD2D_DEVICE_H

#include "fdtd2d.h"

static inline __device__ void fdtd2d_ey_element(const struct dm_slices *views, long i, long j)
{
    float difference =
        dm_slice<float>(views[FDTD2D_HZ], i)[j] - dm_slice<float>(views[FDTD2D_HZ], i - 1)[j];
    dm_slice<float>(views[FDTD2D_EY_NEW], i)[j] =
        dm_slice<float>(views[FDTD2D_EY], i)[j] - 0.5f * difference;
}

static inline __device__ void fdtd2d_ex_element(const struct dm_slices *views, long i, long j)
{
    const float *hz = dm_slice<float>(views[FDTD2D_HZ], i);
    float difference = j > 0 ? hz[j] - hz[j - 1] : 0.0f;
    dm_slice<float>(views[FDTD2D_EX_NEW], i)[j] =
        dm_slice<float>(views[FDTD2D_EX], i)[j] - 0.5f * difference;
}

static inline __device__ void fdtd2d_hz_element(const struct dm_slices *views, long n, long i,
                                                long j)
{
    const float *ex = dm_slice<float>(views[FDTD2D_EX_NEW], i);
    float curl = 0.0f;
    if (j < n - 1)
        curl = ex[j + 1] - ex[j] + dm_slice<float>(views[FDTD2D_EY_NEW], i + 1)[j] -
               dm_slice<float>(views[FDTD2D_EY_NEW], i)[j];
    dm_slice<float>(views[FDTD2D_HZ_NEW], i)[j] =
        dm_slice<float>(views[FDTD2D_HZ], i)[j] - 0.7f * curl;
}

/* Row i of ey_new, which needs rows i-1 and i of hz. Like the other two, called by all threads of a
 * one-dimensional block. */
static inline __device__ void fdtd2d_ey(const struct dm_slices *views, struct fdtd2d_shape shape,
                                        long i)
{
    for (long j = threadIdx.x; j < shape.n; j += blockDim.x)
        fdtd2d_ey_element(views, i, j);
}

/* Row i of ex_new. */
static inline __device__ void fdtd2d_ex(const struct dm_slices *views, struct fdtd2d_shape shape,
                                        long i)
{
    for (long j = threadIdx.x; j < shape.n; j += blockDim.x)
        fdtd2d_ex_element(views, i, j);
}

/* Row i of hz_new, which needs row i of ex_new and rows i and i+1 of ey_new, whole. */
static inline __device__ void fdtd2d_hz(const struct dm_slices *views, struct fdtd2d_shape shape,
                                        long i)
{
    for (long j = threadIdx.x; j < shape.n; j += blockDim.x)
        fdtd2d_hz_element(views, shape.n, i, j);
}

#endif
