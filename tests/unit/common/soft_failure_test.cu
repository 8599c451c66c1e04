// soft_failure_test.cu: how a kernel fails on the software GPU: each failure ends the launch with
// its outcome, and the next launch works. In sanitizer builds also: what the sanitizers find in
// kernels.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "soft_fake_runtime.h"

namespace cg = cooperative_groups;

__global__ void rotate(const int *in, int *out)
{
    __shared__ int tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}

static void still_works(void)
{
    int in[256], out[512];
    for (int i = 0; i < 256; i++)
        in[i] = i;
    dm_launch(rotate, 2, 256, 0, 0, in, out);
    expect(outcome == SOFT_OK && out[0] == 1 && out[255] == 0 && out[510] == 255);
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

static void test_deadlock(void)
{
    int reached = 0;
    dm_launch(mixed_barriers, 3, 8, 0, 0, &reached);
    expect(outcome == SOFT_DEADLOCK && reached == 0);
    dm_launch(different_masks, 1, 2, 0, 0);
    expect(outcome == SOFT_DEADLOCK);
    dm_launch_cooperative(different_scopes, 3, 2, 0, 0);
    expect(outcome == SOFT_DEADLOCK);
    still_works();
}

__global__ void trap_in_one(int *after)
{
    if (blockIdx.x == 2 && threadIdx.x == 40)
        __trap();
    __syncthreads();
    if (blockIdx.x == 2)
        atomicAdd(after, 1);
}

static void test_trap(void)
{
    int after = 0;
    dm_launch(trap_in_one, 6, 64, 0, 0, &after);
    expect(outcome == SOFT_TRAP && after == 0);
    still_works();
}

#undef NDEBUG
#include <assert.h>
__global__ void assert_in_one(int limit)
{
    assert((int)threadIdx.x < limit);
}

static void test_assert(void)
{
    dm_launch(assert_in_one, 1, 8, 0, 0, 8);
    expect(outcome == SOFT_OK);
    fputs("# the next line is expected: ", stderr);
    dm_launch(assert_in_one, 1, 8, 0, 0, 7);
    expect(outcome == SOFT_TRAP);
    still_works();
}

__global__ void trap_while_others_wait(int)
{
    if (blockIdx.x == 3 && threadIdx.x == 5)
        __trap();
    cg::this_grid().sync();
}

static void test_trap_at_grid_sync(void)
{
    dm_launch_cooperative(trap_while_others_wait, 6, 16, 0, 0, 0);
    expect(outcome == SOFT_TRAP);
    still_works();
}

__global__ void trap_while_others_spin(int *flag)
{
    if (blockIdx.x == 1)
        __trap();
    while (atomicAdd(flag, 0) == 0)
        __nanosleep(100);
}

static void test_trap_ends_spinning(void)
{
    int flag = 0;
    dm_launch_cooperative(trap_while_others_spin, 4, 16, 0, 0, &flag);
    expect(outcome == SOFT_TRAP);
    still_works();
}

__global__ void touch(volatile char *address)
{
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 9)
        *address = 1;
    __syncthreads();
}

static void test_stray_address(void)
{
    for (int i = 0; i < 3; i++) { // more than once: the signal must not stay blocked
        dm_launch(touch, 2, 32, 0, 0, (volatile char *)0x10);
        expect(outcome == SOFT_BAD_ADDRESS);
    }
    still_works();
}

static void test_managed_fault(void)
{
    void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(page != MAP_FAILED);
    managed_page = (char *)page;
    dm_launch(touch, 1, 32, 0, 0, managed_page + 7);
    expect(outcome == SOFT_OK && managed_page[7] == 1);
    mprotect(managed_page, 4096, PROT_NONE);
    volatile char *from_host = managed_page + 8;
    *from_host = 2;
    expect(*from_host == 2);
    managed_page = NULL;
    munmap(page, 4096);
}

// True if the code, run by a copy of this process without its messages, kills it within 20 s or
// ends it with an error.
template <class Code> static bool ends_badly(Code code)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        if (!freopen("/dev/null", "w", stderr))
            _exit(0);
        code();
        _exit(0);
    }
    int status = 0;
    bool waited = child > 0 && waitpid(child, &status, 0) == child;
    bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    bool too_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    return waited && !well && !too_late;
}

static void test_host_fault_kills(void)
{
    expect(ends_badly([] {
        volatile char *volatile nobody = (volatile char *)0x20;
        *nobody = 1;
    }));
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

static void test_stack_overflow(void)
{
    int out = -1;
    dm_launch(use_stack, 1, 8, 0, 0, 10, &out);
    expect(outcome == SOFT_OK && out == 55);
    dm_launch(use_stack, 2, 8, 0, 0, 100000, &out);
    expect(outcome == SOFT_BAD_ADDRESS);
    still_works();
}

// ---- no memory for more stacks; the sanitizers need the address space for themselves ----

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__global__ void wait_for_all(void)
{
    __syncthreads();
}

static void test_no_memory(void)
{
    fflush(stdout);
    pid_t child = fork(); // one block needs no other threads, so a copy of this process can run it
    if (child == 0) {
        alarm(20);
        dm_launch(wait_for_all, 1, 256, 0, 0);
        bool before = outcome == SOFT_OK;
        rlimit nothing = {1, 1};
        setrlimit(RLIMIT_AS, &nothing);
        dm_launch(wait_for_all, 1, 1024, 0, 0);
        bool refused = outcome == SOFT_NO_RESOURCE;
        dm_launch(wait_for_all, 1, 256, 0, 0);
        _exit(before && refused && outcome == SOFT_OK ? 0 : 1);
    }
    int status = 1;
    expect(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}
#endif

// ---- what the sanitizers find; the process is started anew, because it has threads by now ----

__global__ void without_barrier(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = (int)threadIdx.x;
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void beyond_shared_memory(void)
{
    dm_dynamic_shared(int, tile);
    tile[threadIdx.x] = 1;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
// True if the program, started again with `argument`, dies of a finding in one of the kernels
// above.
static bool is_found(const char *argument)
{
    char command[300], self[200] = {};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return false;
    snprintf(command, sizeof command,
             "timeout 20 '%s' %s 2>&1 | grep -q 'SUMMARY: .*Sanitizer.* %s'", self, argument,
             argument);
    return system(command) == 0;
}
#endif

#if defined(__SANITIZE_THREAD__)
static void test_missing_barrier_is_found(void)
{
    expect(is_found("without_barrier"));
    expect(!is_found("rotate"));
}
#endif

#if defined(__SANITIZE_ADDRESS__)
static void test_shared_overrun_is_found(void)
{
    expect(is_found("beyond_shared_memory"));
    expect(!is_found("rotate"));
}
#endif

// Runs one of the kernels above by its name.
static int run_kernel(const char *name)
{
    static int cells[512];
    if (strcmp(name, "without_barrier") == 0)
        dm_launch(without_barrier, 1, 64, 0, 0, cells);
    else if (strcmp(name, "beyond_shared_memory") == 0)
        dm_launch(beyond_shared_memory, 1, 64, 63 * sizeof(int), 0);
    else
        still_works();
    return outcome;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_kernel(argv[1]);
    run_test(test_deadlock);
    run_test(test_trap);
    run_test(test_assert);
    run_test(test_trap_at_grid_sync);
    run_test(test_trap_ends_spinning);
    run_test(test_stray_address);
    run_test(test_managed_fault);
    run_test(test_host_fault_kills);
    run_test(test_stack_overflow);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    run_test(test_no_memory);
#endif
#if defined(__SANITIZE_THREAD__)
    run_test(test_missing_barrier_is_found);
#endif
#if defined(__SANITIZE_ADDRESS__)
    run_test(test_shared_overrun_is_found);
#endif
    return end_tests();
}
