/* conv3d.h: 3DCONV, a convolution of a 3-D array with 11 points, after PolyBench.
 *
 *     output[i][j][k] = sum over the points of weight * input[i+di][j+dj][k+dk]
 *
 * for the interior of all three dimensions; the weights are PolyBench's divided by the sum of their
 * magnitudes, so that values stay bounded over rounds with swapped arrays. Border elements of
 * written planes are the input's; the first and last plane are not written. As a region: slices are
 * planes, iteration i computes plane i. Source: Cui, 3.4 and 4.4. */
#ifndef COMMON_WORKLOADS_CONV3D_H
#define COMMON_WORKLOADS_CONV3D_H

#include "in_out.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The points as point(di, dj, dk, weight), and what the weights are divided by. */
#define CONV3D_POINTS(point)                                                                       \
    point(-1, -1, -1, -1.0f) point(-1, -1, 1, 2.0f) point(-1, 0, 1, 5.0f) point(-1, 1, 1, -8.0f)   \
        point(0, -1, 0, -3.0f) point(0, 0, 0, 6.0f) point(0, 1, 0, -9.0f) point(1, -1, -1, 21.0f)  \
            point(1, -1, 1, 4.0f) point(1, 0, 1, 7.0f) point(1, 1, 1, 10.0f)
#define CONV3D_MAGNITUDE 76.0f

struct conv3d_shape {
    long planes, rows, columns;
};

/* 11 products and 10 sums per interior element. */
static inline double conv3d_flops(struct conv3d_shape shape)
{
    if (shape.planes < 3 || shape.rows < 3 || shape.columns < 3)
        return 0.0;
    return 21.0 * (double)(shape.planes - 2) * (double)(shape.rows - 2) *
           (double)(shape.columns - 2);
}

/* Bytes that must cross the device's memory bus: the input once, the written planes once. */
static inline double conv3d_bytes(struct conv3d_shape shape)
{
    double written = shape.planes < 3 ? 0.0 : (double)(shape.planes - 2);
    return sizeof(float) * ((double)shape.planes + written) * (double)shape.rows *
           (double)shape.columns;
}

in_out_reference conv3d_reference; /* of a struct conv3d_shape */

/* views: input, output; the region's context is a struct conv3d_shape. Errors:
 * cudaErrorInvalidValue for planes outside the interior, cudaErrorInvalidConfiguration for an
 * impossible block, and those of the launch. */
dm_region_launch conv3d_launch;

extern const struct benchmark_kind conv3d_benchmark;

#ifdef __cplusplus
}
#endif
#endif
