/* stencil_device.h: the 7-point stencil on the device. Loads are ordinary ones: in a persistent
 * kernel other blocks write the input, so it is not read-only data. */
#ifndef COMMON_WORKLOADS_STENCIL_DEVICE_H
#define COMMON_WORKLOADS_STENCIL_DEVICE_H

#include "stencil.h"

static inline __device__ float stencil_element(struct dm_slices input, struct stencil_shape shape,
                                               long i, long j, long k)
{
    long at = j * shape.columns + k;
    const float *centre = dm_slice<float>(input, i) + at;
    if (j == 0 || k == 0 || j == shape.rows - 1 || k == shape.columns - 1)
        return *centre;
    float neighbours = dm_slice<float>(input, i - 1)[at] + dm_slice<float>(input, i + 1)[at] +
                       centre[-shape.columns] + centre[shape.columns] + centre[-1] + centre[1];
    return STENCIL_C1 * neighbours - STENCIL_C0 * *centre;
}

/* Part `part` of `parts` of plane i (rows are shared out), by all threads of a one-dimensional
 * block of a multiple of 32 threads. */
static inline __device__ void stencil_part(const struct dm_slices *views,
                                           struct stencil_shape shape, long i, long part,
                                           long parts)
{
    float *plane = dm_slice<float>(views[IN_OUT_OUTPUT], i);
    long end = shape.rows * (part + 1) / parts;
    for (long j = shape.rows * part / parts + threadIdx.x / 32; j < end; j += blockDim.x / 32)
        for (long k = threadIdx.x % 32; k < shape.columns; k += 32)
            plane[j * shape.columns + k] = stencil_element(views[IN_OUT_INPUT], shape, i, j, k);
}

static inline __device__ void stencil_iteration(const struct dm_slices *views,
                                                struct stencil_shape shape, long i)
{
    stencil_part(views, shape, i, 0, 1);
}

#endif
