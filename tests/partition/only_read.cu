/* only_read [N STEPS]: kernels that read variables of the module which only the host writes, and
 * others that kernels may write. */
#include "partition/programs/program.h"

#define OFFSETS 64

__device__ int offsets[OFFSETS] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int written[OFFSETS], escaped[4] = {2, 7, 1, 8}, named[4] = {3, 1, 4, 1};
__device__ int *kept, *begin_with = named;
__device__ int updated[4];

__global__ void add_offsets(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + offsets[(unsigned)i % OFFSETS];
}

/* One variable or the other, by an address that is chosen. */
__global__ void add_chosen(const int *in, int *out, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int *from = which ? offsets + 1 : offsets;
    if (i < n)
        out[i] = in[i] + from[i & 31];
}

__global__ void add_to(int *to, int by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] += by;
}

__global__ void refused_write(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < OFFSETS)
        written[i] += i + 1;
}

__global__ void refused_written(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + written[(unsigned)i % OFFSETS];
}

__global__ void refused_keep(int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        kept = escaped;
}

__global__ void refused_escaped(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + escaped[i & 3];
}

/* Another variable begins with its address. */
__global__ void refused_named(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + named[i & 3];
}

__global__ void refused_begin(int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        begin_with[0] = n;
}

__global__ void refused_atomic(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = updated[i & 3];
}

__global__ void refused_update(int n)
{
    atomicAdd(&updated[threadIdx.x & 3], n);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1000), steps = argument(argc, argv, 2, 3), *in, *out, *address;
    int *values = (int *)allocate(n * sizeof *values), of_host[OFFSETS];
    for (int i = 0; i < n; i++)
        values[i] = i;
    CHECK(cudaMalloc(&in, n * sizeof *in));
    CHECK(cudaMalloc(&out, n * sizeof *out));
    CHECK(cudaMemcpy(in, values, n * sizeof *in, cudaMemcpyHostToDevice));
    begin();
    int blocks = (n + 63) / 64;
    for (int step = 0; step < steps; step++) {
        add_offsets<<<blocks, 64>>>(in, out, n);
        refused_write<<<blocks, 64>>>(n);
        refused_written<<<blocks, 64>>>(out, in, n);
        CHECK(cudaMemcpyFromSymbol(of_host, offsets, sizeof of_host));
        for (int i = 0; i < OFFSETS; i++)
            of_host[i] += i * step;
        CHECK(cudaMemcpyToSymbol(offsets, of_host, sizeof of_host));
        add_chosen<<<blocks, 64>>>(in, out, n, step & 1);
        CHECK(cudaGetSymbolAddress((void **)&address, offsets));
        add_to<<<1, OFFSETS>>>(address, step + 1, OFFSETS);
        add_offsets<<<blocks, 64>>>(out, in, n);
    }
    finish("only_read", in, n * sizeof *in);
    free(values);
    return 0;
}
