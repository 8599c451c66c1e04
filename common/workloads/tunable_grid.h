/* tunable_grid.h: the tunable kernels on grids: 2DCONV and 3DCONV (conv2d.h, conv3d.h) and EPCC's
 * stencil of 27 points,
 *
 *     output[i][j][k] = sum over the 3x3x3 neighbourhood of weight * input[i+di][j+dj][k+dk]
 *
 * for the interior of all three dimensions, where the weight depends on the distance: that of the
 * point itself, of the 6 neighbours by a face, the 12 by an edge and the 8 by a corner. They are
 * those of full weighting, as multigrid methods use it, and sum up to 1. Border elements of written
 * planes are the input's; the first and last plane are not written.
 *
 * All three compute the slices (rows, planes) 1 to n - 2 of an output with n slices. Only these
 * have memory: slice i lies in slot i mod (n - 2), as in a ring buffer (slices.h). Source: Cui,
 * table 5.1 (kernels); the weights are ours. */
#ifndef COMMON_WORKLOADS_TUNABLE_GRID_H
#define COMMON_WORKLOADS_TUNABLE_GRID_H

#include "in_out.h"
#include "tunable_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EPCC_POINT  (8.0f / 64.0f)
#define EPCC_FACE   (4.0f / 64.0f)
#define EPCC_EDGE   (2.0f / 64.0f)
#define EPCC_CORNER (1.0f / 64.0f)

struct epcc_shape {
    long n; /* the grid has n x n x n points */
};

/* Per interior point 5, 11 and 7 sums of neighbours at the same distance, 4 products, 3 sums. */
static inline double epcc_flops(struct epcc_shape shape)
{
    double interior = (double)shape.n - 2.0;
    return 30.0 * interior * interior * interior;
}

/* views: input, output; the region's context is a struct epcc_shape and it has a block, whose x
 * divides the last dimension and y the one before it. Errors: cudaErrorInvalidValue for planes
 * outside the interior, cudaErrorInvalidConfiguration for an impossible block, and those of the
 * launch. */
dm_region_launch epcc_launch;

tunable_reference_function conv2d_tunable_reference, conv3d_tunable_reference,
    epcc_tunable_reference;

#ifdef __cplusplus
}
#endif
#endif
