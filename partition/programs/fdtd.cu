/* fdtd [N] [STEPS]: electromagnetic waves in two dimensions, three kernels a step. */
#include "program.h"

__global__ void update_ey(float *ey, const float *hz, int n, float source)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    if (y == 0)
        ey[x] = source;
    else
        ey[y * n + x] -= 0.5f * (hz[y * n + x] - hz[(y - 1) * n + x]);
}

__global__ void update_ex(float *ex, const float *hz, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n && y < n)
        ex[y * n + x] -= 0.5f * (hz[y * n + x] - hz[y * n + x - 1]);
}

__global__ void update_hz(float *hz, const float *ex, const float *ey, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n - 1 && y < n - 1)
        hz[y * n + x] -=
            0.7f * (ex[y * n + x + 1] - ex[y * n + x] + ey[(y + 1) * n + x] - ey[y * n + x]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 600), steps = argument(argc, argv, 2, 20);
    size_t count = (size_t)n * n;
    float *values = random_floats(count, 8), *ex = floats_on_device(count, values);
    float *ey = floats_on_device(count, values), *hz = floats_on_device(count, values);
    dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    begin();
    for (int step = 0; step < steps; step++) {
        update_ey<<<grid, block>>>(ey, hz, n, (float)step);
        update_ex<<<grid, block>>>(ex, hz, n);
        update_hz<<<grid, block>>>(hz, ex, ey, n);
    }
    finish("fdtd", hz, count * sizeof *hz);
    free(values);
    return 0;
}
