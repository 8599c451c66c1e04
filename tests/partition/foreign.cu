/* foreign.cu: volatile memory of a block, by which threads communicate without a barrier: what is
 * read there may be another thread's, whatever its size and whoever wrote before. Pointers in
 * structures, which PTX shows and the source's analysis refuses. */
#define X                 (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, ...) extern "C" __global__ void name(const float *in, float *out, __VA_ARGS__)

KERNEL(last_steps, int n)
{
    __shared__ float part[64];
    volatile float *v = part;
    int t = threadIdx.x, i = X;
    part[t] = i < n ? in[i] : 0;
    part[t + 32] = 0;
    __syncthreads();
    for (int s = 16; s > 0; s /= 2)
        v[t] += v[t + s];
    if (t == 0)
        out[blockIdx.x] = v[0];
}

KERNEL(wide, int n)
{
    __shared__ volatile double v[64];
    int t = threadIdx.x, i = X;
    v[t] = 1.0;
    if (i < n)
        out[i] = in[i] * (float)v[t ^ 1];
}

KERNEL(small, int n)
{
    __shared__ volatile unsigned char v[64];
    int t = threadIdx.x, i = X;
    v[t] = (unsigned char)n;
    if (i < n)
        out[i] = in[i] * v[t ^ 1];
}

/* Another thread may have moved the place. */
KERNEL(refused_place, int n)
{
    __shared__ volatile int place[64];
    int t = threadIdx.x, i = X;
    place[t] = i;
    if (t < n)
        place[t ^ 1] = i;
    out[place[t]] = in[i];
}

KERNEL(whole_place, int n)
{
    __shared__ volatile int place[64];
    int t = threadIdx.x, i = X;
    place[t] = i;
    if (t < n)
        place[t ^ 1] = i;
    out[i] = in[place[t]];
}

struct pair {
    float factor;
    const float *from;
    float *to;
};

/* Pointers in a structure. */
extern "C" __global__ void members(struct pair pair, int n)
{
    int i = X;
    if (i < n)
        pair.to[i] = pair.factor * (pair.from[i] + pair.from[n - 1 - i]);
}

/* Blocks communicate. */
KERNEL(refused_blocks, int n)
{
    volatile float *v = out;
    if (X < n)
        v[X] = in[X];
}
