/* heat3d [N] [STEPS]: seven-point stencil on N x N x N. */
#include "program.h"

__global__ void heat(const float *in, float *out, int n, float rate)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
        return;
    float middle = in[(z * n + y) * n + x];
    float around = in[(z * n + y) * n + x - 1] + in[(z * n + y) * n + x + 1] +
                   in[(z * n + y - 1) * n + x] + in[(z * n + y + 1) * n + x] +
                   in[((z - 1) * n + y) * n + x] + in[((z + 1) * n + y) * n + x];
    out[(z * n + y) * n + x] = middle + rate * (around - 6.0f * middle);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 96), steps = argument(argc, argv, 2, 10);
    size_t count = (size_t)n * n * n;
    float *values = random_floats(count, 2), *in = floats_on_device(count, values);
    float *out = floats_on_device(count, values);
    dim3 block(32, 4, 2), grid((n + 31) / 32, (n + 3) / 4, (n + 1) / 2);
    begin();
    for (int step = 0; step < steps; step++) {
        heat<<<grid, block>>>(in, out, n, 0.1f);
        float *swapped = in;
        in = out;
        out = swapped;
    }
    finish("heat3d", in, count * sizeof *in);
    free(values);
    return 0;
}
