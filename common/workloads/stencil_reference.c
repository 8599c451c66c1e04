#include "stencil.h"

static float point(const struct stencil_shape *shape, const float *input, long i, long j, long k)
{
    long row = shape->columns, plane = shape->rows * shape->columns;
    const float *centre = input + i * plane + j * row + k;
    if (j == 0 || k == 0 || j == shape->rows - 1 || k == shape->columns - 1)
        return *centre;
    float neighbours =
        centre[-plane] + centre[plane] + centre[-row] + centre[row] + centre[-1] + centre[1];
    return STENCIL_C1 * neighbours - STENCIL_C0 * *centre;
}

void stencil_reference(const void *shape, const float *input, float *output)
{
    const struct stencil_shape *grid = shape;
    for (long i = 1; i < grid->planes - 1; i++)
        for (long j = 0; j < grid->rows; j++)
            for (long k = 0; k < grid->columns; k++)
                output[(i * grid->rows + j) * grid->columns + k] = point(grid, input, i, j, k);
}
