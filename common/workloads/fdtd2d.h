/* fdtd2d.h: one time step of a two-dimensional finite-difference time-domain method, after
 * PolyBench, in three kernels, each of which needs results of the ones before:
 *
 *     ey_new[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i-1][j])
 *     ex_new[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j-1]);            column 0 keeps its value
 *     hz_new[i][j] = hz[i][j] - 0.7 * (ex_new[i][j+1] - ex_new[i][j]
 *                                    + ey_new[i+1][j] - ey_new[i][j]);    the last column keeps it
 *
 * for the rows 1 <= i < n-1 of an n x n grid. As a region: slices are rows; iteration i computes
 * row i+1 of ey_new (the loop's first one also its own row), and row i of ex_new and hz_new.
 * Source: Cui, 4.3 (FDTD-2D). */
#ifndef COMMON_WORKLOADS_FDTD2D_H
#define COMMON_WORKLOADS_FDTD2D_H

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

struct benchmark_kind;

/* What region.context points to. */
struct fdtd2d_shape {
    long n;
};

/* The arrays of the region, in this order. */
enum {
    FDTD2D_EX,
    FDTD2D_EY,
    FDTD2D_HZ,
    FDTD2D_EY_NEW,
    FDTD2D_EX_NEW,
    FDTD2D_HZ_NEW,
    FDTD2D_ARRAYS
};

/* 3 + 3 + 5 operations per element of the rows that are computed. */
static inline double fdtd2d_flops(double n)
{
    return n < 3 ? 0.0 : 11.0 * (n - 2) * n;
}

/* Bytes that must cross the memory bus: three arrays are read and one is written; ey_new and ex_new
 * may stay in the cache. */
static inline double fdtd2d_bytes(double n)
{
    return n < 3 ? 0.0 : 4.0 * sizeof(float) * (n - 2) * n;
}

/* Errors: cudaErrorInvalidValue for iterations outside
 * of the loop, cudaErrorInvalidConfiguration for an impossible block, and those of the launch. */
dm_region_launch fdtd2d_launch;

/* Rows 1 to n-2 of hz_new. */
void fdtd2d_reference(const float *ex, const float *ey, const float *hz, struct fdtd2d_shape shape,
                      float *hz_new);

extern const struct benchmark_kind fdtd2d_benchmark;

#ifdef __cplusplus
}
#endif
#endif
