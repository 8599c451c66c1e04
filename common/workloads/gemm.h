/* gemm.h: products of square matrices of floats, in tiles of 32 x 32.
 *
 *     gemm      C = alpha * A * B + beta * C, split into panels of 32 columns of B and C: each
 * panel of C needs all of A and one panel of B matmul    C = A * B, split over the inner dimension:
 * panels of 32 columns of A and slices of 32 rows of B arrive in pairs, and each pair is added to
 * all of C
 *
 * matmul has two kernels: matmul_launch has a thread block per tile of C, with tiles of A and B in
 * shared memory (block-shared); matmul_naive_launch has a thread per element of C, which reads a
 * row of A and a column of B. Matrices are row-major, n x n, n a multiple of 32. Source: Cui, 3.4
 * (matmul and its two algorithms) and 4.3 (GEMM). */
#ifndef COMMON_WORKLOADS_GEMM_H
#define COMMON_WORKLOADS_GEMM_H

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

struct benchmark_kind;

enum { GEMM_TILE = 32 }; /* rows and columns of a tile, columns of a panel, rows of a slice of B */

/* What region.context points to. */
struct gemm_shape {
    long n;
    float alpha, beta; /* gemm's; matmul has none */
};

/* The arrays of the regions, in this order. */
enum { GEMM_A, GEMM_B, GEMM_C, GEMM_ARRAYS };

/* A product and a sum per element of the inner dimension; gemm then scales twice and adds. */
static inline double matmul_flops(double n)
{
    return 2.0 * n * n * n;
}
static inline double gemm_flops(double n)
{
    return matmul_flops(n) + 3.0 * n * n;
}

/* Bytes that must cross the memory bus: A and B are read, C is written and, by gemm, read. */
static inline double matmul_bytes(double n)
{
    return 3.0 * sizeof(float) * n * n;
}
static inline double gemm_bytes(double n)
{
    return 4.0 * sizeof(float) * n * n;
}

/* Launch functions. The thread block has a multiple of 32 threads (matmul_naive: any two
 * dimensions, x over the columns). matmul overwrites C in the first iteration of the loop and adds
 * to it in the others. Errors: cudaErrorInvalidValue for iterations outside
 * of the loop, cudaErrorInvalidConfiguration for an impossible block, and those of the launch. */
dm_region_launch gemm_launch, matmul_launch, matmul_naive_launch;

/* expected = alpha * A * B + beta * C on the CPU, sums in double; c may be NULL: no C. Takes n^3
 * steps: for n up to GEMM_REFERENCE_LIMIT. */
enum { GEMM_REFERENCE_LIMIT = 512 };
void gemm_reference(const float *a, const float *b, const float *c, struct gemm_shape shape,
                    float *expected);

/* The rows of that matrix times a vector of random signs, in n^2 steps: n sums. An element that is
 * wrong by some amount changes the sum of its row by the same amount. */
void gemm_expected_sums(const float *a, const float *b, const float *c, struct gemm_shape shape,
                        float *expected);

/* Rows of `c` whose sum is not the expected one, but for what sums of n products of numbers in
 * [-1, 1) lose in single precision (ten standard deviations of it). NaN is wrong. */
long gemm_wrong_sums(const float *c, const float *expected, struct gemm_shape shape);

extern const struct benchmark_kind gemm_benchmark, matmul_benchmark, matmul_naive_benchmark;

#ifdef __cplusplus
}
#endif
#endif
