#include "conv2d.h"

void conv2d_reference(const void *shape, const float *input, float *output)
{
    static const float weights[3][3] = CONV2D_WEIGHTS;
    const struct conv2d_shape *grid = shape;
    long columns = grid->columns;
    for (long i = 1; i < grid->rows - 1; i++) {
        float *row = output + i * columns;
        row[0] = row[columns - 1] = 0.0f;
        for (long j = 1; j < columns - 1; j++) {
            float sum = 0.0f;
            for (long di = -1; di <= 1; di++)
                for (long dj = -1; dj <= 1; dj++)
                    sum += weights[di + 1][dj + 1] * input[(i + di) * columns + j + dj];
            row[j] = sum;
        }
    }
}
