#include "bench_residency.h"

/* Ticks of clock64(): a second or more on any GPU. Those of the software GPU are nanoseconds, and
 * its blocks are threads of a machine that may be busy. */
#if defined(SOFTGPU)
static const long long longest_wait = 60000000000ll;
#else
static const long long longest_wait = 4000000000ll;
#endif

__global__ void meet(unsigned *arrived, unsigned *met)
{
    if (threadIdx.x > 0)
        return;
    const long long start = clock64();
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned *)arrived < gridDim.x) {
        if (clock64() - start > longest_wait)
            return;
        __nanosleep(100);
    }
    atomicAdd(met, 1u);
}

__global__ void chase_all(struct residency_chase chase)
{
    const long threads = (long)gridDim.x * blockDim.x;
    for (long chain = (long)blockIdx.x * blockDim.x + threadIdx.x; chain < chase.chains;
         chain += threads) {
        unsigned place = chase.place[chain];
        for (long step = 0; step < chase.steps; step++)
            place = chase.next[place];
        chase.place[chain] = place;
    }
}

__global__ void sum_all(struct residency_chase chase, unsigned *sum)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    unsigned part = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < chase.entries; i += threads)
        part += chase.next[i];
    atomicAdd(sum, part);
}

cudaError_t residency_meet(int blocks, int threads, unsigned *arrived, unsigned *met,
                           cudaStream_t stream)
{
    dm_launch_cooperative(meet, (unsigned)blocks, (unsigned)threads, 0, stream, arrived, met);
    return cudaGetLastError();
}

cudaError_t residency_meet_limit(int threads, int *blocks)
{
    int device, per_multiprocessor, multiprocessors;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess)
        result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (result == cudaSuccess)
        result =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, meet, threads, 0);
    *blocks = result == cudaSuccess ? per_multiprocessor * multiprocessors : 0;
    return result;
}

cudaError_t residency_chase(const struct residency_chase *chase, cudaStream_t stream)
{
    dm_launch_cooperative(chase_all, (unsigned)chase->blocks, (unsigned)chase->threads, 0, stream,
                          *chase);
    return cudaGetLastError();
}

cudaError_t residency_sum(const struct residency_chase *chase, unsigned *sum, cudaStream_t stream)
{
    dm_launch_cooperative(sum_all, (unsigned)chase->blocks, (unsigned)chase->threads, 0, stream,
                          *chase, sum);
    return cudaGetLastError();
}
