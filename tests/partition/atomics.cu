/* atomics [N STEPS]: atomic operations of all kinds whose order does not count, on counters that
 * other kernels read and write in between. */
#include "partition/programs/program.h"

enum { BINS = 50 };

__global__ void count(const unsigned *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3)
        atomicAdd(&bins[in[i] % BINS], in[i] & 7);
}

__global__ void extremes(const unsigned *in, unsigned *most, int *least, unsigned long long *sum,
                         int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicMax(most, in[i]);
    atomicMin(least, (int)in[i]);
    atomicAdd(sum, (unsigned long long)in[i] << 20);
}

__global__ void bits(const unsigned *in, unsigned *all, unsigned *none, unsigned *parity, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAnd(all + i % 5, in[i] | 1u << i % 32);
    atomicOr(none + i % 5, in[i] & 1u << i % 32);
    atomicXor(parity, in[i]);
}

__global__ void mix(unsigned *in, const unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        in[i] = in[i] * 1664525u + bins[i % BINS];
}

__global__ void halve(unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[i] /= 2;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 3000), steps = argument(argc, argv, 2, 3);
    unsigned *values = (unsigned *)allocate(n * sizeof *values), first[BINS + 16] = {0};
    for (int i = 0; i < n; i++)
        values[i] = (unsigned)i * 2654435761u;
    for (int i = 0; i < 5; i++)
        first[BINS + i] = ~0u;
    unsigned *in = (unsigned *)on_device(n * sizeof *in, values);
    unsigned *bins = (unsigned *)on_device(sizeof first, first);
    unsigned *all = (unsigned *)on_device(5 * sizeof *all, &first[BINS]);
    unsigned *none = (unsigned *)on_device(5 * sizeof *none, first);
    unsigned *most = (unsigned *)on_device(sizeof *most, first);
    unsigned *parity = (unsigned *)on_device(sizeof *parity, &first[BINS]);
    int *least = (int *)on_device(sizeof *least, &n);
    unsigned long long *sum = (unsigned long long *)on_device(sizeof *sum, first);
    begin();
    for (int step = 0; step < steps; step++) {
        count<<<(n + 63) / 64, 64>>>(in, bins, n);
        extremes<<<(n + 63) / 64, 64>>>(in, most, least, sum, n);
        bits<<<(n + 63) / 64, 64>>>(in, all, none, parity, n);
        halve<<<2, 32>>>(bins, BINS);
        count<<<(n + 63) / 64, 64>>>(in, bins, n);
        mix<<<(n + 63) / 64, 64>>>(in, bins, n);
    }
    unsigned results[BINS + 16] = {0};
    CHECK(cudaMemcpy(results, bins, BINS * sizeof *bins, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&results[BINS], all, 5 * sizeof *all, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&results[BINS + 5], none, 5 * sizeof *none, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&results[BINS + 10], most, sizeof *most, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&results[BINS + 11], parity, sizeof *parity, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&results[BINS + 12], least, sizeof *least, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&results[BINS + 13], sum, sizeof *sum, cudaMemcpyDeviceToHost));
    void *end = on_device(sizeof results, results);
    finish("atomics", end, sizeof results);
    free(values);
    return 0;
}
