// soft_device_test.cu: what kernels may call on the software GPU.
//
// Kernels write what they see into ordinary memory; the checks compare it with what CUDA promises.
#include "tests/unit/test.h"

#include "soft_fake_runtime.h"

namespace cg = cooperative_groups;

// ---- indices, arguments ----

__global__ void write_indices(unsigned *out)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] += block * 1000 + thread;
}

static void test_grid_3d(void)
{
    unsigned out[2 * 3 * 4 * 5 * 3 * 2] = {};
    dm_launch(write_indices, dim3(2, 3, 4), dim3(5, 3, 2), 0, 0, out);
    expect(outcome == SOFT_OK);
    for (unsigned i = 0; i < 24 * 30; i++)
        expect(out[i] == i / 30 * 1000 + i % 30);
}

struct wide {
    double values[6];
};

template <class T, int factor> __global__ void store_arguments(T *out, float a, wide b, long long c)
{
    out[threadIdx.x] = (T)(a + b.values[5] + (double)c) * factor;
}

static void test_arguments(void)
{
    double out[4] = {};
    wide b = {{0, 0, 0, 0, 0, 0.25}};
    dm_launch((store_arguments<double, 2>), 1, 4, 0, 0, out, 1, b, 40); // 1 and 40 are int here
    b.values[5] = 99;
    for (double value : out)
        expect(value == 82.5);
}

static int no_argument_calls;
__global__ void no_arguments()
{
    atomicAdd(&no_argument_calls, 1);
}

static void test_no_arguments(void)
{
    dm_launch(no_arguments, 7, dim3(1, 1, 3), 0, 0);
    expect(no_argument_calls == 21);
}

// ---- warps ----

__global__ void shuffles(float *f, int *i, unsigned *u, long long *l, double *d)
{
    unsigned t = threadIdx.x;
    f[t] = __shfl_sync(~0u, (float)t + 0.5f, 3);
    i[t] = __shfl_up_sync(~0u, -(int)t, 2);
    u[t] = __shfl_down_sync(~0u, t << 28, 1, 8);
    l[t] = __shfl_xor_sync(~0u, (long long)t << 40, 5);
    d[t] = __shfl_sync(~0u, t / 4.0, 9, 4); // wraps to 1 in each segment of 4
}

static void test_shuffles(void)
{
    float f[64];
    int i[64];
    unsigned u[64];
    long long l[64];
    double d[64];
    dm_launch(shuffles, 1, 64, 0, 0, f, i, u, l, d);
    expect(outcome == SOFT_OK);
    for (unsigned t = 0; t < 64; t++) {
        expect(f[t] == (float)(t / 32 * 32 + 3) + 0.5f);
        expect(i[t] == -(int)(t % 32 < 2 ? t : t - 2));
        expect(u[t] == (t % 8 == 7 ? t : t + 1) << 28);
        expect(l[t] == (long long)(t ^ 5) << 40);
        expect(d[t] == (t / 4 * 4 + 1) / 4.0);
    }
}

__global__ void narrow_xor(int *out)
{
    // Across a segment's end the own value stays; the first lane of the mask may look back.
    out[threadIdx.x] = __shfl_xor_sync(~0u, (int)threadIdx.x, 8, 8);
}

static void test_narrow_xor(void)
{
    int out[32];
    dm_launch(narrow_xor, 1, 32, 0, 0, out);
    for (int t = 0; t < 32; t++)
        expect(out[t] == ((t ^ 8) > (t | 7) ? t : (t ^ 8)));
}

__global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x;
    unsigned ballot = __ballot_sync(~0u, lane % 5 == 0);
    unsigned any = (unsigned)__any_sync(~0u, lane == 31) + 2u * (unsigned)__any_sync(~0u, 0);
    unsigned all = (unsigned)__all_sync(~0u, 1) + 2u * (unsigned)__all_sync(~0u, lane != 4);
    unsigned half = lane < 16 ? __ballot_sync(0xffffu, lane & 1) : __ballot_sync(0xffff0000u, 1);
    out[lane] = ballot;
    out[32 + lane] = any * 10 + all;
    out[64 + lane] = half;
    out[96 + lane] = __activemask();
}

static void test_votes(void)
{
    unsigned out[128];
    dm_launch(votes, 1, 32, 0, 0, out);
    for (unsigned lane = 0; lane < 32; lane++) {
        expect(out[lane] == 0x42108421u);
        expect(out[32 + lane] == 11);
        expect(out[64 + lane] == (lane < 16 ? 0xaaaau : 0xffff0000u));
        expect(out[96 + lane] >> lane & 1);
    }
}

__global__ void syncwarp_exchange(int *out)
{
    __shared__ int cell[40];
    cell[threadIdx.x] = (int)threadIdx.x + 1;
    if (threadIdx.x >= 36)
        return; // the second warp has 8 lanes, 4 of which leave
    __syncwarp();
    unsigned first = threadIdx.x & ~31u, lanes = first ? 4 : 32;
    out[threadIdx.x] = cell[first + (threadIdx.x - first + 1) % lanes];
}

static void test_syncwarp(void)
{
    int out[36] = {};
    dm_launch(syncwarp_exchange, 1, 40, 0, 0, out);
    expect(outcome == SOFT_OK);
    for (int t = 0; t < 36; t++)
        expect(out[t] == (t < 32 ? (t + 1) % 32 + 1 : 32 + (t - 31) % 4 + 1));
}

__global__ void sum_by_shuffles(const int *in, int *out)
{
    int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

static void test_warp_reduction(void)
{
    static int in[4096];
    int sum = 0, expected = 0;
    for (int i = 0; i < 4096; i++)
        expected += in[i] = i * 7 % 1001;
    dm_launch(sum_by_shuffles, 16, 256, 0, 0, in, &sum);
    expect(sum == expected);
}

// ---- atomics ----

struct atomic_cells {
    int i[10];
    unsigned u[12];
    unsigned long long l[9];
    long long ll[2];
    float f[3];
    double d[2];
};

__global__ void atomics(atomic_cells *c, int *old_sum)
{
    int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned v = (unsigned)t;
    atomicAdd(old_sum, atomicAdd(&c->i[0], 1)); // the old values are 0, 1, ..., n - 1
    atomicSub(&c->i[1], 2);
    atomicMin(&c->i[2], -t);
    atomicMax(&c->i[3], t);
    atomicAnd(&c->i[4], ~(1 << t % 8));
    atomicOr(&c->i[5], 1 << t % 8);
    atomicXor(&c->i[6], 1 << t % 8);
    atomicAdd(&c->i[7], atomicExch(&c->i[8], 1));
    while (atomicCAS(&c->i[9], t, t + 1) != t)
        ;
    atomicAdd_system(&c->u[0], 3u);
    atomicSub_block(&c->u[1], 1);
    atomicMin(&c->u[2], v);
    atomicMax_system(&c->u[3], v);
    atomicAnd(&c->u[4], ~(1u << v % 8));
    atomicOr_block(&c->u[5], 1u << v % 8);
    atomicXor(&c->u[6], 1u << v % 8);
    atomicInc(&c->u[7], 9);
    atomicDec(&c->u[8], 9);
    atomicAdd(&c->u[9], atomicExch(&c->u[10], 1u));
    atomicCAS(&c->u[11], 5u, 6u);
    atomicAdd(&c->l[0], 1ull << 33);
    atomicMin(&c->l[1], 7ull + v);
    atomicMax(&c->l[2], v + (1ull << 40));
    atomicAnd(&c->l[3], ~(1ull << 35));
    atomicOr(&c->l[4], 1ull << v % 64);
    atomicXor(&c->l[5], 1ull << 36);
    atomicAdd(&c->l[6], atomicExch(&c->l[7], 1ull));
    atomicCAS_system(&c->l[8], 0ull, 1ull << 50);
    atomicMin(&c->ll[0], -(long long)t);
    atomicMax(&c->ll[1], (long long)t);
    atomicAdd(&c->f[0], 0.5f);
    atomicAdd(&c->f[1], atomicExch(&c->f[2], 1.0f));
    atomicAdd_block(&c->d[0], 0.25);
    atomicAdd_system(&c->d[1], -1.0);
}

static void test_atomics(void)
{
    const int n = 400;
    atomic_cells c = {};
    int old_sum = 0;
    c.i[4] = 0x3ff;
    c.u[1] = n;
    c.u[2] = ~0u;
    c.u[4] = 0x1ff;
    c.u[11] = 5;
    c.l[1] = ~0ull;
    c.l[3] = ~0ull;
    dm_launch(atomics, 10, n / 10, 0, 0, &c, &old_sum);
    expect(outcome == SOFT_OK);
    expect(c.i[0] == n && old_sum == n * (n - 1) / 2 && c.i[1] == -2 * n);
    expect(c.i[2] == 1 - n && c.i[3] == n - 1 && c.i[4] == 0x300 && c.i[5] == 0xff);
    expect(c.i[6] == 0 && c.i[7] == n - 1 && c.i[8] == 1 && c.i[9] == n);
    expect(c.u[0] == 3 * n && c.u[1] == 0 && c.u[2] == 0 && c.u[3] == n - 1);
    expect(c.u[4] == 0x100 && c.u[5] == 0xff && c.u[6] == 0 && c.u[7] == n % 10);
    expect(c.u[8] == 0 && c.u[9] == n - 1 && c.u[11] == 6);
    expect(c.l[0] == (unsigned long long)n << 33 && c.l[1] == 7);
    expect(c.l[2] == (1ull << 40) + n - 1 && c.l[3] == ~(1ull << 35) && c.l[4] == ~0ull);
    expect(c.l[5] == 0 && c.l[6] == n - 1 && c.l[8] == 1ull << 50);
    expect(c.ll[0] == 1 - n && c.ll[1] == n - 1);
    expect(c.f[0] == n / 2 && c.f[1] == n - 1 && c.d[0] == n / 4 && c.d[1] == -n);
}

// ---- groups ----

__global__ void groups(unsigned *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    auto small = cg::tiled_partition<2>(tile);
    unsigned rank = block.thread_rank(), bad = 0;
    bad |= rank != threadIdx.y * blockDim.x + threadIdx.x || block.size() != 64;
    bad |= block.group_index().x != blockIdx.x || block.thread_index().y != threadIdx.y;
    bad |= tile.size() != 8 || tile.thread_rank() != rank % 8;
    bad |= tile.meta_group_rank() != rank / 8 || tile.meta_group_size() != 8;
    bad |= (unsigned)(tile.shfl(rank, 2) != rank / 8 * 8 + 2) << 1;
    bad |= (unsigned)(tile.shfl_up(rank, 1) != (rank % 8 ? rank - 1 : rank)) << 2;
    bad |= (unsigned)(tile.shfl_down(rank, 3) != (rank % 8 < 5 ? rank + 3 : rank)) << 3;
    bad |= (unsigned)(tile.shfl_xor(rank, 4) != (rank ^ 4)) << 4;
    bad |= (unsigned)(tile.ballot(rank % 8 == 6) != 1u << 6) << 5;
    bad |= (unsigned)(tile.any(rank % 8 == 1) != true || tile.any(0)) << 6;
    bad |= (unsigned)(tile.all(1) != true || tile.all(rank % 8)) << 7;
    bad |= (unsigned)(small.shfl_xor(rank, 1) != (rank ^ 1)) << 8;
    __shared__ unsigned cell[64];
    cell[rank] = rank;
    tile.sync();
    bad |= (unsigned)(cell[rank ^ 7] != (rank ^ 7)) << 9;
    block.sync();
    bad |= (unsigned)(cell[63 - rank] != 63 - rank) << 10;
    out[blockIdx.x * 64 + rank] = bad + 1;
}

static void test_groups(void)
{
    unsigned out[128] = {};
    dm_launch(groups, 2, dim3(16, 4), 0, 0, out);
    expect(outcome == SOFT_OK);
    for (unsigned value : out)
        expect(value == 1);
}

// ---- arithmetic ----

static void expect_value(int number, double value, double expected)
{
    if (fabs(value - expected) > 1e-6 * fabs(expected)) {
        printf("# value %d is %.17g, not %.17g\n", number, value, expected);
        test_failed_checks++;
    }
}

__global__ void integers(unsigned long long *out)
{
    int n = 0;
    out[n++] = (unsigned)__popc(0xf0f0u) * 100u + (unsigned)__popcll(~0ull);
    out[n++] = (unsigned)__clz(1) * 100u + (unsigned)__clz(0);
    out[n++] = (unsigned)__clzll(1ll << 40) * 100u + (unsigned)__clzll(0);
    out[n++] = (unsigned)__ffs(0x50) * 100u + (unsigned)__ffs(0);
    out[n++] = (unsigned)__ffsll(1ll << 40);
    out[n++] = __brev(0x00000013u);
    out[n++] = __brevll(0x13ull);
    out[n++] = (unsigned)__mulhi(-2, 1 << 30);
    out[n++] = __umulhi(~0u, 16u);
    out[n++] = __umul64hi(1ull << 63, 6);
    out[n++] = (unsigned long long)__mul64hi(-1, 5);
    out[n++] = (unsigned)__mul24(-3, 7) + __umul24(0x01000003u, 2);
    out[n++] = __funnelshift_l(0x80000000u, 1u, 1) * 10 + __funnelshift_r(2u, 1u, 1) % 10;
    out[n++] = min(-1, 1) == -1 && min(-1, 1u) == 1 && max(2ll, -5ll) == 2 && max(3u, 4u) == 4;
    out[n++] = min(1.5f, 0.5f) == 0.5f && max(1.5, 0.5f) == 1.5 && min(5ul, 6ul) == 5;
    out[n++] = warpSize == 32;
}

static void test_integers(void)
{
    const unsigned long long expected[] = {864,
                                           3132,
                                           2364,
                                           500,
                                           41,
                                           0xc8000000u,
                                           0xc8ull << 56,
                                           0xffffffffu,
                                           15,
                                           3,
                                           ~0ull,
                                           0xffffffebu + 6u,
                                           39,
                                           1,
                                           1,
                                           1};
    unsigned long long out[16] = {};
    dm_launch(integers, 1, 1, 0, 0, out);
    for (int i = 0; i < 16; i++)
        expect_value(i, (double)out[i], (double)expected[i]);
}

__global__ void reals(double *out, const float *in)
{
    int n = 0;
    out[n++] = rsqrtf(in[0]) + rsqrt(16.0);
    out[n++] = __fmaf_rn(2, 3, 4) + fma(2.0, 3.0, 5.0) + fmaf(1, 1, 1);
    out[n++] = __fdividef(1, 4) + __fdiv_rn(1, 2) + __frcp_rn(8) + __drcp_rn(16);
    out[n++] = __expf(0.0f) + __logf(1.0f) + __powf(2.0f, 3.0f) + __cosf(0.0f) + __sinf(0.0f);
    out[n++] = __log2f(8.0f) + __log10f(100.0f) + __exp10f(1.0f) + __tanf(0.0f);
    out[n++] = __saturatef(2) + __saturatef(-1) + __saturatef(0.25f);
    out[n++] = __fadd_rn(1, 2) + __fmul_rn(3, 4) + __fsub_rn(9, 1) + __fsqrt_rn(9);
    out[n++] =
        __dadd_rn(1, 2) + __dmul_rn(3, 4) + __ddiv_rn(9, 3) + __dsqrt_rn(9) + __fma_rn(1, 2, 3);
    out[n++] =
        __float2int_rn(2.5f) + __float2int_rz(-2.7f) + __float2int_ru(0.1f) + __float2int_rd(-0.1f);
    out[n++] = (double)__float2int_rz(1e20f) + __float2uint_rz(-5.0f) + __double2int_rn(3.5);
    out[n++] = (double)__double2ll_rz(-1e300);
    out[n++] = __int2float_rn(7) + __uint2double_rn(3000000000u) + __double2float_rn(0.5);
    out[n++] = __int_as_float(__float_as_int(1.25f)) + __uint_as_float(__float_as_uint(2.5f) + 1);
    out[n++] = __longlong_as_double(__double_as_longlong(-3.5) & 0x7fffffffffffffffll);
    out[n++] = fminf(1, 2) + fmaxf(1, 2) + fabsf(-4.0f) + sqrt(4.0f);
    out[n++] = __ldg(&in[0]) + __ldcg(&in[1]) + __ldcs(&in[2]) + __ldcv(&in[1]) + __ldca(&in[1]);
    float cell;
    __stcs(&cell, 3.0f);
    out[n] = cell;
    __stcg(&cell, 4.0f);
    out[n] += cell;
    __stwt(&cell, 5.0f);
    out[n] += cell;
    __stwb(&cell, 6.0f);
    out[n++] += cell;
}

static void test_reals(void)
{
    const double expected[] = {0.75,
                               23,
                               0.9375,
                               10,
                               15,
                               1.25,
                               26,
                               26,
                               0,
                               2147483651.0,
                               -9223372036854775808.0,
                               3000000007.5,
                               3.75 + 0x1p-22,
                               3.5,
                               9,
                               4 + 7 + 9 + 7 + 7,
                               18};
    const float in[] = {4, 7, 9};
    double out[17] = {};
    dm_launch(reals, 1, 1, 0, 0, out, in);
    for (int i = 0; i < 17; i++)
        expect_value(i, out[i], expected[i]);
}

__global__ void vectors(float4 *f, double2 *d, int2 *i)
{
    unsigned t = threadIdx.x;
    f[t] = make_float4((float)t, 1, 2, 3);
    d[t] = make_double2(t, f[t].w);
    i[t] = make_int2((int)t, -1);
}

static void test_vectors(void)
{
    static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "packed");
    static_assert(alignof(float4) == 16 && alignof(double2) == 16 && alignof(int2) == 8, "whole");
    static_assert(sizeof(dim3) == 12 && sizeof(uchar4) == 4 && sizeof(short2) == 4, "sizes");
    float4 f[8];
    double2 d[8];
    int2 i[8];
    dm_launch(vectors, 1, 8, 0, 0, f, d, i);
    for (int t = 0; t < 8; t++)
        expect(f[t].x == t && f[t].z == 2 && d[t].x == t && d[t].y == 3 && i[t].y == -1);
    uint3 whole = dim3(5);
    expect(whole.x == 5 && whole.y == 1 && whole.z == 1);
}

__global__ void measure_time(long long *out)
{
    long long begin = clock64();
    while (clock64() - begin < 2000000)
        ;
    out[0] = clock64() - begin;
}

static void test_clock(void)
{
    long long elapsed = 0;
    dm_launch(measure_time, 1, 1, 0, 0, &elapsed);
    expect(elapsed >= 2000000);
}

int main()
{
    run_test(test_grid_3d);
    run_test(test_arguments);
    run_test(test_no_arguments);
    run_test(test_shuffles);
    run_test(test_narrow_xor);
    run_test(test_votes);
    run_test(test_syncwarp);
    run_test(test_warp_reduction);
    run_test(test_atomics);
    run_test(test_groups);
    run_test(test_integers);
    run_test(test_reals);
    run_test(test_vectors);
    run_test(test_clock);
    return end_tests();
}
