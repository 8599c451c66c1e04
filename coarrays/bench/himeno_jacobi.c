/* himeno_jacobi.c: one image's part of an iteration in C, and the serial version. */
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "himeno.h"

/* ---- a block of a variant ---- */

/* One line of points; the sums of squares grow by those of the line. The pointers are to its first
 * inner point; `up` and `far` are the distances to the next line and plane. */
static void relax_line(int count, size_t points, const float *restrict a, const float *restrict b,
                       const float *restrict c, const float *restrict bound,
                       const float *restrict source, const float *restrict p, ptrdiff_t up,
                       ptrdiff_t far, float *restrict next, float *restrict squares)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        const float *q = p + i;
        float sum = a[i] * q[1] + a[i + points] * q[up] + a[i + 2 * points] * q[far] +
                    b[i] * (q[1 + up] - q[1 - up] - q[-1 + up] + q[-1 - up]) +
                    b[i + points] * (q[up + far] - q[-up + far] - q[up - far] + q[-up - far]) +
                    b[i + 2 * points] * (q[1 + far] - q[-1 + far] - q[1 - far] + q[-1 - far]) +
                    c[i] * q[-1] + c[i + points] * q[-up] + c[i + 2 * points] * q[-far] + source[i];
        float correction = (sum * a[i + 3 * points] - q[0]) * bound[i];
        squares[i] += correction * correction;
        next[i] = q[0] + himeno_relaxation * correction;
    }
}

double himeno_jacobi(const struct himeno_block *block,
                     const struct himeno_coefficients *coefficients, const float *restrict pressure,
                     float *restrict next)
{
    size_t count = (size_t)block->extent[OWN][0], points = himeno_points(block->extent[OWN]);
    ptrdiff_t up = block->extent[LARGEST][0] + 2, far = up * (block->extent[LARGEST][1] + 2);
    float *squares = allocate_or_fail(count, sizeof *squares);
    double total = 0.0;
    size_t at = 0;
    for (int k = 1; k <= block->extent[OWN][2]; k++) {
        memset(squares, 0, count * sizeof *squares);
        for (int j = 1; j <= block->extent[OWN][1]; j++, at += count)
            relax_line(block->extent[OWN][0], points, coefficients->a + at, coefficients->b + at,
                       coefficients->c + at, coefficients->bound + at, coefficients->source + at,
                       pressure + himeno_offset(block, 1, j, k), up, far, next + at, squares);
        for (size_t i = 0; i < count; i++)
            total += (double)squares[i];
    }
    free(squares);
    return total;
}

void himeno_update(const struct himeno_block *block, const float *next, float *pressure)
{
    size_t count = (size_t)block->extent[OWN][0];
    for (int k = 1; k <= block->extent[OWN][2]; k++)
        for (int j = 1; j <= block->extent[OWN][1]; j++, next += count)
            memcpy(pressure + himeno_offset(block, 1, j, k), next, count * sizeof *next);
}

void himeno_spread(const struct himeno_block *block, const float *compact, float *pressure)
{
    size_t count = (size_t)block->extent[OWN][0] + 2;
    for (int k = 0; k < block->extent[OWN][2] + 2; k++)
        for (int j = 0; j < block->extent[OWN][1] + 2; j++, compact += count)
            memcpy(pressure + himeno_offset(block, 0, j, k), compact, count * sizeof *compact);
}

void himeno_compact(const struct himeno_block *block, const float *pressure, float *compact)
{
    size_t count = (size_t)block->extent[OWN][0] + 2;
    for (int k = 0; k < block->extent[OWN][2] + 2; k++)
        for (int j = 0; j < block->extent[OWN][1] + 2; j++, compact += count)
            memcpy(compact, pressure + himeno_offset(block, 0, j, k), count * sizeof *compact);
}

/* ---- the serial version ---- */

static double correction_at(const struct himeno_block *block,
                            const struct himeno_coefficients *coefficients, const double *p,
                            size_t at, int i, int j, int k)
{
    size_t points = himeno_points(block->extent[OWN]);
    const float *a = coefficients->a + at, *b = coefficients->b + at, *c = coefficients->c + at;
#define P(di, dj, dk) p[himeno_offset(block, i + (di), j + (dj), k + (dk))]
    double sum = coefficients->source[at];
    sum += a[0] * P(1, 0, 0) + c[0] * P(-1, 0, 0);
    sum += a[points] * P(0, 1, 0) + c[points] * P(0, -1, 0);
    sum += a[2 * points] * P(0, 0, 1) + c[2 * points] * P(0, 0, -1);
    sum += b[0] * (P(1, 1, 0) - P(1, -1, 0) - P(-1, 1, 0) + P(-1, -1, 0));
    sum += b[points] * (P(0, 1, 1) - P(0, -1, 1) - P(0, 1, -1) + P(0, -1, -1));
    sum += b[2 * points] * (P(1, 0, 1) - P(-1, 0, 1) - P(1, 0, -1) + P(-1, 0, -1));
    return (sum * a[3 * points] - P(0, 0, 0)) * coefficients->bound[at];
#undef P
}

static double serial_iteration(const struct himeno_block *block,
                               const struct himeno_coefficients *coefficients, const double *now,
                               double *next)
{
    double gosa = 0.0;
    size_t at = 0;
    for (int k = 1; k <= block->extent[OWN][2]; k++)
        for (int j = 1; j <= block->extent[OWN][1]; j++)
            for (int i = 1; i <= block->extent[OWN][0]; i++) {
                double correction = correction_at(block, coefficients, now, at++, i, j, k);
                size_t here = himeno_offset(block, i, j, k);
                next[here] = now[here] + (double)himeno_relaxation * correction;
                gosa += correction * correction;
            }
    return gosa;
}

double himeno_serial(const struct himeno_block *block,
                     const struct himeno_coefficients *coefficients, int iterations,
                     float *pressure)
{
    size_t points = himeno_halo_points(block->extent[OWN]);
    double *now = allocate_or_fail(points, sizeof *now);
    double *next = allocate_or_fail(points, sizeof *next);
    double gosa = 0.0;
    for (size_t i = 0; i < points; i++)
        now[i] = next[i] = (double)pressure[i];
    for (int n = 0; n < iterations; n++) {
        gosa = serial_iteration(block, coefficients, now, next);
        double *swap = now;
        now = next;
        next = swap;
    }
    for (size_t i = 0; i < points; i++)
        pressure[i] = (float)now[i];
    free(now);
    free(next);
    return gosa;
}
