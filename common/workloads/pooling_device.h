/* pooling_device.h: 2x2 maxima on the device. */
#ifndef COMMON_WORKLOADS_POOLING_DEVICE_H
#define COMMON_WORKLOADS_POOLING_DEVICE_H

#include "pooling.h"

static inline __device__ float pooling_element(struct dm_slices input, long columns, long i, long j)
{
    const float *above = dm_slice<float>(input, i) + 2 * j, *below = above + 2 * columns;
    return fmaxf(fmaxf(above[0], above[1]), fmaxf(below[0], below[1]));
}

/* Row i of the output, by all threads of a one-dimensional block. */
static inline __device__ void pooling_iteration(const struct dm_slices *views,
                                                struct pooling_shape shape, long i)
{
    float *row = dm_slice<float>(views[IN_OUT_OUTPUT], i);
    for (long j = threadIdx.x; j < shape.columns; j += blockDim.x)
        row[j] = pooling_element(views[IN_OUT_INPUT], shape.columns, i, j);
}

#endif
