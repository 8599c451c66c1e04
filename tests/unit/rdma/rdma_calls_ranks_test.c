/* Each call of CUDA that opens an end or moves a block fails once. Started by rdma.bats:
 * rdma_calls_ranks_test calls. */
#include "rdma/path.h"

#include "rdma_test.h"

/* The linker puts these in front of CUDA's (Makefile). The n-th call fails as if there were no
 * memory, and no other. */
static long calls_left = -1; /* -1: none fails */

static bool call_fails(void)
{
    return calls_left >= 0 && calls_left-- == 0;
}

#define FAILING(name, parameters, arguments)                                                       \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        return call_fails() ? cudaErrorMemoryAllocation : __real_##name arguments;                 \
    }

FAILING(cudaSetDevice, (int device), (device))
FAILING(cudaMalloc, (void **pointer, size_t bytes), (pointer, bytes))
FAILING(cudaMallocHost, (void **pointer, size_t bytes), (pointer, bytes))
FAILING(cudaHostAlloc, (void **pointer, size_t bytes, unsigned flags), (pointer, bytes, flags))
FAILING(cudaHostRegister, (void *pointer, size_t bytes, unsigned flags), (pointer, bytes, flags))
FAILING(cudaHostGetDevicePointer, (void **device, void *host, unsigned flags),
        (device, host, flags))
FAILING(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device),
        (value, attribute, device))
FAILING(cudaDeviceCanAccessPeer, (int *can, int device, int peer), (can, device, peer))
FAILING(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
FAILING(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
FAILING(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
FAILING(cudaMemcpyAsync,
        (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
        (to, from, bytes, kind, stream))
FAILING(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream),
        (to, value, bytes, stream))
FAILING(cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void *pointer), (handle, pointer))
FAILING(cudaIpcOpenMemHandle, (void **pointer, cudaIpcMemHandle_t handle, unsigned flags),
        (pointer, handle, flags))

enum { NEWS_TAG = 1 };

/* Says how the failing rank fared; asks whether it has said so. */
static void tell(int word)
{
    check_mpi(MPI_Send(&word, 1, MPI_INT, 1 - rank, NEWS_TAG, MPI_COMM_WORLD));
}

static bool has_heard(int *word)
{
    int is_there;
    check_mpi(MPI_Iprobe(1 - rank, NEWS_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE));
    if (is_there)
        check_mpi(
            MPI_Recv(word, 1, MPI_INT, 1 - rank, NEWS_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return is_there != 0;
}

/* Until the block has come or gone, or the other rank has said that it failed. */
static enum dm_status move_or_hear(struct rdma_end *end, bool is_failing)
{
    int word = DM_OK;
    bool has_word = is_failing; /* and all else is only late */
    enum dm_status status = rank == 0 ? rdma_send(end, 20000) : rdma_receive(end, 20000);
    while (status == DM_TIMEOUT && word == DM_OK) {
        has_word = has_word || has_heard(&word);
        status = rdma_wait(end);
    }
    if (is_failing)
        tell((int)status);
    while (!has_word)
        has_word = has_heard(&word);
    expect(word != DM_OK || status == DM_OK || is_failing);
    return status;
}

/* Opens, moves a block and closes, with a call of one rank that fails. Returns whether that rank
 * has not made so many calls. */
static bool try_with_failing_call(enum rdma_path path, int failing, long call)
{
    struct rdma_end *end;
    struct rdma_config config = config_for(path);
    config.bytes = 20000;
    calls_left = rank == failing ? call : -1;
    enum dm_status status = rdma_open(&end, &config);
    expect((status == DM_OK) == (end != NULL));
    expect(ranks.max((double)status) == (double)status); /* both know */
    if (end) {
        end->contact.wait_limit_s = 0.02;
        status = move_or_hear(end, rank == failing);
        expect(rank != failing || status == DM_OK || status == DM_NO_MEMORY);
        end->contact.wait_limit_s = 20;
        rdma_close(end);
    }
    bool was_made = ranks.max(rank == failing && calls_left < 0) > 0;
    calls_left = -1;
    (void)cudaGetLastError();
    return !was_made;
}

/* Any call may be the one that fails: no rank waits for ever, both hear of an open that failed,
 * nothing is left, and ends can be opened again. */
static void calls_that_fail(void)
{
    for (int p = 1; p < PATHS; p++) {
        struct possessions before = {0};
        for (int failing = 0; failing < 2 && is_here(paths[p]); failing++) {
            long call = 0;
            while (!try_with_failing_call(paths[p], failing, call) && call < 200)
                if (call++ == 0 && failing == 0)
                    before = count_possessions();
            expect(call > 5 && call < 200);
        }
        if (is_here(paths[p]))
            expect_possessions(before, paths[p]);
    }
    say("calls that fail");
}

int main(int argc, char **argv)
{
    static const struct scenario scenarios[] = {{"calls", calls_that_fail}, {0}};
    return run_scenario(argc, argv, scenarios);
}
