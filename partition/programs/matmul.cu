/* matmul [N]: C = A B by tiles in shared memory. */
#include "program.h"

#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        int k = first + threadIdx.x, l = first + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0.0f;
        tile_b[threadIdx.y][threadIdx.x] = l < n && column < n ? b[l * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 512);
    size_t count = (size_t)n * n;
    float *values = random_floats(count, 9), *a = floats_on_device(count, values);
    float *b = floats_on_device(count, values), *c = floats_on_device(count, NULL);
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    begin();
    multiply<<<grid, block>>>(a, b, c, n);
    finish("matmul", c, count * sizeof *c);
    free(values);
    return 0;
}
