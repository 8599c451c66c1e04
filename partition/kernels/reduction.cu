/* Sum of a vector. */

/* One step of the halving: the program calls it until one element is left. */
extern "C" __global__ void reduce_step(float *out, const float *in, int half)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < half)
        out[id] = in[id] + in[id + half];
}

/* One sum for each block, in shared memory. The block is a power of two of at most 256 threads. */
extern "C" __global__ void reduce_block(float *out, const float *in, int n)
{
    __shared__ float sums[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    sums[t] = id < n ? in[id] : 0.0f;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k)
            sums[t] += sums[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
