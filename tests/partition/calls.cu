/* Kernels with functions that nvcc leaves where they are, so that PTX has calls: put in their
 * place, they are what stands here. Those called refused_* run on one device. */
#define X                 (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, ...) extern "C" __global__ void name(__VA_ARGS__)
#define APART             static __device__ __noinline__

APART float weigh(float value, int by)
{
    return by > 3 ? value * by : value / 3;
}

APART int place(int row, int column, int width)
{
    return row * width + column;
}

APART void put(float *to, int at, float value)
{
    if (value > -1000.0f)
        to[at] = value;
    else
        to[at] = weigh(value, at);
}

struct pair {
    double first;
    int second;
};

APART struct pair make_pair(double first, int second)
{
    return {first * first, second + 1};
}

APART float sum_to(const float *from, int count)
{
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += from[k];
    return sum;
}

APART int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

typedef float operation(float value, int by);

APART float twice(float value, int by)
{
    return 2 * value + by;
}

__device__ operation *const operations[] = {weigh, twice};

KERNEL(value, const float *in, float *out, int n)
{
    int i = X;
    if (i < n)
        out[i] = weigh(in[i], n) + weigh(in[i], 1);
}

KERNEL(indexed, const float *in, float *out, int n)
{
    int i = X;
    if (i < n)
        out[place(i, 0, 3)] = in[place(i, 1, 2)];
}

KERNEL(pointer, const float *in, float *out, int n)
{
    int i = X;
    if (i < n)
        put(out, i, in[i + 1]);
}

KERNEL(structure, const double *in, double *out, int n)
{
    int i = X;
    if (i < n) {
        struct pair made = make_pair(in[i], i);
        out[made.second] = made.first;
    }
}

KERNEL(predicated, const float *in, float *out, int n, int m)
{
    int i = X;
    float value = 1;
    if (m > 7)
        value = weigh(value, m);
    if (i < n)
        out[i] = value;
}

KERNEL(sum, const float *in, float *out, int n, int m)
{
    int i = X;
    if (i < n)
        out[i] = sum_to(in, m);
}

KERNEL(refused_recursion, const float *in, float *out, int n)
{
    int i = X;
    if (i < n)
        out[i] = fibonacci(n);
}

KERNEL(refused_pointer, const float *in, float *out, int n)
{
    int i = X;
    if (i < n)
        out[i] = operations[n & 1](in[i], n);
}
