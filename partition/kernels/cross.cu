/* Two kernels, of which the second reads what neighbours wrote in the first. */

extern "C" __global__ void cross_write(float *out, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        out[id] = id;
}

extern "C" __global__ void cross_read(const float *in, float *out, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float sum = in[id];
        if (id > 0)
            sum += in[id - 1];
        if (id < n - 1)
            sum += in[id + 1];
        out[id] = sum;
    }
}
