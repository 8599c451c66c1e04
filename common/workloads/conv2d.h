/* conv2d.h: 2DCONV, a 3x3 convolution in single precision, after PolyBench.
 *
 *     output[i][j] = sum over di, dj in {-1, 0, 1} of weight[di+1][dj+1] * input[i+di][j+dj]
 *
 * for the interior 1 <= i < rows-1, 1 <= j < columns-1. The border columns of these rows are 0; the
 * first and last row of the output are not written. As a region: slices are rows, iteration i
 * computes row i. Source: Cui, fig. 4.1. */
#ifndef COMMON_WORKLOADS_CONV2D_H
#define COMMON_WORKLOADS_CONV2D_H

#include "in_out.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The weights, row by row. */
#define CONV2D_WEIGHTS                                                                             \
    {                                                                                              \
        {0.2f, 0.5f, -0.8f}, {-0.3f, 0.6f, -0.9f},                                                 \
        {                                                                                          \
            0.4f, 0.7f, 0.1f                                                                       \
        }                                                                                          \
    }

struct conv2d_shape {
    long rows, columns;
};

/* 9 products and 8 sums per interior element. */
static inline double conv2d_flops(struct conv2d_shape shape)
{
    if (shape.rows < 3 || shape.columns < 3)
        return 0.0;
    return 17.0 * (double)(shape.rows - 2) * (double)(shape.columns - 2);
}

/* Bytes that must cross the device's memory bus: the input once, the written rows once. */
static inline double conv2d_bytes(struct conv2d_shape shape)
{
    double written = shape.rows < 3 ? 0.0 : (double)(shape.rows - 2);
    return sizeof(float) * ((double)shape.rows + written) * (double)shape.columns;
}

in_out_reference conv2d_reference; /* of a struct conv2d_shape */

/* views: input, output; the region's context is a struct conv2d_shape. Errors:
 * cudaErrorInvalidValue for rows outside the interior, cudaErrorInvalidConfiguration for an
 * impossible block, and those of the launch. */
dm_region_launch conv2d_launch;

extern const struct benchmark_kind conv2d_benchmark;

#ifdef __cplusplus
}
#endif
#endif
