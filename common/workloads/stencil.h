/* stencil.h: the iterative solver of the heat equation on a 3-D grid with 7 points, after Parboil.
 *
 *     output[i][j][k] = c1 * (sum of the six neighbours of input[i][j][k]) - c0 * input[i][j][k]
 *
 * for the interior of all three dimensions, c0 = c1 = 1/6. Border elements of written planes are
 * the input's; the first and last plane are not written; arrays are swapped between rounds. As a
 * region: slices are planes, iteration i computes plane i. Source: Cui, fig. 3.2. */
#ifndef COMMON_WORKLOADS_STENCIL_H
#define COMMON_WORKLOADS_STENCIL_H

#include "in_out.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STENCIL_C0 (1.0f / 6.0f)
#define STENCIL_C1 (1.0f / 6.0f)

struct stencil_shape {
    long planes, rows, columns;
};

/* 5 sums, 2 products and a difference per interior element. */
static inline double stencil_flops(struct stencil_shape shape)
{
    if (shape.planes < 3 || shape.rows < 3 || shape.columns < 3)
        return 0.0;
    return 8.0 * (double)(shape.planes - 2) * (double)(shape.rows - 2) *
           (double)(shape.columns - 2);
}

/* Bytes that must cross the device's memory bus: the input once, the written planes once. */
static inline double stencil_bytes(struct stencil_shape shape)
{
    double written = shape.planes < 3 ? 0.0 : (double)(shape.planes - 2);
    return sizeof(float) * ((double)shape.planes + written) * (double)shape.rows *
           (double)shape.columns;
}

in_out_reference stencil_reference; /* of a struct stencil_shape */

/* views: input, output; the region's context is a struct stencil_shape. Errors:
 * cudaErrorInvalidValue for planes outside the interior, cudaErrorInvalidConfiguration for an
 * impossible block, and those of the launch. */
dm_region_launch stencil_launch;

extern const struct benchmark_kind stencil_benchmark;

#ifdef __cplusplus
}
#endif
#endif
