/* conv2d_device.h: 2DCONV on the device. Loads are ordinary ones: in a persistent kernel other
 * blocks write the input, so it is not read-only data. */
#ifndef COMMON_WORKLOADS_CONV2D_DEVICE_H
#define COMMON_WORKLOADS_CONV2D_DEVICE_H

#include "conv2d.h"

static inline __device__ float conv2d_element(struct dm_slices input, long columns, long i, long j)
{
    if (j == 0 || j == columns - 1)
        return 0.0f;
    const float weights[3][3] = CONV2D_WEIGHTS;
    float sum = 0.0f;
    for (int di = 0; di < 3; di++) {
        const float *row = dm_slice<float>(input, i - 1 + di) + j - 1;
        for (int dj = 0; dj < 3; dj++)
            sum += weights[di][dj] * row[dj];
    }
    return sum;
}

/* Row i, by all threads of a one-dimensional block. */
static inline __device__ void conv2d_iteration(const struct dm_slices *views,
                                               struct conv2d_shape shape, long i)
{
    float *row = dm_slice<float>(views[IN_OUT_OUTPUT], i);
    for (long j = threadIdx.x; j < shape.columns; j += blockDim.x)
        row[j] = conv2d_element(views[IN_OUT_INPUT], shape.columns, i, j);
}

#endif
