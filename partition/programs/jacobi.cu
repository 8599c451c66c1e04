/* jacobi [N] [STEPS]: five-point stencil on N x N, two arrays that change places. */
#include "program.h"

__global__ void jacobi(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        out[y * n + x] = in[y * n + x];
    else
        out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                                  in[(y + 1) * n + x]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1000), steps = argument(argc, argv, 2, 20);
    size_t count = (size_t)n * n;
    float *values = random_floats(count, 1), *in = floats_on_device(count, values);
    float *out = floats_on_device(count, NULL);
    dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    begin();
    for (int step = 0; step < steps; step++) {
        jacobi<<<grid, block>>>(in, out, n);
        float *swapped = in;
        in = out;
        out = swapped;
    }
    finish("jacobi", in, count * sizeof *in);
    free(values);
    return 0;
}
