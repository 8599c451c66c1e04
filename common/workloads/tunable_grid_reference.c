#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "conv2d.h"
#include "conv3d.h"
#include "tunable_grid.h"

/* Calls the reference for a whole array and keeps the `slice` elements of each computed slice. */
static void compute(in_out_reference *reference, const void *shape, size_t n, size_t slice,
                    float *const *arrays)
{
    float *whole = allocate_or_fail(n * slice, sizeof *whole);
    reference(shape, arrays[IN_OUT_INPUT], whole);
    for (size_t i = 1; i < n - 1; i++)
        memcpy(arrays[IN_OUT_OUTPUT] + i % (n - 2) * slice, whole + i * slice,
               slice * sizeof *whole);
    free(whole);
}

void conv2d_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    struct conv2d_shape shape = {(long)tunable->size, (long)tunable->size};
    compute(conv2d_reference, &shape, tunable->size, tunable->size, arrays);
}

void conv3d_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    long n = (long)tunable->size;
    struct conv3d_shape shape = {n, n, n};
    compute(conv3d_reference, &shape, tunable->size, tunable->size * tunable->size, arrays);
}

/* The weighted sum of the 27 points around `at`, each with the weight of its distance. */
static double epcc_sum(const float *at, long n)
{
    static const double weights[] = {EPCC_POINT, EPCC_FACE, EPCC_EDGE, EPCC_CORNER};
    double sum = 0.0;
    for (long di = -1; di <= 1; di++)
        for (long dj = -1; dj <= 1; dj++)
            for (long dk = -1; dk <= 1; dk++)
                sum += weights[labs(di) + labs(dj) + labs(dk)] * at[(di * n + dj) * n + dk];
    return sum;
}

static void epcc_reference(const void *shape, const float *input, float *output)
{
    long n = ((const struct epcc_shape *)shape)->n;
    for (long i = 1; i < n - 1; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++) {
                long at = (i * n + j) * n + k;
                bool interior = j > 0 && j < n - 1 && k > 0 && k < n - 1;
                output[at] = interior ? (float)epcc_sum(input + at, n) : input[at];
            }
}

void epcc_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    struct epcc_shape shape = {(long)tunable->size};
    compute(epcc_reference, &shape, tunable->size, tunable->size * tunable->size, arrays);
}
