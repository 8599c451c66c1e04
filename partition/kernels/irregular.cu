/* Kernels whose accesses depend on data or are not affine. Only gather can be split, if every part
 * is assumed to read everything. */

extern "C" __global__ void scatter(const int *index, const float *in, float *out, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        out[index[id]] = in[id];
}

extern "C" __global__ void gather(const int *index, const float *in, float *out, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        out[id] = in[index[id]];
}

extern "C" __global__ void square(float *out, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        out[id * id] = 1.0f;
}

extern "C" __global__ void conditional(const float *in, float *out, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n && in[id] > 0)
        out[id] = in[id];
}

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        atomicAdd(&bins[in[id]], 1);
}

extern "C" __global__ void grid_stride(float a, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] += a * x[i];
}
