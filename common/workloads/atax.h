/* atax.h: y = A^T (A x) with a square matrix A, after PolyBench, by rows of A:
 *
 *     tmp_i = A_i . x              one thread block per row
 *     y    += tmp_i * A_i          one thread per column (and group of rows)
 *
 * so that a row is needed by one iteration only. Source: Cui, 4.3 (ATAX). */
#ifndef COMMON_WORKLOADS_ATAX_H
#define COMMON_WORKLOADS_ATAX_H

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

struct benchmark_kind;

/* What region.context points to: A is n x n, row-major. */
struct atax_shape {
    long n;
};

/* The arrays of the region, in this order; slices of A are rows, of tmp elements. */
enum { ATAX_A, ATAX_X, ATAX_TMP, ATAX_Y, ATAX_ARRAYS };

/* Two products and two sums per element of A. */
static inline double atax_flops(double n)
{
    return 4.0 * n * n;
}

/* Bytes that must cross the memory bus: A and x are read, y is written; the two kernels find rows
 * in the cache when there are few of them. */
static inline double atax_bytes(double n)
{
    return sizeof(float) * (n * n + 2.0 * n);
}

/* Overwrites y in the first iteration of the loop and adds to it in the others. The thread block
 * has a multiple of 32 threads: all of them share a row of A for tmp; for y, x counts columns and y
 * groups of rows. Errors: cudaErrorInvalidValue for iterations outside
 * of the loop, cudaErrorInvalidConfiguration for an impossible block, and those of the launch. */
dm_region_launch atax_launch;

void atax_reference(const float *a, const float *x, struct atax_shape shape, float *y);

extern const struct benchmark_kind atax_benchmark;

#ifdef __cplusplus
}
#endif
#endif
