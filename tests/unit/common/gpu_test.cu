/* The own spellings of gpu.h, and the CUDA that later directories rest on: the same on a GPU and on
 * the software GPU. */
#include <cooperative_groups.h>

#include "common/gpu.h"
#include "common/harness/device.h"
#include "common/harness/allocate.h"
#include "tests/unit/test.h"

namespace cg = cooperative_groups;

/* Each block sums its part in dynamic shared memory. */
static __global__ void block_sums(const int *values, int *sums)
{
    dm_dynamic_shared(int, part);
    part[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

static void launch_with_dynamic_shared_memory(void)
{
    enum { BLOCKS = 5, THREADS = 128 };
    int *values = (int *)memory_allocate(MEMORY_MANAGED, BLOCKS * THREADS * sizeof(int));
    int *sums = (int *)memory_allocate(MEMORY_MANAGED, BLOCKS * sizeof(int));
    for (int i = 0; i < BLOCKS * THREADS; i++)
        values[i] = i;
    dm_launch(block_sums, BLOCKS, THREADS, THREADS * sizeof(int), 0, values, sums);
    expect(cudaGetLastError() == cudaSuccess);
    expect(cudaDeviceSynchronize() == cudaSuccess);
    for (int block = 0; block < BLOCKS; block++)
        expect(sums[block] == THREADS * (THREADS - 1) / 2 + block * THREADS * THREADS);
    memory_release(MEMORY_MANAGED, values);
    memory_release(MEMORY_MANAGED, sums);
}

/* Each round, block b adds what its neighbour held after the round before: wrong without a grid
 * barrier. */
static __global__ void ring(int *now, int *next, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < rounds; round++) {
        if (threadIdx.x == 0)
            next[blockIdx.x] = now[blockIdx.x] + now[(blockIdx.x + 1) % gridDim.x];
        grid.sync();
        int *swap = now;
        now = next;
        next = swap;
    }
}

static void cooperative_launch_and_grid_barrier(void)
{
    enum { BLOCKS = 8, ROUNDS = 10 };
    int *cells = (int *)memory_allocate(MEMORY_MANAGED, 2 * BLOCKS * sizeof(int));
    int expected[2][BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        cells[i] = expected[0][i] = i + 1;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < BLOCKS; i++)
            expected[(round + 1) % 2][i] =
                expected[round % 2][i] + expected[round % 2][(i + 1) % BLOCKS];
    dm_launch_cooperative(ring, BLOCKS, 32, 0, 0, cells, cells + BLOCKS, (int)ROUNDS);
    expect(cudaGetLastError() == cudaSuccess);
    expect(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < BLOCKS; i++)
        expect(cells[ROUNDS % 2 * BLOCKS + i] == expected[ROUNDS % 2][i]);
    memory_release(MEMORY_MANAGED, cells);
}

/* Block 1 produces, block 0 waits for the flag: both are resident. */
static __global__ void hand_over(volatile int *flag, volatile int *box, int *received)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 1) {
        *box = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            __nanosleep(100);
        __threadfence();
        *received = *box;
    }
}

static void blocks_wait_for_one_another(void)
{
    int *cells = (int *)memory_allocate(MEMORY_MANAGED, 3 * sizeof(int));
    cells[0] = cells[1] = cells[2] = 0;
    dm_launch_cooperative(hand_over, 2, 32, 0, 0, cells, cells + 1, cells + 2);
    expect(cudaGetLastError() == cudaSuccess);
    expect(cudaDeviceSynchronize() == cudaSuccess);
    expect(cells[2] == 42);
    memory_release(MEMORY_MANAGED, cells);
}

static void managed_memory_can_be_prefetched_and_advised(void)
{
    size_t bytes = 1 << 20;
    void *memory = memory_allocate(MEMORY_MANAGED, bytes);
    expect(gpu_advise(memory, bytes, cudaMemAdviseSetPreferredLocation, 0) == cudaSuccess);
    expect(gpu_prefetch_async(memory, bytes, 0, 0) == cudaSuccess);
    expect(gpu_prefetch_async(memory, bytes, cudaCpuDeviceId, 0) == cudaSuccess);
    expect(cudaDeviceSynchronize() == cudaSuccess);
    expect(gpu_attribute(cudaDevAttrMultiProcessorCount, 0) > 0);
    memory_release(MEMORY_MANAGED, memory);
}

static void launches_that_cannot_be_are_errors(void)
{
    dm_launch(block_sums, 1, 2048, 0, 0, (const int *)NULL, (int *)NULL);
    cudaError_t error = cudaGetLastError(); /* CUDA 13, CUDA 12 */
    expect(error == cudaErrorInvalidValue || error == cudaErrorInvalidConfiguration);
    dm_launch_cooperative(hand_over, 1 << 20, 1024, 0, 0, (int *)NULL, (int *)NULL, (int *)NULL);
    expect(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    expect(cudaGetLastError() == cudaSuccess);
}

int main(void)
{
    run_test(launch_with_dynamic_shared_memory);
    run_test(cooperative_launch_and_grid_barrier);
    run_test(blocks_wait_for_one_another);
    run_test(managed_memory_can_be_prefetched_and_advised);
    run_test(launches_that_cannot_be_are_errors);
    return end_tests();
}
