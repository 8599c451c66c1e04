#include "conv2d.h"

void conv2d_reference(const float *input, float *output, size_t rows, size_t columns, size_t pitch)
{
    static const float weights[3][3] = CONV2D_WEIGHTS;
    for (size_t i = 1; i + 1 < rows; i++)
        for (size_t j = 1; j + 1 < columns; j++) {
            float sum = 0.0f;
            for (size_t di = 0; di < 3; di++)
                for (size_t dj = 0; dj < 3; dj++)
                    sum += weights[di][dj] * input[(i + di - 1) * pitch + j + dj - 1];
            output[i * pitch + j] = sum;
        }
}
