/* fdtd2d.c: a time step of a finite-difference method in four loops, of which the last reads what
 * the first two have written. Their results never leave the device: `alloc`. */
#include "values.h"

static void step(int n, int chunk, float (*ex)[n], float (*ey)[n], float (*hz)[n],
                 float (*ey_new)[n], float (*ex_new)[n], float (*hz_new)[n])
{
#pragma omp target teams distribute iterator(i = 1:n - 1) \
    map(pipeline(i, chunk, 2), to: ex[i:1][0:n], ey[i:2][0:n], hz[i - 1:3][0:n]) \
    map(pipeline(i, chunk, 2), alloc: ey_new[i:2][0:n], ex_new[i:1][0:n]) \
    map(pipeline(i, chunk, 2), from: hz_new[i:1][0:n])
    for (int i = 1; i < n - 1; i++) {
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            ey_new[i + 1][j] = ey[i + 1][j] - 0.5f * (hz[i + 1][j] - hz[i][j]);
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            if (i == 1) /* the others find what the iteration before has written */
                ey_new[i][j] = ey[i][j] - 0.5f * (hz[i][j] - hz[i - 1][j]);
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            ex_new[i][j] = ex[i][j] - 0.5f * (j > 0 ? hz[i][j] - hz[i][j - 1] : 0.0f);
#pragma omp parallel for
        for (int j = 0; j < n; j++) {
            float curl = 0.0f;
            if (j < n - 1)
                curl = ex_new[i][j + 1] - ex_new[i][j] + ey_new[i + 1][j] - ey_new[i][j];
            hz_new[i][j] = hz[i][j] - 0.7f * curl;
        }
    }
}

int main(int count, char **words)
{
    const struct values_options options = values_options(count, words, 300, 16);
    const int n = options.size;
    const size_t all = (size_t)n * n;
    float *arrays[6];
    for (int a = 0; a < 6; a++)
        arrays[a] = values_make(all, (unsigned)a, 0);
    for (int time = 0; time < options.times; time++)
        step(n, options.chunk, (float(*)[n])arrays[0], (float(*)[n])arrays[1],
             (float(*)[n])arrays[2], (float(*)[n])arrays[3], (float(*)[n])arrays[4],
             (float(*)[n])arrays[5]);
    values_print("fdtd2d", arrays[5], all);
    for (int a = 0; a < 6; a++)
        free(arrays[a]);
    return 0;
}
