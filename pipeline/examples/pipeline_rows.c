/* pipeline_rows.c: a loop of one's own that pipelinecc moves to the GPU: each row of a matrix is
 * divided by the sum of its magnitudes. It is C as any other: gcc pipeline_rows.c makes a program
 * that computes the same without a GPU.
 *
 * Build: pipelinecc -O2 pipeline_rows.c -o pipeline_rows
 * Run: ./pipeline_rows
 * Prints: 2000 rows, 0 wrong */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 2000, COLUMNS = 500 };

// clang-format off
static void normalise(int rows, int columns, float (*from)[columns], float (*to)[columns])
{
#pragma omp target teams distribute iterator(i = 0:rows) \
    map(pipeline(i, 100, 2), to: from[i:1][0:columns]) \
    map(pipeline(i, 100, 2), from: to[i:1][0:columns])
    for (int i = 0; i < rows; i++) {
        float sum = 0.0f;
#pragma omp parallel for reduction(+: sum)
        for (int j = 0; j < columns; j++)
            sum += fabsf(from[i][j]);
#pragma omp parallel for
        for (int j = 0; j < columns; j++)
            to[i][j] = from[i][j] / sum;
    }
}
// clang-format on

int main(void)
{
    float(*from)[COLUMNS] = malloc(ROWS * sizeof *from), (*to)[COLUMNS] = malloc(ROWS * sizeof *to);
    int wrong = 0;
    if (!from || !to)
        return 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            from[i][j] = (float)((i + j) % 7 - 3);
    normalise(ROWS, COLUMNS, from, to);
    for (int i = 0; i < ROWS; i++) {
        float sum = 0.0f;
        for (int j = 0; j < COLUMNS; j++)
            sum += fabsf(to[i][j]);
        wrong += fabsf(sum - 1.0f) > 1e-4f;
    }
    printf("%d rows, %d wrong\n", ROWS, wrong);
    free(from);
    free(to);
    return wrong != 0;
}
