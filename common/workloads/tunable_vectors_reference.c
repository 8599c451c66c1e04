#include "tunable_vectors.h"

void gesummv_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    size_t n = tunable->size;
    const float *x = arrays[GESUMMV_X];
    for (size_t i = 0; i < n; i++) {
        const float *a = arrays[GESUMMV_A] + i * n, *b = arrays[GESUMMV_B] + i * n;
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += ((double)TUNABLE_ALPHA * (double)a[j] + (double)TUNABLE_BETA * (double)b[j]) *
                   (double)x[j];
        arrays[GESUMMV_Y][i] = (float)sum;
    }
}

/* x = x + A y, where A[i][j] is a[i * row + j * column]. */
static void add_product(const float *a, size_t row, size_t column, const float *y, float *x,
                        size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double sum = (double)x[i];
        for (size_t j = 0; j < n; j++)
            sum += (double)a[i * row + j * column] * (double)y[j];
        x[i] = (float)sum;
    }
}

void mvt_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    size_t n = tunable->size;
    add_product(arrays[MVT_A], n, 1, arrays[MVT_Y1], arrays[MVT_X1], n);
    add_product(arrays[MVT_A], 1, n, arrays[MVT_Y2], arrays[MVT_X2], n);
}
