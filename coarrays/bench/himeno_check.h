/* himeno_check.h: an image's part of the Himeno benchmark, and the result that every variant is
 * compared with. */
#ifndef COARRAYS_BENCH_HIMENO_CHECK_H
#define COARRAYS_BENCH_HIMENO_CHECK_H

#include "himeno.h"

/* One image's part of a problem; memory of scope.h but for the coefficients (himeno_free). */
struct himeno_part {
    int size[3]; /* of the grid */
    uint64_t seed;
    struct himeno_block block;
    struct himeno_coefficients coefficients;
    float *start, *result; /* pressures of extent[OWN] + 2 points in each dimension */
    /* The serial version's result on the whole grid, made when it is needed. */
    float *expected;
    double expected_gosa;
};

/* This image's part of a grid of size[] points, boundary included, on images[] images. */
struct himeno_part himeno_part(const int size[3], const int images[3], uint64_t seed);

/* Wrong inner points of part->result after so many iterations, and one more if gosa is wrong.
 * Collective: the first image computes what is expected. */
long himeno_count_wrong(struct himeno_part *part, int iterations, double gosa);

#endif
