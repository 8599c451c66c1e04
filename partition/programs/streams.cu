/* streams [N] [CHUNKS]: copies and kernels in several streams, events between them, memory from the
 * stream-ordered allocator, page-locked host memory. */
#include "program.h"

#define STREAMS 3

__global__ void scale(const float *in, float *out, int n, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * in[i];
}

__global__ void add(const float *in, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] += in[i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 50000), chunks = argument(argc, argv, 2, 7);
    int blocks = (n + 255) / 256;
    size_t bytes = n * sizeof(float);
    float *values = random_floats((size_t)n * chunks, 11), *host, *sum = floats_on_device(n, NULL);
    CHECK(cudaMallocHost(&host, bytes * chunks));
    for (size_t i = 0; i < (size_t)n * chunks; i++)
        host[i] = values[i];
    cudaStream_t stream[STREAMS], adding;
    cudaEvent_t done[STREAMS];
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamCreate(&stream[s]));
        CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
    }
    CHECK(cudaStreamCreateWithFlags(&adding, cudaStreamNonBlocking));
    begin();
    for (int c = 0; c < chunks; c++) {
        int s = c % STREAMS;
        float *in, *out;
        CHECK(cudaMallocAsync(&in, bytes, stream[s]));
        CHECK(cudaMallocAsync(&out, bytes, stream[s]));
        CHECK(cudaMemcpyAsync(in, host + (size_t)c * n, bytes, cudaMemcpyHostToDevice, stream[s]));
        scale<<<blocks, 256, 0, stream[s]>>>(in, out, n, (float)(c + 1));
        CHECK(cudaEventRecord(done[s], stream[s]));
        CHECK(cudaStreamWaitEvent(adding, done[s], 0));
        add<<<blocks, 256, 0, adding>>>(out, sum, n);
        CHECK(cudaStreamSynchronize(adding));
        CHECK(cudaFreeAsync(in, stream[s]));
        CHECK(cudaFreeAsync(out, stream[s]));
    }
    finish("streams", sum, bytes);
    CHECK(cudaFreeHost(host));
    free(values);
    return 0;
}
