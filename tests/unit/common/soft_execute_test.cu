// soft_execute_test.cu: how the software GPU runs blocks: barriers, progress, failures, several
// devices.
//
// Kernels write what they see into ordinary memory; the checks compare it with what CUDA promises.
#include <pthread.h>

#include "tests/unit/test.h"

#include "soft_fake_runtime.h"

namespace cg = cooperative_groups;

__global__ void nothing()
{
}

static void test_limits(void)
{
    expect(soft_cooperative_limit(1024, 0) == 16);
    expect(soft_cooperative_limit(32, 0) == 32);
    expect(soft_cooperative_limit(672, 0) == 24);
    expect(soft_cooperative_limit(32, 50 << 10) == 16);
    expect(soft_cooperative_limit(32, 101 << 10) == 0);
    expect(soft_cooperative_limit(1025, 0) == 0);
    expect(soft_cooperative_limit(0, 0) == 0);
    dm_launch(nothing, 1, 1025, 0, 0);
    expect(outcome == SOFT_NO_RESOURCE);
    dm_launch(nothing, 0, 32, 0, 0);
    expect(outcome == SOFT_NO_RESOURCE);
    dm_launch_cooperative(nothing, 33, 32, 0, 0);
    expect(outcome == SOFT_NO_RESOURCE);
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

static void test_syncthreads(void)
{
    static int in[8 * 256], out[8 * 256];
    for (int i = 0; i < 8 * 256; i++)
        in[i] = 3 * i;
    dm_launch(reverse_static, 8, 256, 0, 0, in, out);
    expect(outcome == SOFT_OK);
    for (int i = 0; i < 8 * 256; i++)
        expect(out[i] == 3 * (i / 256 * 256 + 255 - i % 256) + 2);
}

__global__ void reverse_dynamic(double *data)
{
    dm_dynamic_shared(double, tile);
    if (threadIdx.x == 0)
        data[gridDim.x * blockDim.x] = (double)((size_t)tile % 16);
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

static void test_dynamic_shared(void)
{
    double data[101];
    for (int i = 0; i < 101; i++)
        data[i] = i + 1;
    dm_launch(reverse_dynamic, 1, 100, 100 * sizeof(double), 0, data);
    for (int i = 0; i < 100; i++)
        expect(data[i] == 100 - i);
    expect(data[100] == 0);
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

static void test_barrier_predicates(void)
{
    int out[3] = {};
    dm_launch(predicates, 1, 100, 0, 0, out);
    expect(out[0] == 34 && out[1] == 10 && out[2] == 10);
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

static void test_exited_threads(void)
{
    int out[2] = {};
    dm_launch(some_exit, 1, 128, 0, 0, out);
    expect(outcome == SOFT_OK && out[0] == 70 && out[1] == 35);
}

// Every thread waits for its successor's turn number: whatever the order of fibers, all have to
// take part.
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

static void test_many_barriers(void)
{
    unsigned turns[6] = {};
    dm_launch(many_barriers, 6, 33, 0, 0, turns, 500);
    for (unsigned turn : turns)
        expect(turn == 500);
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

static void test_growth(void)
{
    int flags[12] = {}, out = 0;
    dm_launch(wait_for_later_blocks, 12, 32, 0, 0, flags, &out);
    expect(outcome == SOFT_OK && out == 6 * 32);
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

static void test_token_ring(void)
{
    unsigned token = 0;
    dm_launch_cooperative((token_ring<true>), 8, 4, 0, 0, &token, 20);
    expect(outcome == SOFT_OK && token == 160);
    token = 0;
    dm_launch_cooperative((token_ring<false>), 4, 4, 0, 0, &token, 5);
    expect(outcome == SOFT_OK && token == 20);
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

static void test_spinning_in_block(void)
{
    for (int way = 0; way < 4; way++) {
        unsigned flags[48] = {};
        dm_launch(wait_in_block, 1, 48, 0, 0, flags, way);
        expect(outcome == SOFT_OK && flags[0] == 1);
    }
}

// Two blocks hand a value to and fro through volatile memory. (ThreadSanitizer takes this for a
// race unless it is compiled with --param tsan-distinguish-volatile=1.)
__global__ void volatile_hand_over(volatile int *flag, volatile int *value)
{
    int self = (int)blockIdx.x;
    for (int round = 0; round < 20; round++) {
        while (*flag != 2 * round + self)
            __nanosleep(50);
        __threadfence();
        *value = *value + 1 + self;
        __threadfence();
        *flag = 2 * round + self + 1;
    }
}

static void test_volatile(void)
{
    volatile int flag = 0, value = 0;
    dm_launch_cooperative(volatile_hand_over, 2, 1, 0, 0, &flag, &value);
    expect(outcome == SOFT_OK && flag == 40 && value == 60);
}

// A warp that votes again and again must not starve the thread that it waits for.
__global__ void spin_with_votes(volatile unsigned *flag, unsigned *seen)
{
    if (threadIdx.x == blockDim.x - 1) {
        __nanosleep(10);
        *flag = 1;
    } else if (threadIdx.x < 32) {
        while (__ballot_sync(~0u, *flag != 0) == 0)
            ;
        atomicAdd(seen, 1u);
    }
}

static void test_spinning_warp(void)
{
    unsigned flag = 0, seen = 0;
    dm_launch(spin_with_votes, 1, 65, 0, 0, &flag, &seen);
    expect(outcome == SOFT_OK && seen == 32);
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

static void test_grid_sync(void)
{
    static int cells[8 * 16];
    int errors = 0;
    dm_launch_cooperative(grid_sync_rounds, 8, 16, 0, 0, cells, &errors, 50);
    expect(outcome == SOFT_OK && errors == 0);
    for (int cell : cells)
        expect(cell == 49);
    dm_launch(grid_sync_rounds, 2, 2, 0, 0, cells, &errors, 1);
    expect(outcome == SOFT_DEADLOCK && errors > 0);
}

// ---- several devices ----

__global__ void trap_in_last(void)
{
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 3)
        __trap();
    __syncthreads();
}

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
        dm_launch(reverse_static, 1, 256, 0, 0, in, out);
        if (outcome != SOFT_OK || out[255] != 2 || out[0] != 255 * self->number + 2)
            self->why = "a block saw another device's data";
        dm_launch_cooperative(grid_sync_rounds, 4, 8, 0, 0, cells, &errors, 5);
        if (outcome != SOFT_OK || errors)
            self->why = "grid barriers of different devices meet";
        dm_launch(trap_in_last, 4, 64, 0, 0);
        if (outcome != SOFT_TRAP)
            self->why = "a failure was lost";
    }
    return NULL;
}

static void test_devices(void)
{
    for (int devices = 1; devices <= 8; devices *= 2) {
        device_thread threads[8] = {};
        for (int i = 0; i < devices; i++) {
            threads[i].number = i;
            expect(pthread_create(&threads[i].thread, NULL, one_device, &threads[i]) == 0);
        }
        for (int i = 0; i < devices; i++)
            pthread_join(threads[i].thread, NULL);
        for (int i = 0; i < devices; i++) {
            if (threads[i].why)
                printf("# %d devices: %s\n", devices, threads[i].why);
            expect(threads[i].why == NULL);
        }
    }
}

static void test_in_kernel(void)
{
    expect(!soft_in_kernel());
    soft_yield(5); // outside of kernels these have nothing to do, and return
    __threadfence();
    int cell = 1;
    expect(atomicAdd(&cell, 2) == 1 && cell == 3);
}

// ---- kernels of another compilation ----

enum { ASKED_X = 5, ASKED_Y = 3, ASKED_THREADS = ASKED_X * ASKED_Y };
struct asked {
    bool waits;
    int runs[ASKED_THREADS], present[ASKED_THREADS];
};

// As a kernel that was compiled for ThreadSanitizer, it asks for the next CUDA thread after each,
// also of an executor that was not.
static void ask_after_each(void *arguments)
{
    asked *seen = static_cast<asked *>(arguments);
    do {
        unsigned i = threadIdx.y * blockDim.x + threadIdx.x;
        seen->runs[i]++;
        seen->present[i] = seen->waits ? __syncthreads_count(1) : ASKED_THREADS;
    } while (soft_next_row());
}

static void test_asks_after_each(void)
{
    for (int waits = 0; waits < 2; waits++) {
        asked seen = {waits != 0, {}, {}};
        soft_kernel kernel = {"ask_after_each",
                              ask_after_each,
                              nullptr,
                              &seen,
                              {1, 1, 1},
                              {ASKED_X, ASKED_Y, 1},
                              0,
                              false,
                              {},
                              nullptr};
        expect(soft_execute(&kernel) == SOFT_OK);
        for (int i = 0; i < ASKED_THREADS; i++)
            expect(seen.runs[i] == 1 && seen.present[i] == ASKED_THREADS);
    }
}

int main()
{
    run_test(test_limits);
    run_test(test_syncthreads);
    run_test(test_dynamic_shared);
    run_test(test_barrier_predicates);
    run_test(test_exited_threads);
    run_test(test_many_barriers);
    run_test(test_growth);
    run_test(test_token_ring);
    run_test(test_spinning_in_block);
    run_test(test_volatile);
    run_test(test_spinning_warp);
    run_test(test_grid_sync);
    run_test(test_devices);
    run_test(test_in_kernel);
    run_test(test_asks_after_each);
    return end_tests();
}
