/* Kernels whose split depends on the shape of their launch. */

/* Right for blocks of 8 x 8: with others, blocks write the same elements. */
extern "C" __global__ void tiles(const float *in, float *out, int n)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = in[x * n + y] + 1;
}

/* Only blocks along x differ in what they write. */
extern "C" __global__ void along_x(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n && threadIdx.y == 0)
        out[x] = in[x] + gridDim.y;
}

/* Which elements are written depends on data: it runs on one device. */
extern "C" __global__ void places(const int *index, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[index[i]] = in[i];
}
