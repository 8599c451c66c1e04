/* Kernels whose arguments are not plain arrays of floats: split_* can be split. */

#define X ((int)(blockIdx.x * blockDim.x + threadIdx.x))

struct particle {
    float x, y, z, mass;
};

__constant__ float weights[8];
__device__ float results[64];

extern "C" __global__ void split_double(const double *in, double *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void split_bytes(const unsigned char *in, unsigned char *out, int n)
{
    if (X < n)
        out[X] = in[X] + 1;
}

extern "C" __global__ void split_long(const long long *in, short *out, int n)
{
    if (X < n)
        out[X] = (short)in[n - 1 - X];
}

extern "C" __global__ void split_rows_of_16(const float (*in)[16], float (*out)[16], int n)
{
    if (X < n)
        for (int j = 0; j < 16; j++)
            out[X][j] = in[X][j];
}

extern "C" __global__ void split_constant_memory(const float *in, float *out, int n)
{
    if (X < n) {
        float sum = 0;
        for (int k = 0; k < 8; k++)
            sum += weights[k] * in[X + k];
        out[X] = sum;
    }
}

extern "C" __global__ void split_in_place(float *a, float factor, double offset, int n)
{
    if (X < n)
        a[X] = a[X] * factor + (float)offset;
}

extern "C" __global__ void refused_device_variable(const float *in, int n)
{
    if (X < n)
        results[X] = in[X];
}

extern "C" __global__ void split_loaded_bound(float *a, const int *__restrict__ bound)
{
    if (X < bound[0])
        a[X] = 1;
}

extern "C" __global__ void refused_pointers(float **rows, int n)
{
    if (X < n)
        rows[X][0] = 1;
}

extern "C" __global__ void split_members(const struct particle *in, struct particle *out, int n)
{
    if (X < n)
        out[X].x = in[X].mass;
}

extern "C" __global__ void split_two_types(float *a, int n)
{
    if (X < n) {
        ((int *)a)[X] = 1;
        ((double *)a)[X + n] = 2;
    }
}

extern "C" __global__ void split_vectors(const float4 *in, double2 *out, int n)
{
    if (X < n) {
        float4 v = in[X];
        out[X] = make_double2(v.x + v.y, v.z + v.w);
    }
}

extern "C" __global__ void split_functions(const int *in, float *out, int n)
{
    if (X < n) {
        float sine, cosine;
        sincosf((float)__popc((unsigned)__ldg(&in[X + 1])), &sine, &cosine);
        out[X] = expm1f(sine) * cosine;
    }
}

extern "C" __global__ void refused_clock(long long *out, int n)
{
    if (X < n)
        out[X] = clock64();
}

extern "C" __global__ void refused_print(const float *in, float *out, int n)
{
    if (X < n) {
        printf("%g\n", in[X]);
        out[X] = in[X];
    }
}
