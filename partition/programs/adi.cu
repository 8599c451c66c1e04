/* adi [N] [STEPS]: alternating directions, a thread for each row and then for each column. */
#include "program.h"

__global__ void along_rows(const float *in, float *out, int n)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= n)
        return;
    float carried = 0.0f;
    for (int x = 0; x < n; x++) {
        carried = 0.5f * carried + in[y * n + x];
        out[y * n + x] = carried;
    }
}

__global__ void along_columns(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    float carried = 0.0f;
    for (int y = 0; y < n; y++) {
        carried = 0.5f * carried + 0.25f * in[y * n + x];
        out[y * n + x] = carried;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 512), steps = argument(argc, argv, 2, 5);
    size_t count = (size_t)n * n;
    float *values = random_floats(count, 4), *a = floats_on_device(count, values);
    float *b = floats_on_device(count, NULL);
    begin();
    for (int step = 0; step < steps; step++) {
        along_rows<<<(n + 63) / 64, 64>>>(a, b, n);
        along_columns<<<(n + 63) / 64, 64>>>(b, a, n);
    }
    finish("adi", a, count * sizeof *a);
    free(values);
    return 0;
}
