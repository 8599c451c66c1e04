/* graph [N] [STEPS]: a captured graph, whose kernels run on one device, between launches that are
 * split; managed memory, and a kernel with more shared memory than is allowed unasked. */
#include "program.h"

#define SHARED_BYTES (64 << 10)

__global__ void step(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 0.5f * in[i] + 1.0f;
}

__global__ void reverse_blocks(const float *in, float *out, int n)
{
    extern __shared__ float part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = part[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 51200), steps = argument(argc, argv, 2, 4);
    int blocks = (n + 255) / 256;
    float *values = random_floats(n, 13), *a = floats_on_device(n, values);
    float *b = floats_on_device(n, NULL), *managed;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t program;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocManaged(&managed, n * sizeof *managed));
    CHECK(cudaFuncSetAttribute(reverse_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               SHARED_BYTES));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    step<<<blocks, 256, 0, stream>>>(a, b, n);
    CHECK(cudaMemcpyAsync(a, b, n * sizeof *a, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&program, graph, 0));
    begin();
    for (int i = 0; i < steps; i++) {
        reverse_blocks<<<blocks, 256, SHARED_BYTES>>>(a, b, n);
        step<<<blocks, 256>>>(b, a, n);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaGraphLaunch(program, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    step<<<blocks, 256>>>(a, managed, n);
    CHECK(cudaDeviceSynchronize());
    finish_host("graph", managed, n * sizeof *managed);
    free(values);
    return 0;
}
