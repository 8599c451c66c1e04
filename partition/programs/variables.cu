/* variables [N] [STEPS]: coefficients in __constant__ memory and a __device__ array that the host
 * writes and reads, and kernels use. */
#include "program.h"

#define WIDTH  5
#define BIASES 64

__constant__ float coefficients[WIDTH];
__device__ float bias[BIASES];

__global__ void filter(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = bias[i % BIASES];
    for (int k = 0; k < WIDTH; k++) {
        int at = i + k - WIDTH / 2;
        if (at >= 0 && at < n)
            sum += coefficients[k] * in[at];
    }
    out[i] = sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 100000), steps = argument(argc, argv, 2, 6);
    float *values = random_floats(n, 10), *in = floats_on_device(n, values);
    float *out = floats_on_device(n, NULL), read[BIASES], weights[WIDTH];
    CHECK(cudaMemcpyToSymbol(bias, values, sizeof read));
    begin();
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < WIDTH; k++)
            weights[k] = 0.1f * (float)(k + step);
        CHECK(cudaMemcpyToSymbol(coefficients, weights, sizeof weights));
        filter<<<(n + 127) / 128, 128>>>(in, out, n);
        CHECK(cudaMemcpyFromSymbol(read, bias, sizeof read));
        for (int i = 0; i < BIASES; i++)
            read[i] *= 0.5f;
        CHECK(cudaMemcpyToSymbol(bias, read, sizeof read));
        float *swapped = in;
        in = out;
        out = swapped;
    }
    finish("variables", in, n * sizeof *in);
    free(values);
    return 0;
}
