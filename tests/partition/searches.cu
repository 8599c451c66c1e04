/* Loops that write nothing and only decide a condition, by what they read. */
#define X                 (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, ...) extern "C" __global__ void name(const float *in, float *out, __VA_ARGS__)

/* Which value is written. */
KERNEL(value, int n, int above)
{
    int i = X, j = 0;
    if (i >= n)
        return;
    while (j < n && in[j] * 100 <= above)
        j++;
    out[i] = j < n ? in[i] : 0;
}

/* Whether anything is written. */
KERNEL(guard, int n, int above)
{
    int i = X, j = 0;
    if (i >= n)
        return;
    while (j < n && in[j] * 100 <= above)
        j++;
    if (j < n)
        out[i] = 1;
}

/* Each thread's own row, left by a break. */
KERNEL(row, int n, int above)
{
    int i = X;
    if (i >= n)
        return;
    bool found = false;
    for (int j = 0; j < n; j++)
        if (in[i * n + j] * 100 > above) {
            found = true;
            break;
        }
    if (found)
        out[i] = 1;
}

/* One search within another. */
KERNEL(nested, int n, int above)
{
    int i = X, j = 0, k = 0;
    if (i >= n)
        return;
    for (; j < n && k < n; j++)
        for (k = 0; k < n && in[j] + in[k] <= above; k++)
            ;
    if (j < n)
        out[i] = 1;
}

KERNEL(refused_place, int n, int above)
{
    int i = X, j = 0;
    if (i >= n)
        return;
    while (j < n && in[j] * 100 <= above)
        j++;
    out[i + j] = 1;
}

KERNEL(refused_length, int n, int above)
{
    int i = X;
    if (i < n)
        for (int j = 0; j < n && in[j] * 100 <= above; j++)
            out[i * n + j] = 1;
}
