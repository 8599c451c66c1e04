/* atax.c: y = A^T (A x): each row of A is multiplied by x, and the row times that number is added
 * to y, a sum over all iterations. With whole numbers it is exact in any order. */
#include "values.h"

static void multiply(int n, int chunk, float (*a)[n], float *x, float *y)
{
#pragma omp target teams distribute iterator(i = 0:n) \
    map(pipeline(i, chunk, 2), to: a[i:1][0:n]) map(to: x[0:n]) \
    map(tofrom: y[0:n]) reduction(+: y[0:n])
    for (int i = 0; i < n; i++) {
        float product = 0.0f;
#pragma omp parallel for reduction(+: product)
        for (int j = 0; j < n; j++)
            product += a[i][j] * x[j];
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            y[j] += product * a[i][j];
    }
}

int main(int count, char **words)
{
    const struct values_options options = values_options(count, words, 200, 8);
    const int n = options.size;
    float *a = values_make((size_t)n * n, 0, 1), *x = values_make((size_t)n, 1, 1);
    float *y = values_make((size_t)n, 2, 1);
    for (int time = 0; time < options.times; time++)
        multiply(n, options.chunk, (float(*)[n])a, x, y);
    values_print("atax", y, (size_t)n);
    free(a);
    free(x);
    free(y);
    return 0;
}
