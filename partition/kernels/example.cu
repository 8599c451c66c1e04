/* The thesis's worked example: a stencil whose accesses are in a loop and beside it. */

extern "C" __global__ void stencil_ex(const float *in, float *out, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int idy = blockIdx.y * blockDim.y + threadIdx.y;
    if (idx > 0 && idy > 0 && idx < N - 1 && idy < N - 1) {
        int id = idx + idy * N;
        float sum = 0;
        for (int i = 0; i < 3; i++)
            sum += in[id - 1 + i];
        sum += in[id - N];
        sum += in[id + N];
        out[id] = sum;
    }
}
