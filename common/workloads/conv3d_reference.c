#include "conv3d.h"

static const struct point {
    long di, dj, dk;
    float weight;
} points[] = {
#define CONV3D_POINT(di, dj, dk, weight) {di, dj, dk, weight},
    CONV3D_POINTS(CONV3D_POINT)
#undef CONV3D_POINT
};

/* One row, point by point. */
static void convolve_row(const struct conv3d_shape *shape, const float *input, float *output,
                         long i, long j)
{
    float *row = output + (i * shape->rows + j) * shape->columns;
    for (long k = 1; k < shape->columns - 1; k++)
        row[k] = 0.0f;
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        const struct point *point = &points[p];
        float weight = point->weight / CONV3D_MAGNITUDE;
        const float *from =
            input + ((i + point->di) * shape->rows + j + point->dj) * shape->columns + point->dk;
        for (long k = 1; k < shape->columns - 1; k++)
            row[k] += weight * from[k];
    }
}

void conv3d_reference(const void *shape, const float *input, float *output)
{
    const struct conv3d_shape *grid = shape;
    for (long i = 1; i < grid->planes - 1; i++)
        for (long j = 0; j < grid->rows; j++) {
            long row = (i * grid->rows + j) * grid->columns;
            if (j > 0 && j < grid->rows - 1) {
                convolve_row(grid, input, output, i, j);
                output[row] = input[row];
                output[row + grid->columns - 1] = input[row + grid->columns - 1];
            } else {
                for (long k = 0; k < grid->columns; k++)
                    output[row + k] = input[row + k];
            }
        }
}
