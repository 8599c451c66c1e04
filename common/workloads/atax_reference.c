#include <stdlib.h>

#include "common/harness/exit.h"

#include "atax.h"

void atax_reference(const float *a, const float *x, struct atax_shape shape, float *y)
{
    long n = shape.n;
    double *sums = allocate_or_fail((unsigned long)n, sizeof *sums);
    for (long j = 0; j < n; j++)
        sums[j] = 0.0;
    for (long i = 0; i < n; i++) {
        double product = 0.0;
        for (long j = 0; j < n; j++)
            product += (double)a[i * n + j] * (double)x[j];
        for (long j = 0; j < n; j++)
            sums[j] += product * (double)a[i * n + j];
    }
    for (long j = 0; j < n; j++)
        y[j] = (float)sums[j];
    free(sums);
}
