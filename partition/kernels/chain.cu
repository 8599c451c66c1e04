/* A pipeline of two kernels on a vector. */

/* Mean of three neighbours; the ends keep their values. */
extern "C" __global__ void chain_smooth(const float *in, float *out, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id > 0 && id < n - 1)
        out[id] = (in[id - 1] + in[id] + in[id + 1]) / 3.0f;
}

extern "C" __global__ void chain_scale(const float *in, float *out, float factor, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        out[id] = factor * in[id];
}
