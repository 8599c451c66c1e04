/* gemm.c: C = alpha A B + beta C, in panels of 32 columns of B and C, which are no contiguous
 * memory. */
#include "values.h"

enum { PANEL = 32 };

static void multiply(int n, int chunk, float alpha, float beta, float (*a)[n], float (*b)[n],
                     float (*c)[n])
{
#pragma omp target teams distribute iterator(j = 0:n:PANEL) \
    map(to: a[0:n][0:n]) map(pipeline(j, chunk, 2), to: b[0:n][j:PANEL]) \
    map(pipeline(j, chunk, 2), tofrom: c[0:n][j:PANEL])
    for (int j = 0; j < n; j += PANEL) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int column = j; column < j + PANEL; column++) {
                float sum = 0.0f;
                for (int k = 0; k < n; k++)
                    sum += a[i][k] * b[k][column];
                c[i][column] = alpha * sum + beta * c[i][column];
            }
    }
}

int main(int count, char **words)
{
    const struct values_options options = values_options(count, words, 128, 1);
    const int n = (options.size + PANEL - 1) / PANEL * PANEL;
    const size_t all = (size_t)n * n;
    float *a = values_make(all, 0, 0), *b = values_make(all, 1, 0), *c = values_make(all, 2, 0);
    for (int time = 0; time < options.times; time++)
        multiply(n, options.chunk, 1.5f, 0.5f, (float(*)[n])a, (float(*)[n])b, (float(*)[n])c);
    values_print("gemm", c, all);
    free(a);
    free(b);
    free(c);
    return 0;
}
