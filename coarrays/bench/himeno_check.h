/* himeno_check.h: the result that every variant of the Himeno benchmark is compared with. */
#ifndef COARRAYS_BENCH_HIMENO_CHECK_H
#define COARRAYS_BENCH_HIMENO_CHECK_H

#include "himeno.h"

struct himeno_reference {
    const int *size; /* of the grid */
    float *pressure; /* of the whole grid; memory of scope.h */
    double gosa;
};

/* The serial version's result on all images; the first one computes it. Collective. `size` must
 * stay valid. */
struct himeno_reference himeno_reference(const int size[3], int iterations, uint64_t seed);

/* Wrong inner points of a block's pressure (extent[OWN] + 2 points in each dimension), and one more
 * if gosa is wrong. */
long himeno_count_wrong(const struct himeno_block *block, const struct himeno_reference *reference,
                        const float *pressure, double gosa);

#endif
