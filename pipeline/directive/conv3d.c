/* conv3d.c: a convolution in three dimensions with 11 points, plane by plane; the border keeps its
 * values. */
#include "values.h"

#define WEIGHT(value) (value / 76.0f)

static void convolve(int n, int chunk, float (*in)[n][n], float (*out)[n][n])
{
#pragma omp target teams distribute iterator(i = 1:n - 1) \
    map(pipeline(i, chunk, 2), to: in[i - 1:3][0:n][0:n]) \
    map(pipeline(i, chunk, 2), from: out[i:1][0:n][0:n])
    for (int i = 1; i < n - 1; i++) {
#pragma omp parallel for collapse(2)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                float sum = in[i][j][k];
                if (j > 0 && k > 0 && j < n - 1 && k < n - 1) {
                    sum = WEIGHT(-1.0f) * in[i - 1][j - 1][k - 1];
                    sum += WEIGHT(2.0f) * in[i - 1][j - 1][k + 1];
                    sum += WEIGHT(5.0f) * in[i - 1][j][k + 1];
                    sum += WEIGHT(-8.0f) * in[i - 1][j + 1][k + 1];
                    sum += WEIGHT(-3.0f) * in[i][j - 1][k];
                    sum += WEIGHT(6.0f) * in[i][j][k];
                    sum += WEIGHT(-9.0f) * in[i][j + 1][k];
                    sum += WEIGHT(21.0f) * in[i + 1][j - 1][k - 1];
                    sum += WEIGHT(4.0f) * in[i + 1][j - 1][k + 1];
                    sum += WEIGHT(7.0f) * in[i + 1][j][k + 1];
                    sum += WEIGHT(10.0f) * in[i + 1][j + 1][k + 1];
                }
                out[i][j][k] = sum;
            }
    }
}

int main(int count, char **words)
{
    const struct values_options options = values_options(count, words, 48, 4);
    const int n = options.size;
    const size_t all = (size_t)n * n * n;
    float *in = values_make(all, 0, 0), *out = values_make(all, 1, 0);
    for (int time = 0; time < options.times; time++)
        convolve(n, options.chunk, (float(*)[n][n])in, (float(*)[n][n])out);
    values_print("conv3d", out, all);
    free(in);
    free(out);
    return 0;
}
