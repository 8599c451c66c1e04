/* histogram [N]: atomic counts between kernels that read and write other memory. */
#include "program.h"

#define BINS 256

__global__ void square(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}

__global__ void count(const float *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[min((int)(in[i] * BINS), BINS - 1)], 1u);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 100000);
    float *values = random_floats(n, 6), *in = floats_on_device(n, values);
    float *out = floats_on_device(n, NULL);
    unsigned *bins = (unsigned *)on_device(BINS * sizeof *bins, NULL);
    begin();
    for (int step = 0; step < 3; step++) {
        square<<<(n + 255) / 256, 256>>>(in, out, n);
        count<<<(n + 255) / 256, 256>>>(out, bins, n);
        square<<<(n + 255) / 256, 256>>>(out, in, n);
    }
    finish("histogram", bins, BINS * sizeof *bins);
    free(values);
    return 0;
}
