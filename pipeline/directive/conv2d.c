/* conv2d.c: a 3 x 3 convolution by the second form of the directive: one kernel whose thread blocks
 * also copy, CHUNK of them in each direction. The border is 0. */
#include "values.h"

static void convolve(int rows, int columns, int blocks, float (*input)[columns],
                     float (*output)[columns])
{
#pragma omp target teams distribute iterator(i = 1:rows - 1) \
    map(pipeline(i, to, blocks): input[i - 1:3][0:columns]) \
    map(pipeline(i, from, blocks): output[i:1][0:columns])
    for (int i = 1; i < rows - 1; i++) {
#pragma omp parallel for
        for (int j = 0; j < columns; j++) {
            float sum = 0.0f;
            if (j > 0 && j < columns - 1) {
                sum += 0.2f * input[i - 1][j - 1];
                sum += 0.5f * input[i - 1][j];
                sum += -0.8f * input[i - 1][j + 1];
                sum += -0.3f * input[i][j - 1];
                sum += 0.6f * input[i][j];
                sum += -0.9f * input[i][j + 1];
                sum += 0.4f * input[i + 1][j - 1];
                sum += 0.7f * input[i + 1][j];
                sum += 0.1f * input[i + 1][j + 1];
            }
            output[i][j] = sum;
        }
    }
}

int main(int count, char **words)
{
    const struct values_options options = values_options(count, words, 300, 1);
    const int n = options.size;
    const size_t all = (size_t)n * n;
    float *input = values_make(all, 0, 0), *output = values_make(all, 1, 0);
    for (int time = 0; time < options.times; time++)
        convolve(n, n, options.chunk, (float(*)[n])input, (float(*)[n])output);
    values_print("conv2d", output, all);
    free(input);
    free(output);
    return 0;
}
