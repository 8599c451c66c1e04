/* Names that CUDA knows without a header: fine_* can be split. */

#define X ((int)(blockIdx.x * blockDim.x + threadIdx.x))

extern "C" __global__ void fine_names(const uint *in, float *out, int n)
{
    if (X < n) {
        const uint *none = NULL;
        assert(in != none);
        out[X] = max(1.0f * in[X], 2.0) + warpSize + X / warpSize;
    }
}

extern "C" __global__ void fine_functions(const uint *in, uint *out, int n)
{
    if (X < n) {
        float sine, cosine;
        __sincosf(1.0f, &sine, &cosine);
        out[X] = umin(in[X], 3u) + __byte_perm(in[X], in[X], 0x123) +
                 __funnelshift_l(in[X], in[X], 3) + (uint)sine;
    }
}

extern "C" __global__ void fine_atomic_of_unsigned(uint *out, int n)
{
    if (X < n)
        atomicAdd(&out[0], 1);
}

template <class T> __global__ void fine_template(const T *in, T *out, int n)
{
    if (X < n)
        out[X] = in[X];
}
template __global__ void fine_template<float>(const float *, float *, int);
