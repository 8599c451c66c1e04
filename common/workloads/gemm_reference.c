#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "gemm.h"

void gemm_reference(const float *a, const float *b, const float *c, struct gemm_shape shape,
                    float *expected)
{
    long n = shape.n;
    double *sums = allocate_or_fail((unsigned long)n, sizeof *sums);
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++)
            sums[j] = 0.0;
        for (long k = 0; k < n; k++)
            for (long j = 0; j < n; j++)
                sums[j] += (double)a[i * n + k] * (double)b[k * n + j];
        for (long j = 0; j < n; j++)
            expected[i * n + j] =
                (float)(shape.alpha * sums[j] + (c ? shape.beta * (double)c[i * n + j] : 0.0));
    }
    free(sums);
}

static double *random_signs(long n)
{
    enum { SEED = 0x5167 };
    double *signs = allocate_or_fail((unsigned long)n, sizeof *signs);
    for (long j = 0; j < n; j++)
        signs[j] = random_bits(SEED, (uint64_t)j) & 1 ? 1.0 : -1.0;
    return signs;
}

/* Four sums, as one would wait for each addition before the next. */
static double dot(const float *row, const double *vector, long n)
{
    double sums[4] = {0};
    long j = 0;
    for (; j + 4 <= n; j += 4)
        for (long s = 0; s < 4; s++)
            sums[s] += (double)row[j + s] * vector[j + s];
    for (; j < n; j++)
        sums[0] += (double)row[j] * vector[j];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

void gemm_expected_sums(const float *a, const float *b, const float *c, struct gemm_shape shape,
                        float *expected)
{
    long n = shape.n;
    double *signs = random_signs(n);
    double *b_signs = allocate_or_fail((unsigned long)n, sizeof *b_signs);
    for (long k = 0; k < n; k++)
        b_signs[k] = dot(b + k * n, signs, n);
    for (long i = 0; i < n; i++)
        expected[i] = (float)(shape.alpha * dot(a + i * n, b_signs, n) +
                              (c ? shape.beta * dot(c + i * n, signs, n) : 0.0));
    free(b_signs);
    free(signs);
}

long gemm_wrong_sums(const float *c, const float *expected, struct gemm_shape shape)
{
    long n = shape.n, wrong = 0;
    double *signs = random_signs(n);
    double tolerance = 0.5 * FLT_EPSILON * (double)n * sqrt((double)n);
    for (long i = 0; i < n; i++)
        wrong += !(fabs(dot(c + i * n, signs, n) - (double)expected[i]) <= tolerance);
    free(signs);
    return wrong;
}
