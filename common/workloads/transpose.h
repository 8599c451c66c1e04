/* transpose.h: output[j][i] = input[i][j].
 *
 * As a region: a slice of the input is 32 rows, and the panel of 32 columns of the output that they
 * become is a slice of the output; iteration i transposes slice i. Source: Cui, 1.1 (patterns that
 * take as long to compute as to move data). */
#ifndef COMMON_WORKLOADS_TRANSPOSE_H
#define COMMON_WORKLOADS_TRANSPOSE_H

#include "in_out.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRANSPOSE_PANEL = 32 };

struct transpose_shape {
    long rows, columns; /* of the input; rows is a multiple of TRANSPOSE_PANEL */
};

/* Bytes that must cross the device's memory bus: the input and the output once. There are no
 * FLOPs. */
static inline double transpose_bytes(struct transpose_shape shape)
{
    return 2.0 * sizeof(float) * (double)shape.rows * (double)shape.columns;
}

in_out_reference transpose_reference; /* of a struct transpose_shape */

/* views: input, output; the region's context is a struct transpose_shape. A block has a multiple of
 * 32 columns. Errors: cudaErrorInvalidValue for panels that there are not,
 * cudaErrorInvalidConfiguration for an impossible block, and those of the launch. */
dm_region_launch transpose_launch;

extern const struct benchmark_kind transpose_benchmark;

#ifdef __cplusplus
}
#endif
#endif
