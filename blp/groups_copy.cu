#include "groups_copy.h"

#include <datamotion/blp_copy.h>
#include <datamotion/blp_signals.h>

/* A piece, as blp_copy_in and blp_copy_out treat it. */
static inline __device__ void copy_piece(char *to, const char *from, long vectors, const char *host,
                                         bool in, unsigned *words)
{
    if (threadIdx.x == 0 && !in)
        blp_await_word(&words[0], 0u, BLP_READ_VOLATILE);
    __syncthreads();
    blp_copy_vectors<uint4>(to, from, vectors, host);
    __syncthreads();
    if (threadIdx.x == 0 && in) {
        __threadfence();
        atomicAdd(&words[1], 1u);
    }
}

static __global__ void copy_both_ways(char *host_in, char *device_in, char *host_out,
                                      char *device_out, long vectors, int in_blocks,
                                      unsigned *words, long long *begin_ns, long long *end_ns)
{
    const long size = sizeof(uint4), share = BLP_BATCHES * BLP_LOADS * (long)blockDim.x;
    bool in = (int)blockIdx.x < in_blocks;
    long blocks = in ? in_blocks : (long)gridDim.x - in_blocks;
    long block = in ? blockIdx.x : (long)blockIdx.x - in_blocks;
    char *to = in ? device_in : host_out, *host = in ? host_in : host_out;
    const char *from = in ? host_in : device_out;
    if (threadIdx.x == 0)
        begin_ns[blockIdx.x] = blp_now_ns();
    for (long first = block * share; first < vectors; first += blocks * share)
        copy_piece(to + first * size, from + first * size,
                   vectors - first < share ? vectors - first : share, host + first * size, in,
                   words);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        end_ns[blockIdx.x] = blp_now_ns();
    }
}

cudaError_t groups_copy(void *host_in, void *device_in, void *host_out, void *device_out,
                        size_t bytes, int in_blocks, int out_blocks, int threads, unsigned *words,
                        long long *begin_ns, long long *end_ns, cudaStream_t stream)
{
    dm_launch(copy_both_ways, dim3((unsigned)(in_blocks + out_blocks)), dim3((unsigned)threads), 0,
              stream, (char *)host_in, (char *)device_in, (char *)host_out, (char *)device_out,
              (long)(bytes / sizeof(uint4)), in_blocks, words, begin_ns, end_ns);
    return cudaGetLastError();
}
