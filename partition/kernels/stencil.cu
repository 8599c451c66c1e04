/* Stencils on an N x N grid; the border keeps its values. */

/* Five points, in the thesis's order of operations: seven of them for five elements. */
static __device__ float five_points(const float *in, int id, int N)
{
    float result = in[id - N];
    result += in[id + N];
    result += in[id - 1];
    result += in[id + 1];
    result += -4.0f * in[id];
    result *= 0.24f;
    result += in[id];
    result = result > 127.0f ? 127.0f : result;
    result = result < 0.0f ? 0.0f : result;
    return result;
}

extern "C" __global__ void stencil5p(const float *in, float *out, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < N - 1 && y < N - 1) {
        int id = x + y * N;
        out[id] = five_points(in, id, N);
    }
}

/* The rows from first to last - 1 alone, for the program that is written for several GPUs. */
extern "C" __global__ void stencil5p_rows(const float *in, float *out, int N, int first, int last)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y + first;
    if (x > 0 && x < N - 1 && y < last) {
        int id = x + y * N;
        out[id] = five_points(in, id, N);
    }
}

/* Nine points: a cross with arms of two elements (fourth-order Laplacian), so that two rows are
 * exchanged with each neighbour instead of one. */
extern "C" __global__ void stencil9p(const float *in, float *out, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 1 && y > 1 && x < N - 2 && y < N - 2) {
        int id = x + y * N;
        float near = in[id - N];
        near += in[id + N];
        near += in[id - 1];
        near += in[id + 1];
        float far = in[x + (y - 2) * N];
        far += in[x + (y + 2) * N];
        far += in[id - 2];
        far += in[id + 2];
        float result = 16.0f * near - far - 60.0f * in[id];
        result *= 0.015f;
        result += in[id];
        result = result > 127.0f ? 127.0f : result;
        result = result < 0.0f ? 0.0f : result;
        out[id] = result;
    }
}
