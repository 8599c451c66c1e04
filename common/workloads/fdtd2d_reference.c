#include "fdtd2d.h"

static double ey_new(const float *ey, const float *hz, long n, long i, long j)
{
    return (double)ey[i * n + j] - 0.5 * ((double)hz[i * n + j] - (double)hz[(i - 1) * n + j]);
}

static double ex_new(const float *ex, const float *hz, long n, long i, long j)
{
    if (j == 0)
        return ex[i * n];
    return (double)ex[i * n + j] - 0.5 * ((double)hz[i * n + j] - (double)hz[i * n + j - 1]);
}

void fdtd2d_reference(const float *ex, const float *ey, const float *hz, struct fdtd2d_shape shape,
                      float *hz_new)
{
    long n = shape.n;
    for (long i = 1; i < n - 1; i++) {
        for (long j = 0; j < n - 1; j++) {
            double curl = ex_new(ex, hz, n, i, j + 1) - ex_new(ex, hz, n, i, j) +
                          ey_new(ey, hz, n, i + 1, j) - ey_new(ey, hz, n, i, j);
            hz_new[i * n + j] = (float)((double)hz[i * n + j] - 0.7 * curl);
        }
        hz_new[i * n + n - 1] = hz[i * n + n - 1];
    }
}
