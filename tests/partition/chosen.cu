/* Arrays that are chosen by a condition. nvcc makes selp of the pointers. */
#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, ...)                                                                          \
    extern "C" __global__ void name(const float *left, const float *right, float *out,             \
                                    float *other, __VA_ARGS__)

/* By an argument. */
KERNEL(by_argument, int n, int which)
{
    const float *from = which ? left : right;
    int i = X;
    if (i < n)
        out[i] = from[i] + from[n - 1 - i];
}

/* By the thread. */
KERNEL(by_thread, int n)
{
    int i = X;
    const float *from = i < n / 2 ? left : right;
    if (i < n)
        out[i] = from[i];
}

/* By what was read. */
KERNEL(by_data, int n)
{
    int i = X;
    if (i < n) {
        const float *from = left[i] > 0 ? left : right;
        out[i] = from[n - 1 - i];
    }
}

/* One of three. */
KERNEL(of_three, int n, int which)
{
    int i = X;
    const float *from = which == 1 ? left : which == 2 ? right : other;
    if (i < n)
        out[i] = from[i];
}

KERNEL(refused_written, int n, int which)
{
    float *to = which ? out : other;
    int i = X;
    if (i < n)
        to[i] = left[i];
}

KERNEL(refused_both, int n, int which)
{
    int i = X;
    float *to = left[i] > 0 ? out : other;
    if (i < n)
        to[i] += right[i];
}
