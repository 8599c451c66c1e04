/* lu [N]: LU decomposition without pivoting, two kernels for each column. */
#include "program.h"

__global__ void scale_column(float *a, int n, int k)
{
    int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        a[row * n + k] /= a[k * n + k];
}

__global__ void update_rest(float *a, int n, int k)
{
    int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n)
        a[row * n + column] -= a[row * n + k] * a[k * n + column];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 200);
    size_t count = (size_t)n * n;
    float *values = random_floats(count, 3);
    for (int i = 0; i < n; i++)
        values[(size_t)i * n + i] += (float)n;
    float *a = floats_on_device(count, values);
    dim3 block(32, 8);
    begin();
    for (int k = 0; k < n - 1; k++) {
        int rest = n - k - 1;
        scale_column<<<(rest + 127) / 128, 128>>>(a, n, k);
        update_rest<<<dim3((rest + 31) / 32, (rest + 7) / 8), block>>>(a, n, k);
    }
    finish("lu", a, count * sizeof *a);
    free(values);
    return 0;
}
