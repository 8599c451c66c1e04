/* conv3d_device.h: 3DCONV on the device. Loads are ordinary ones: in a persistent kernel other
 * blocks write the input, so it is not read-only data. */
#ifndef COMMON_WORKLOADS_CONV3D_DEVICE_H
#define COMMON_WORKLOADS_CONV3D_DEVICE_H

#include "conv3d.h"

static inline __device__ float conv3d_element(struct dm_slices input, struct conv3d_shape shape,
                                              long i, long j, long k)
{
    long at = j * shape.columns + k;
    const float *plane[3] = {dm_slice<float>(input, i - 1) + at, dm_slice<float>(input, i) + at,
                             dm_slice<float>(input, i + 1) + at};
    if (j == 0 || k == 0 || j == shape.rows - 1 || k == shape.columns - 1)
        return plane[1][0];
    float sum = 0.0f;
#define CONV3D_ADD(di, dj, dk, weight)                                                             \
    sum += (weight / CONV3D_MAGNITUDE) * plane[di + 1][dj * shape.columns + dk];
    CONV3D_POINTS(CONV3D_ADD)
#undef CONV3D_ADD
    return sum;
}

/* Part `part` of `parts` of plane i (rows are shared out), by all threads of a one-dimensional
 * block of a multiple of 32 threads. */
static inline __device__ void conv3d_part(const struct dm_slices *views, struct conv3d_shape shape,
                                          long i, long part, long parts)
{
    float *plane = dm_slice<float>(views[IN_OUT_OUTPUT], i);
    long end = shape.rows * (part + 1) / parts;
    for (long j = shape.rows * part / parts + threadIdx.x / 32; j < end; j += blockDim.x / 32)
        for (long k = threadIdx.x % 32; k < shape.columns; k += 32)
            plane[j * shape.columns + k] = conv3d_element(views[IN_OUT_INPUT], shape, i, j, k);
}

static inline __device__ void conv3d_iteration(const struct dm_slices *views,
                                               struct conv3d_shape shape, long i)
{
    conv3d_part(views, shape, i, 0, 1);
}

#endif
