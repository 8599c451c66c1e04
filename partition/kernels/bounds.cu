/* What the thesis says of widths and bounds: a row of N elements can be analysed, one of N + 1
 * cannot; an affine bound can, a square cannot. */

extern "C" __global__ void row_width(float *out, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y < N)
        out[x + N * y] = 1.0f;
}

extern "C" __global__ void row_width_plus_one(float *out, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y < N)
        out[x + (N + 1) * y] = 1.0f;
}

extern "C" __global__ void bound_affine(float *out, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y <= x)
        out[x + N * y] = 1.0f;
}

extern "C" __global__ void bound_square(float *out, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y < N && y <= x * x)
        out[x + N * y] = 1.0f;
}
