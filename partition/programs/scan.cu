/* scan [N]: inclusive prefix sums of N integers, block by block and then over the blocks. */
#include "program.h"

#define BLOCK 256

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums, int n)
{
    __shared__ unsigned part[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < BLOCK; distance *= 2) {
        unsigned before = threadIdx.x >= distance ? part[threadIdx.x - distance] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
        __syncthreads();
    }
    if (i < n)
        out[i] = part[threadIdx.x];
    if (threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = part[BLOCK - 1];
}

__global__ void scan_sums(unsigned *sums, int count)
{
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        unsigned value = sums[i];
        sums[i] = sum;
        sum += value;
    }
}

__global__ void add_sums(unsigned *out, const unsigned *sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] += sums[blockIdx.x];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 100000), blocks = (n + BLOCK - 1) / BLOCK;
    unsigned *values = (unsigned *)allocate(n * sizeof *values);
    for (int i = 0; i < n; i++)
        values[i] = (unsigned)i * 2654435761u >> 20;
    unsigned *in = (unsigned *)on_device(n * sizeof *in, values);
    unsigned *out = (unsigned *)on_device(n * sizeof *out, NULL);
    unsigned *sums = (unsigned *)on_device(blocks * sizeof *sums, NULL);
    begin();
    scan_blocks<<<blocks, BLOCK>>>(in, out, sums, n);
    scan_sums<<<1, 1>>>(sums, blocks);
    add_sums<<<blocks, BLOCK>>>(out, sums, n);
    finish("scan", out, n * sizeof *out);
    free(values);
    return 0;
}
