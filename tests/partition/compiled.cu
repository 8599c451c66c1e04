/* Kernels of which nvcc makes something else than what stands here: loops of four turns at a time
 * with a loop for the rest, before or behind it, comparisons without signs, products for quotients.
 */
#define X                 (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, ...) extern "C" __global__ void name(const float *in, float *out, __VA_ARGS__)

KERNEL(rows, int n)
{
    int i = X;
    if (i < n)
        for (int j = 0; j < n; j++)
            out[i * n + j] = in[j * n + i];
}

KERNEL(triangle, int n)
{
    int i = X;
    if (i < n)
        for (int j = 0; j <= i; j++)
            out[i * n + j] = j;
}

KERNEL(eliminate, int n, int k)
{
    int i = X;
    if (i > k && i < n)
        for (int j = k + 1; j < n; j++)
            out[i * n + j] -= in[i * n + k] * out[k * n + j];
}

KERNEL(product, int n)
{
    int x = X, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (x >= n || y >= n)
        return;
    for (int k = 0; k < n; k++)
        sum += in[y * n + k] * in[k * n + x];
    out[y * n + x] = sum;
}

KERNEL(inner, int n)
{
    int i = X;
    if (i >= 1 && i < 28)
        out[i * n] = in[i - 1] + in[i + 1];
}

KERNEL(outer, int n)
{
    int i = X;
    if (i < n && (i < 3 || i > 20))
        out[i] = in[i];
}

KERNEL(sweep, int n)
{
    int i = X;
    if (i < n)
        for (int j = 1; j < 32; j++)
            out[i * 32 + j] = out[i * 32 + j - 1] + in[j];
}

KERNEL(thirds, int n)
{
    int i = X;
    if (i < n)
        out[i] = in[i / 3] + in[i % 5] + in[i / 7 * 2];
}

KERNEL(interleaved, unsigned n)
{
    unsigned i = X;
    if (i < n)
        out[i / 10 * 20 + i % 10] = in[i / 100];
}

__device__ inline unsigned lane()
{
    unsigned number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    return number;
}

KERNEL(votes, int n)
{
    int i = X;
    float value = i < n ? in[i] : 0;
    bool any = __any_sync(~0u, value > 0.5f) || __syncthreads_or(value > 2);
    float other = __shfl_down_sync(~0u, value, 1);
    if (i < n)
        out[i] = any + other + __saturatef(value) + __popc(__ballot_sync(~0u, value > 0)) + lane();
}

struct extent {
    float factor;
    short unused;
    int width, height;
};

KERNEL(window, extent of)
{
    int x = X, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < of.width && y < of.height)
        out[y * of.width + x] = of.factor * (in[y * of.width + x] + in[x]);
}

/* The diagonal block of an LU decomposition. nvcc computes i & 3 behind a branch to where the loop
 * over j is left, and once more there. */
KERNEL(decompose, int n, int first)
{
    enum { SIDE = 16 };
    __shared__ float tile[SIDE][SIDE];
    int at = first * n + first;
    for (int i = 0; i < SIDE; i++, at += n)
        tile[i][threadIdx.x] = out[at + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < SIDE - 1; i++) {
        if (threadIdx.x > i) {
            for (int j = 0; j < i; j++)
                tile[threadIdx.x][i] -= tile[threadIdx.x][j] * tile[j][i];
            tile[threadIdx.x][i] /= tile[i][i];
        }
        __syncthreads();
        if (threadIdx.x > i)
            for (int j = 0; j < i + 1; j++)
                tile[i + 1][threadIdx.x] -= tile[i + 1][j] * tile[j][threadIdx.x];
        __syncthreads();
    }
    at = (first + 1) * n + first;
    for (int i = 1; i < SIDE; i++, at += n)
        out[at + threadIdx.x] = tile[i][threadIdx.x];
}
