/* transpose [N] [STEPS]: tiles through shared memory. */
#include "program.h"

#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < n && y + i < n)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < n && y + i < n)
            out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1000), steps = argument(argc, argv, 2, 3);
    size_t count = (size_t)n * n;
    float *values = random_floats(count, 5), *in = floats_on_device(count, values);
    float *out = floats_on_device(count, NULL);
    dim3 block(TILE, ROWS), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    begin();
    for (int step = 0; step < steps; step++) {
        transpose<<<grid, block>>>(in, out, n);
        float *swapped = in;
        in = out;
        out = swapped;
    }
    finish("transpose", in, count * sizeof *in);
    free(values);
    return 0;
}
