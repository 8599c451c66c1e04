// Instructions that ordinary programs use seldom: halves, bytes, clocks, sums of a warp.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void halves(const __half2 *in, __half2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __hfma2(in[i], __hadd2(in[i], in[i]), __hmul2(in[i], __hneg2(in[i])));
}

extern "C" __global__ void brains(const __nv_bfloat16 *in, __nv_bfloat16 *out, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += __bfloat162float(in[k]);
    sums[i] = sum;
    out[i] = __hmul(__float2bfloat16(sum), __habs(in[i]));
}

// CUDA's own function declares registers as `.reg.b16` and compares with `set`.
extern "C" __global__ void logarithms(const __half *in, __half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = hlog2(in[i]);
}

// All bits or none, 1 or 0.
extern "C" __global__ void sets(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, below;
    float is_one;
    asm("set.lt.u32.s32 %0, %1, 9;" : "=r"(below) : "r"(i));
    asm("set.eq.f32.s32 %0, %1, 1;" : "=f"(is_one) : "r"(i));
    if (i < n && below < 0)
        out[i] = in[i] + (int)is_one;
}

// The bytes of the number of a thread say where it writes.
extern "C" __global__ void bytes(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __byte_perm(in[i], i, 0x4321) + __clz(in[i]);
}

// Of what a clock says nothing is known: not that it is the same at two moments.
extern "C" __global__ void any_place(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[(int)clock() & 1023] = i;
}

extern "C" __global__ void waits(const int *in, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64(), now = start;
    while (now - start < n)
        now = clock64();
    if (i < n)
        out[i] = now - start + in[i];
}

extern "C" __global__ void later(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64();
    int value = i < n ? in[i] : 0;
    if (i < n && clock64() - start > value)
        out[i] = value;
}

extern "C" __global__ void may_be_none(const int *in, const int *more, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = more == nullptr ? 0 : more[blockIdx.x];
    if (i < n)
        out[i] = value + in[i];
}

extern "C" __global__ void refused_unless_given(const int *in, const int *more, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && more != nullptr)
        out[i] = in[i] + more[i];
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void warps(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = __reduce_add_sync(~0u, in[i]);
    if (i < n && sum > 4000)
        out[i] = sum;
}
#endif
