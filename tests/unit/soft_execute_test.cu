// soft_execute_test.cu: the executor of the software GPU by itself, without streams and memory.
//
// Kernels write what they see into ordinary memory; the checks compare it with what CUDA promises.
#include "device.h"
#include "launch.h"
#include "cooperative_groups.h"
#include "soft_execute_test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cg = cooperative_groups;

// ---- the runtime half, as small as possible: launches run at once; the outcome is kept ----

static thread_local soft_outcome outcome;

extern "C" int soft_launch(const soft_kernel *kernel, void *)
{
    outcome = soft_execute(kernel);
    kernel->release(kernel->arguments);
    return outcome;
}

static char *managed_page; // one page that the fault handler makes accessible, as managed memory would

extern "C" bool soft_managed_fault(void *address, bool)
{
    char *at = static_cast<char *>(address);
    if (!managed_page || at < managed_page || at >= managed_page + 4096)
        return false;
    return mprotect(managed_page, 4096, PROT_READ | PROT_WRITE) == 0;
}

// ---- indices, arguments ----

__global__ void write_indices(unsigned *out)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] += block * 1000 + thread;
}

static const char *check_grid_3d()
{
    unsigned out[2 * 3 * 4 * 5 * 3 * 2] = {};
    launch(write_indices, dim3(2, 3, 4), dim3(5, 3, 2), 0, 0, out);
    EXPECT(outcome == SOFT_OK);
    for (unsigned i = 0; i < 24 * 30; i++)
        EXPECT(out[i] == i / 30 * 1000 + i % 30);
    return NULL;
}

struct wide {
    double values[6];
};

template <class T, int factor> __global__ void store_arguments(T *out, float a, wide b, long long c)
{
    out[threadIdx.x] = (T)(a + b.values[5] + (double)c) * factor;
}

static const char *check_arguments()
{
    double out[4] = {};
    wide b = {{0, 0, 0, 0, 0, 0.25}};
    launch((store_arguments<double, 2>), 1, 4, 0, 0, out, 1, b, 40); // 1 and 40 are int here
    b.values[5] = 99;
    for (double value : out)
        EXPECT(value == 82.5);
    return NULL;
}

static int no_argument_calls;
__global__ void no_arguments()
{
    atomicAdd(&no_argument_calls, 1);
}

static const char *check_no_arguments()
{
    launch(no_arguments, 7, dim3(1, 1, 3), 0, 0);
    EXPECT(no_argument_calls == 21);
    return NULL;
}

static const char *check_limits()
{
    EXPECT(soft_cooperative_limit(1024, 0) == 16);
    EXPECT(soft_cooperative_limit(32, 0) == 32);
    EXPECT(soft_cooperative_limit(672, 0) == 24);
    EXPECT(soft_cooperative_limit(32, 50 << 10) == 16);
    EXPECT(soft_cooperative_limit(32, 101 << 10) == 0);
    EXPECT(soft_cooperative_limit(1025, 0) == 0);
    EXPECT(soft_cooperative_limit(0, 0) == 0);
    launch(no_arguments, 1, 1025, 0, 0);
    EXPECT(outcome == SOFT_NO_RESOURCE);
    launch(no_arguments, 0, 32, 0, 0);
    EXPECT(outcome == SOFT_NO_RESOURCE);
    launch_cooperative(no_arguments, 33, 32, 0, 0);
    EXPECT(outcome == SOFT_NO_RESOURCE);
    EXPECT(no_argument_calls == 21);
    return NULL;
}

// ---- barriers ----

__global__ void reverse_static(const int *in, int *out)
{
    __shared__ int tile[256];
    unsigned i = threadIdx.x, first = blockIdx.x * blockDim.x;
    for (int round = 0; round < 3; round++) {
        tile[i] = in[first + i] + round;
        __syncthreads();
        out[first + i] = tile[blockDim.x - 1 - i];
        __syncthreads();
    }
}

static const char *check_syncthreads()
{
    static int in[8 * 256], out[8 * 256];
    for (int i = 0; i < 8 * 256; i++)
        in[i] = 3 * i;
    launch(reverse_static, 8, 256, 0, 0, in, out);
    EXPECT(outcome == SOFT_OK);
    for (int i = 0; i < 8 * 256; i++)
        EXPECT(out[i] == 3 * (i / 256 * 256 + 255 - i % 256) + 2);
    return NULL;
}

__global__ void reverse_dynamic(double *data)
{
    dynamic_shared(double, tile);
    if (threadIdx.x == 0)
        data[gridDim.x * blockDim.x] = (double)((size_t)tile % 16);
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

static const char *check_dynamic_shared()
{
    double data[101];
    for (int i = 0; i < 101; i++)
        data[i] = i + 1;
    launch(reverse_dynamic, 1, 100, 100 * sizeof(double), 0, data);
    for (int i = 0; i < 100; i++)
        EXPECT(data[i] == 100 - i);
    EXPECT(data[100] == 0);
    return NULL;
}

__global__ void predicates(int *out)
{
    int i = (int)threadIdx.x;
    int count = __syncthreads_count(i % 3 == 0);
    int some = __syncthreads_or(i == 77) * 10 + __syncthreads_or(0);
    int every = __syncthreads_and(i < 100) * 10 + __syncthreads_and(i != 5);
    if (i == 99) {
        out[0] = count;
        out[1] = some;
        out[2] = every;
    }
}

static const char *check_barrier_predicates()
{
    int out[3] = {};
    launch(predicates, 1, 100, 0, 0, out);
    EXPECT(out[0] == 34 && out[1] == 10 && out[2] == 10);
    return NULL;
}

__global__ void some_exit(int *out)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    if (threadIdx.x >= 70)
        return;
    __syncthreads();
    atomicAdd(&sum, 1);
    if (threadIdx.x % 2)
        return;
    int left = __syncthreads_count(1);
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = left;
    }
}

static const char *check_exited_threads()
{
    int out[2] = {};
    launch(some_exit, 1, 128, 0, 0, out);
    EXPECT(outcome == SOFT_OK && out[0] == 70 && out[1] == 35);
    return NULL;
}

// Every thread waits for its successor's turn number: whatever the order of fibers, all have to take part.
__global__ void many_barriers(unsigned *turns, int rounds)
{
    __shared__ unsigned counter;
    if (threadIdx.x == 0)
        counter = 0;
    for (int round = 0; round < rounds; round++) {
        __syncthreads();
        if (threadIdx.x == (unsigned)round % blockDim.x)
            counter++;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        turns[blockIdx.x] = counter;
}

static const char *check_many_barriers()
{
    unsigned turns[6] = {};
    launch(many_barriers, 6, 33, 0, 0, turns, 500);
    for (unsigned turn : turns)
        EXPECT(turn == 500);
    return NULL;
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

static const char *check_shuffles()
{
    float f[64];
    int i[64];
    unsigned u[64];
    long long l[64];
    double d[64];
    launch(shuffles, 1, 64, 0, 0, f, i, u, l, d);
    EXPECT(outcome == SOFT_OK);
    for (unsigned t = 0; t < 64; t++) {
        EXPECT(f[t] == (float)(t / 32 * 32 + 3) + 0.5f);
        EXPECT(i[t] == -(int)(t % 32 < 2 ? t : t - 2));
        EXPECT(u[t] == (t % 8 == 7 ? t : t + 1) << 28);
        EXPECT(l[t] == (long long)(t ^ 5) << 40);
        EXPECT(d[t] == (t / 4 * 4 + 1) / 4.0);
    }
    return NULL;
}

__global__ void narrow_xor(int *out)
{
    // Across a segment's end the own value stays; the first lane of the mask may look back.
    out[threadIdx.x] = __shfl_xor_sync(~0u, (int)threadIdx.x, 8, 8);
}

static const char *check_narrow_xor()
{
    int out[32];
    launch(narrow_xor, 1, 32, 0, 0, out);
    for (int t = 0; t < 32; t++)
        EXPECT(out[t] == ((t ^ 8) > (t | 7) ? t : (t ^ 8)));
    return NULL;
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

static const char *check_votes()
{
    unsigned out[128];
    launch(votes, 1, 32, 0, 0, out);
    for (unsigned lane = 0; lane < 32; lane++) {
        EXPECT(out[lane] == 0x42108421u);
        EXPECT(out[32 + lane] == 11);
        EXPECT(out[64 + lane] == (lane < 16 ? 0xaaaau : 0xffff0000u));
        EXPECT(out[96 + lane] >> lane & 1);
    }
    return NULL;
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

static const char *check_syncwarp()
{
    int out[36] = {};
    launch(syncwarp_exchange, 1, 40, 0, 0, out);
    EXPECT(outcome == SOFT_OK);
    for (int t = 0; t < 36; t++)
        EXPECT(out[t] == (t < 32 ? (t + 1) % 32 + 1 : 32 + (t - 31) % 4 + 1));
    return NULL;
}

__global__ void sum_by_shuffles(const int *in, int *out)
{
    int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

static const char *check_warp_reduction()
{
    static int in[4096];
    int sum = 0, expected = 0;
    for (int i = 0; i < 4096; i++)
        expected += in[i] = i * 7 % 1001;
    launch(sum_by_shuffles, 16, 256, 0, 0, in, &sum);
    EXPECT(sum == expected);
    return NULL;
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

static const char *check_atomics()
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
    launch(atomics, 10, n / 10, 0, 0, &c, &old_sum);
    EXPECT(outcome == SOFT_OK);
    EXPECT(c.i[0] == n && old_sum == n * (n - 1) / 2 && c.i[1] == -2 * n);
    EXPECT(c.i[2] == 1 - n && c.i[3] == n - 1 && c.i[4] == 0x300 && c.i[5] == 0xff);
    EXPECT(c.i[6] == 0 && c.i[7] == n - 1 && c.i[8] == 1 && c.i[9] == n);
    EXPECT(c.u[0] == 3 * n && c.u[1] == 0 && c.u[2] == 0 && c.u[3] == n - 1);
    EXPECT(c.u[4] == 0x100 && c.u[5] == 0xff && c.u[6] == 0 && c.u[7] == n % 10);
    EXPECT(c.u[8] == 0 && c.u[9] == n - 1 && c.u[11] == 6);
    EXPECT(c.l[0] == (unsigned long long)n << 33 && c.l[1] == 7);
    EXPECT(c.l[2] == (1ull << 40) + n - 1 && c.l[3] == ~(1ull << 35) && c.l[4] == ~0ull);
    EXPECT(c.l[5] == 0 && c.l[6] == n - 1 && c.l[8] == 1ull << 50);
    EXPECT(c.ll[0] == 1 - n && c.ll[1] == n - 1);
    EXPECT(c.f[0] == n / 2 && c.f[1] == n - 1 && c.d[0] == n / 4 && c.d[1] == -n);
    return NULL;
}

// ---- progress ----

// The first half of the blocks waits for the second half, which is dealt later.
__global__ void wait_for_later_blocks(int *flags, int *out)
{
    unsigned half = gridDim.x / 2;
    if (blockIdx.x >= half) {
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
        return;
    }
    if (threadIdx.x == 0) {
        while (atomicAdd(&flags[blockIdx.x + half], 0) == 0)
            __nanosleep(100);
        __threadfence();
    }
    __syncthreads();
    atomicAdd(out, 1);
}

static const char *check_growth()
{
    int flags[12] = {}, out = 0;
    launch(wait_for_later_blocks, 12, 32, 0, 0, flags, &out);
    EXPECT(outcome == SOFT_OK && out == 6 * 32);
    return NULL;
}

// Blocks pass a token round a ring; every one needs all the others to be alive.
template <bool by_nanosleep> __global__ void token_ring(unsigned *token, unsigned rounds)
{
    if (threadIdx.x)
        return;
    for (unsigned round = 0; round < rounds; round++) {
        while (atomicAdd(token, 0) != round * gridDim.x + blockIdx.x)
            if (by_nanosleep)
                __nanosleep(20);
        __threadfence();
        atomicAdd(token, 1);
    }
}

static const char *check_token_ring()
{
    unsigned token = 0;
    launch_cooperative((token_ring<true>), 8, 4, 0, 0, &token, 20);
    EXPECT(outcome == SOFT_OK && token == 160);
    token = 0;
    launch_cooperative((token_ring<false>), 4, 4, 0, 0, &token, 5);
    EXPECT(outcome == SOFT_OK && token == 20);
    return NULL;
}

// Each thread waits for the flag that the next thread of its block sets, in each way that yields.
__global__ void wait_in_block(unsigned *flags, int way)
{
    unsigned t = threadIdx.x;
    if (t + 1 < blockDim.x) {
        if (way == 0)
            while (atomicAdd(&flags[t + 1], 0) == 0)
                ;
        else if (way == 1)
            while (__ldcg(&flags[t + 1]) == 0)
                __threadfence_block();
        else if (way == 2)
            while (__ldcv(&flags[t + 1]) == 0)
                clock64();
        else
            while (__ldcg(&flags[t + 1]) == 0)
                __nanosleep(1);
    }
    __threadfence();
    __stcg(&flags[t], 1u);
}

static const char *check_spinning_in_block()
{
    for (int way = 0; way < 4; way++) {
        unsigned flags[48] = {};
        launch(wait_in_block, 1, 48, 0, 0, flags, way);
        EXPECT(outcome == SOFT_OK && flags[0] == 1);
    }
    return NULL;
}

// A warp that meets again and again at __syncwarp() must not starve the thread that it waits for.
__global__ void spin_with_syncwarp(unsigned *flag, unsigned *seen)
{
    if (threadIdx.x == blockDim.x - 1) {
        __nanosleep(10);
        __stcg(flag, 1u);
    } else if (threadIdx.x < 32) {
        while (__ballot_sync(~0u, __ldcg(flag) != 0) == 0)
            __syncwarp();
        atomicAdd(seen, 1u);
    }
}

static const char *check_spinning_warp()
{
    unsigned flag = 0, seen = 0;
    launch(spin_with_syncwarp, 1, 65, 0, 0, &flag, &seen);
    EXPECT(outcome == SOFT_OK && seen == 32);
    return NULL;
}

// ---- cooperative groups ----

__global__ void grid_sync_rounds(int *cells, int *errors, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    unsigned me = (unsigned)grid.thread_rank(), n = (unsigned)grid.size();
    if (!grid.is_valid())
        atomicAdd(errors, 1);
    for (int round = 0; round < rounds; round++) {
        cells[me] = round;
        grid.sync();
        if (cells[(me + blockDim.x) % n] != round)
            atomicAdd(errors, 1);
        cg::sync(grid);
    }
}

static const char *check_grid_sync()
{
    static int cells[8 * 16];
    int errors = 0;
    launch_cooperative(grid_sync_rounds, 8, 16, 0, 0, cells, &errors, 50);
    EXPECT(outcome == SOFT_OK && errors == 0);
    for (int cell : cells)
        EXPECT(cell == 49);
    launch(grid_sync_rounds, 2, 2, 0, 0, cells, &errors, 1);
    EXPECT(outcome == SOFT_DEADLOCK && errors > 0);
    return NULL;
}

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

static const char *check_groups()
{
    unsigned out[128] = {};
    launch(groups, 2, dim3(16, 4), 0, 0, out);
    EXPECT(outcome == SOFT_OK);
    for (unsigned value : out)
        EXPECT(value == 1);
    return NULL;
}

// ---- arithmetic ----

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

static const char *check_integers()
{
    const unsigned long long expected[] = {864, 3132, 2364, 500, 41, 0xc8000000u, 0xc8ull << 56,
                                           0xffffffffu, 15, 3, ~0ull, 0xffffffebu + 6u, 39, 1, 1, 1};
    unsigned long long out[16] = {};
    launch(integers, 1, 1, 0, 0, out);
    for (int i = 0; i < 16; i++)
        if (out[i] != expected[i])
            return failure("value %d is %llx, not %llx", i, out[i], expected[i]);
    return NULL;
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
    out[n++] = __dadd_rn(1, 2) + __dmul_rn(3, 4) + __ddiv_rn(9, 3) + __dsqrt_rn(9) + __fma_rn(1, 2, 3);
    out[n++] = __float2int_rn(2.5f) + __float2int_rz(-2.7f) + __float2int_ru(0.1f) +
               __float2int_rd(-0.1f);
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

static const char *check_reals()
{
    const double expected[] = {0.75, 23, 0.9375, 10, 15, 1.25, 26, 26, 0, 2147483651.0,
                               -9223372036854775808.0, 3000000007.5, 3.75 + 0x1p-22, 3.5, 9,
                               4 + 7 + 9 + 7 + 7, 18};
    const float in[] = {4, 7, 9};
    double out[17] = {};
    launch(reals, 1, 1, 0, 0, out, in);
    for (int i = 0; i < 17; i++)
        if (fabs(out[i] - expected[i]) > 1e-6 * fabs(expected[i]))
            return failure("value %d is %.17g, not %.17g", i, out[i], expected[i]);
    return NULL;
}

__global__ void vectors(float4 *f, double2 *d, int2 *i)
{
    unsigned t = threadIdx.x;
    f[t] = make_float4((float)t, 1, 2, 3);
    d[t] = make_double2(t, f[t].w);
    i[t] = make_int2((int)t, -1);
}

static const char *check_vectors()
{
    static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "packed");
    static_assert(alignof(float4) == 16 && alignof(double2) == 16 && alignof(int2) == 8, "whole");
    static_assert(sizeof(dim3) == 12 && sizeof(uchar4) == 4 && sizeof(short2) == 4, "sizes");
    float4 f[8];
    double2 d[8];
    int2 i[8];
    launch(vectors, 1, 8, 0, 0, f, d, i);
    for (int t = 0; t < 8; t++)
        EXPECT(f[t].x == t && f[t].z == 2 && d[t].x == t && d[t].y == 3 && i[t].y == -1);
    uint3 whole = dim3(5);
    EXPECT(whole.x == 5 && whole.y == 1 && whole.z == 1);
    return NULL;
}

__global__ void measure_time(long long *out)
{
    long long begin = clock64();
    while (clock64() - begin < 2000000)
        ;
    out[0] = clock64() - begin;
}

static const char *check_clock()
{
    long long elapsed = 0;
    launch(measure_time, 1, 1, 0, 0, &elapsed);
    EXPECT(elapsed >= 2000000);
    return NULL;
}

// ---- failures: each ends the launch, and the next one works ----

static const char *still_works()
{
    static int in[512], out[512];
    for (int i = 0; i < 512; i++)
        in[i] = i;
    launch(reverse_static, 2, 256, 0, 0, in, out);
    EXPECT(outcome == SOFT_OK && out[0] == 257 && out[511] == 258);
    return NULL;
}

__global__ void mixed_barriers(int *reached)
{
    if (threadIdx.x % 2)
        __syncwarp();
    else
        __syncthreads();
    atomicAdd(reached, 1);
}

__global__ void different_masks()
{
    __shfl_sync(threadIdx.x ? 0x3u : 0x7u, 1, 0);
}

__global__ void different_scopes()
{
    if (threadIdx.x)
        cg::this_grid().sync();
    else
        __syncthreads();
}

static const char *check_deadlock()
{
    int reached = 0;
    launch(mixed_barriers, 3, 8, 0, 0, &reached);
    EXPECT(outcome == SOFT_DEADLOCK && reached == 0);
    launch(different_masks, 1, 2, 0, 0);
    EXPECT(outcome == SOFT_DEADLOCK);
    launch_cooperative(different_scopes, 3, 2, 0, 0);
    EXPECT(outcome == SOFT_DEADLOCK);
    return still_works();
}

__global__ void trap_in_one(int *after)
{
    if (blockIdx.x == 2 && threadIdx.x == 40)
        __trap();
    __syncthreads();
    if (blockIdx.x == 2)
        atomicAdd(after, 1);
}

static const char *check_trap()
{
    int after = 0;
    launch(trap_in_one, 6, 64, 0, 0, &after);
    EXPECT(outcome == SOFT_TRAP && after == 0);
    return still_works();
}

#undef NDEBUG
#include <assert.h>
__global__ void assert_in_one(int limit)
{
    assert((int)threadIdx.x < limit);
}

static const char *check_assert()
{
    launch(assert_in_one, 1, 8, 0, 0, 8);
    EXPECT(outcome == SOFT_OK);
    fputs("# the next line is expected: ", stderr);
    launch(assert_in_one, 1, 8, 0, 0, 7);
    EXPECT(outcome == SOFT_TRAP);
    return still_works();
}

__global__ void trap_while_others_wait(int)
{
    if (blockIdx.x == 3 && threadIdx.x == 5)
        __trap();
    cg::this_grid().sync();
}

static const char *check_trap_at_grid_sync()
{
    launch_cooperative(trap_while_others_wait, 6, 16, 0, 0, 0);
    EXPECT(outcome == SOFT_TRAP);
    return still_works();
}

__global__ void trap_while_others_spin(int *flag)
{
    if (blockIdx.x == 1)
        __trap();
    while (atomicAdd(flag, 0) == 0)
        __nanosleep(100);
}

static const char *check_trap_ends_spinning()
{
    int flag = 0;
    launch_cooperative(trap_while_others_spin, 4, 16, 0, 0, &flag);
    EXPECT(outcome == SOFT_TRAP);
    return still_works();
}

__global__ void touch(volatile char *address)
{
    __syncthreads();
    if (threadIdx.x == 9)
        *address = 1;
    __syncthreads();
}

static const char *check_stray_address()
{
    for (int i = 0; i < 3; i++) { // more than once: the signal must not stay blocked
        launch(touch, 2, 32, 0, 0, (volatile char *)0x10);
        EXPECT(outcome == SOFT_BAD_ADDRESS);
    }
    return still_works();
}

static const char *check_managed_fault()
{
    void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(page != MAP_FAILED);
    managed_page = (char *)page;
    launch(touch, 1, 32, 0, 0, managed_page + 7);
    EXPECT(outcome == SOFT_OK && managed_page[7] == 1);
    mprotect(managed_page, 4096, PROT_NONE);
    volatile char *from_host = managed_page + 8;
    *from_host = 2;
    EXPECT(*from_host == 2);
    managed_page = NULL;
    munmap(page, 4096);
    return NULL;
}

static const char *check_host_fault_kills()
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(20);
        freopen("/dev/null", "w", stderr);
        volatile char *volatile nobody = (volatile char *)0x20;
        *nobody = 1;
        _exit(0);
    }
    int status = 0;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child);
    EXPECT(!(WIFEXITED(status) && WEXITSTATUS(status) == 0));
    EXPECT(!(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM));
    return NULL;
}

__device__ __noinline__ int recurse(int depth)
{
    volatile char frame[512];
    frame[0] = (char)depth;
    return depth == 0 ? frame[0] : recurse(depth - 1) + frame[0];
}

__global__ void use_stack(int depth, int *out)
{
    if (threadIdx.x == 3)
        out[0] = recurse(depth);
    __syncthreads();
}

static const char *check_stack_overflow()
{
    int out = -1;
    launch(use_stack, 1, 8, 0, 0, 10, &out);
    EXPECT(outcome == SOFT_OK && out == 55);
    launch(use_stack, 2, 8, 0, 0, 100000, &out);
    EXPECT(outcome == SOFT_BAD_ADDRESS);
    return still_works();
}

// ---- several devices ----

struct device_thread {
    pthread_t thread;
    int number;
    const char *why;
};

static void *one_device(void *argument)
{
    device_thread *self = (device_thread *)argument;
    int cells[4 * 8], errors = 0, in[256], out[256];
    for (int i = 0; i < 256; i++)
        in[i] = i * self->number;
    for (int round = 0; round < 5 && !self->why; round++) {
        launch(reverse_static, 1, 256, 0, 0, in, out);
        if (outcome != SOFT_OK || out[255] != 2 || out[0] != 255 * self->number + 2)
            self->why = "a block saw another device's data";
        launch_cooperative(grid_sync_rounds, 4, 8, 0, 0, cells, &errors, 5);
        if (outcome != SOFT_OK || errors)
            self->why = "grid barriers of different devices meet";
        launch(trap_in_one, 4, 64, 0, 0, &errors);
        if (self->number % 2 && outcome != SOFT_TRAP)
            self->why = "a failure was lost";
    }
    return NULL;
}

static const char *check_devices()
{
    for (int devices = 1; devices <= 8; devices *= 2) {
        device_thread threads[8] = {};
        for (int i = 0; i < devices; i++) {
            threads[i].number = i;
            EXPECT(pthread_create(&threads[i].thread, NULL, one_device, &threads[i]) == 0);
        }
        for (int i = 0; i < devices; i++)
            pthread_join(threads[i].thread, NULL);
        for (int i = 0; i < devices; i++)
            if (threads[i].why)
                return threads[i].why;
    }
    return NULL;
}

static const char *check_in_kernel()
{
    EXPECT(!soft_in_kernel());
    soft_yield(5); // outside of kernels these have nothing to do, and return
    __threadfence();
    int cell = 1;
    EXPECT(atomicAdd(&cell, 2) == 1 && cell == 3);
    return NULL;
}

static const named_check checks[] = {
    {"grid_3d", check_grid_3d},
    {"arguments", check_arguments},
    {"no_arguments", check_no_arguments},
    {"limits", check_limits},
    {"syncthreads", check_syncthreads},
    {"dynamic_shared", check_dynamic_shared},
    {"barrier_predicates", check_barrier_predicates},
    {"exited_threads", check_exited_threads},
    {"many_barriers", check_many_barriers},
    {"shuffles", check_shuffles},
    {"narrow_xor", check_narrow_xor},
    {"votes", check_votes},
    {"syncwarp", check_syncwarp},
    {"warp_reduction", check_warp_reduction},
    {"atomics", check_atomics},
    {"growth", check_growth},
    {"token_ring", check_token_ring},
    {"spinning_in_block", check_spinning_in_block},
    {"spinning_warp", check_spinning_warp},
    {"grid_sync", check_grid_sync},
    {"groups", check_groups},
    {"integers", check_integers},
    {"reals", check_reals},
    {"vectors", check_vectors},
    {"clock", check_clock},
    {"deadlock", check_deadlock},
    {"trap", check_trap},
    {"assert", check_assert},
    {"trap_at_grid_sync", check_trap_at_grid_sync},
    {"trap_ends_spinning", check_trap_ends_spinning},
    {"stray_address", check_stray_address},
    {"managed_fault", check_managed_fault},
    {"host_fault_kills", check_host_fault_kills},
    {"stack_overflow", check_stack_overflow},
    {"devices", check_devices},
    {"in_kernel", check_in_kernel},
};

int main(int argc, char **argv)
{
    alarm(300); // a check that hangs ends the program
    return run_checks(checks, sizeof checks / sizeof *checks, argc, argv);
}
