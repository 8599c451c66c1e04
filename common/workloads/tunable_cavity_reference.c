#include "tunable_cavity.h"

/* First and second differences of a field in a point, in cells. */
struct differences {
    double x, y, laplacian;
};

static struct differences differences(const float *field, size_t n, size_t at)
{
    double east = (double)field[at + 1], west = (double)field[at - 1];
    double north = (double)field[at + n], south = (double)field[at - n];
    return (struct differences){(east - west) / 2.0, (north - south) / 2.0,
                                east - 2.0 * (double)field[at] + west + north -
                                    2.0 * (double)field[at] + south};
}

static void step_interior(size_t n, float *const *arrays)
{
    const double courant = (double)CAVITY_COURANT, diffusion = (double)CAVITY_DIFFUSION;
    for (size_t i = 1; i + 1 < n; i++)
        for (size_t j = 1; j + 1 < n; j++) {
            size_t at = i * n + j;
            double u = (double)arrays[CAVITY_U][at], v = (double)arrays[CAVITY_V][at];
            struct differences du = differences(arrays[CAVITY_U], n, at);
            struct differences dv = differences(arrays[CAVITY_V], n, at);
            struct differences dp = differences(arrays[CAVITY_P], n, at);
            arrays[CAVITY_U_NEW][at] =
                (float)(u - courant * (u * du.x + v * du.y + dp.x) + diffusion * du.laplacian);
            arrays[CAVITY_V_NEW][at] =
                (float)(v - courant * (u * dv.x + v * dv.y + dp.y) + diffusion * dv.laplacian);
            arrays[CAVITY_P_NEW][at] =
                (float)((double)arrays[CAVITY_P][at] -
                        courant * (double)CAVITY_SQUARED_SPEED * (du.x + dv.y));
        }
}

/* Columns first: a corner then gets the pressure of its row's neighbour, which is the interior's.
 */
static void set_border(float *const *arrays, size_t at, size_t inner, float u)
{
    arrays[CAVITY_U_NEW][at] = u;
    arrays[CAVITY_V_NEW][at] = 0.0f;
    arrays[CAVITY_P_NEW][at] = arrays[CAVITY_P_NEW][inner];
}

void ldc_tunable_reference(const struct tunable *tunable, float *const *arrays)
{
    size_t n = tunable->size, last = n - 1;
    step_interior(n, arrays);
    for (size_t i = 1; i < last; i++) {
        set_border(arrays, i * n, i * n + 1, 0.0f);
        set_border(arrays, i * n + last, i * n + last - 1, 0.0f);
    }
    for (size_t j = 0; j < n; j++) {
        set_border(arrays, j, n + j, 0.0f);
        set_border(arrays, last * n + j, (last - 1) * n + j, CAVITY_LID);
    }
}
