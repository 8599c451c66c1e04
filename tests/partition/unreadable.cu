/* What clang cannot compile takes away the kernels that need it, and no others: fine_* are
 * analysed, unread_* refused, gone_* left out. */

#define X ((int)(blockIdx.x * blockDim.x + threadIdx.x))

texture<float, 2> picture;

namespace inner
{
__device__ float twice(float x)
{
    const char *text = "}{"; /* } */
    return text ? 2 * x : 0;
}
__device__ float unknown(float x)
{
    return no_such_function(x);
}
} // namespace inner

/* The second one is better for an int, but cannot be read: who calls either is refused. */
__device__ int chosen(float x)
{
    return 0;
}
__device__ int chosen(int x, no_such_type y = 0)
{
    return x;
}

extern "C" __global__ void fine_before(const float *in, float *out, int n)
{
    if (X < n)
        out[X] = inner::twice(in[X]);
}

extern "C" __global__ void unread_function(const float *in, float *out, int n)
{
    if (X < n)
        out[X] = inner::unknown(in[X]);
}

extern "C" __global__ void unread_name(const float *in, float *out, int n)
{
    if (X < n)
        out[X] = in[X] + no_such_name;
}

extern "C" __global__ void unread_texture(float *out, int n)
{
    if (X < n)
        out[X] = tex2D(picture, X, 0);
}

extern "C" __global__ void unread_overload(float *out, int n)
{
    out[chosen(X)] = 1;
}

extern "C" __global__ void gone_type(no_such_type *out, int n)
{
    if (X < n)
        out[X] = 1;
}

extern "C" {
__global__ void fine_behind(const float *in, float *out, int n)
{
    if (X < n)
        out[X] = in[X];
}
}

int main(int argc, char **argv)
{
    return cudaGetDeviceCount(&argc);
}
