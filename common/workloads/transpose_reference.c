#include "transpose.h"

/* In squares, as otherwise large matrices would take a cache miss per element. */
void transpose_reference(const void *shape, const float *input, float *output)
{
    const struct transpose_shape *matrix = shape;
    enum { SIDE = 16 };
    for (long i0 = 0; i0 < matrix->rows; i0 += SIDE)
        for (long j0 = 0; j0 < matrix->columns; j0 += SIDE)
            for (long i = i0; i < i0 + SIDE && i < matrix->rows; i++)
                for (long j = j0; j < j0 + SIDE && j < matrix->columns; j++)
                    output[j * matrix->rows + i] = input[i * matrix->columns + j];
}
