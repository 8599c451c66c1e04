/* A variable of the module that one kernel writes, which must run on one device, and another one
 * reads through a pointer. */
__device__ float table[5000];

extern "C" __global__ void fill_table(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[i] = i + 1;
}

extern "C" __global__ void copy_table(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
