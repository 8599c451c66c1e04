/* pooling.h: the maximum of each 2x2 square of a matrix, as in a convolutional network.
 *
 *     output[i][j] = max(input[2i][2j], input[2i][2j+1], input[2i+1][2j], input[2i+1][2j+1])
 *
 * As a region: a slice of the input is two rows, one of the output is a row; iteration i computes
 * row i. Source: Cui, 1.1 (patterns that take as long to compute as to move data). */
#ifndef COMMON_WORKLOADS_POOLING_H
#define COMMON_WORKLOADS_POOLING_H

#include "in_out.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pooling_shape {
    long rows, columns; /* of the output; the input has twice as many of both */
};

/* 3 comparisons per element of the output. */
static inline double pooling_flops(struct pooling_shape shape)
{
    return 3.0 * (double)shape.rows * (double)shape.columns;
}

/* Bytes that must cross the device's memory bus: the input and the output once. */
static inline double pooling_bytes(struct pooling_shape shape)
{
    return 5.0 * sizeof(float) * (double)shape.rows * (double)shape.columns;
}

in_out_reference pooling_reference; /* of a struct pooling_shape */

/* views: input, output; the region's context is a struct pooling_shape. Errors:
 * cudaErrorInvalidValue for rows outside the output, cudaErrorInvalidConfiguration for an
 * impossible block, and those of the launch. */
dm_region_launch pooling_launch;

extern const struct benchmark_kind pooling_benchmark;

#ifdef __cplusplus
}
#endif
#endif
