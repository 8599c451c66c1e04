#include "pooling.h"

void pooling_reference(const void *shape, const float *input, float *output)
{
    const struct pooling_shape *grid = shape;
    long width = 2 * grid->columns;
    for (long i = 0; i < grid->rows; i++)
        for (long j = 0; j < grid->columns; j++) {
            float largest = input[2 * i * width + 2 * j];
            for (long di = 0; di < 2; di++)
                for (long dj = 0; dj < 2; dj++) {
                    float value = input[(2 * i + di) * width + 2 * j + dj];
                    largest = value > largest ? value : largest;
                }
            output[i * grid->columns + j] = largest;
        }
}
