/* summa_check.h: random matrices for SUMMA, and whether C is their product. */
#ifndef COARRAYS_BENCH_SUMMA_CHECK_H
#define COARRAYS_BENCH_SUMMA_CHECK_H

#include <stdint.h>

#include "coarrays/hetero/summa.h"

/* Uniform numbers in [-1, 1), a function of seed and place alone. free() them. */
struct summa_blocks {
    double *a; /* by columns */
    double *b; /* by rows */
};
struct summa_blocks summa_random_blocks(const struct summa_layout *layout, uint64_t seed);

/* C of the whole matrices by one product on this image's GPU, by columns; free() it. */
double *summa_on_one_gpu(int order, uint64_t seed);

/* C from every image's block, by columns, on image 1; NULL on the others. free() it. Collective. */
double *summa_gather(const struct summa *summa, const struct summa_layout *layout);

/* How far elements of `c` are from `expected`: the largest difference in units of
 * summa_tolerance, and how many are farther than 1. NaN is
 * infinitely far. */
struct summa_difference {
    double ratio;
    long wrong;
};
struct summa_difference summa_compare(const double *c, const double *expected, int order);

/* What two sums of `order` products of numbers in [-1, 1) in different orders may differ by: about
 * thirty standard deviations of their rounding errors. Each of the partial sums, of the size of
 * sqrt(k) / 3, is rounded by half an ulp at most. */
double summa_tolerance(int order);

/* Rows of `c` that Freivalds' check finds wrong: c x is compared with A (B x) for a vector x of
 * random signs, on the host (Freivalds 1977). */
long summa_freivalds(const double *c, int order, uint64_t seed);

#endif
