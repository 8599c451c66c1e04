/* reduction [N]: block sums by a template, an occupancy query for the block size. */
#include "program.h"

#define BLOCK 256

template <typename number> __global__ void sum_blocks(const number *in, number *sums, int n)
{
    __shared__ number part[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : number(0);
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 300000), resident = 0;
    float *values = random_floats(n, 12), *in = floats_on_device(n, values), *out;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_blocks<float>, BLOCK, 0));
    if (resident < 1)
        return 1;
    begin();
    while (n > 1) {
        int blocks = (n + BLOCK - 1) / BLOCK;
        out = floats_on_device(blocks, NULL);
        sum_blocks<<<blocks, BLOCK>>>(in, out, n);
        CHECK(cudaFree(in));
        in = out;
        n = blocks;
    }
    finish("reduction", in, sizeof *in);
    free(values);
    return 0;
}
