#include "rdma_rounds.h"

#include "clock.h"
#include "gpu.h"
#include "memory.h"
#include "random.h"
#include "ranks.h"

#include <stdlib.h>

const char *const rdma_mode_names[RDMA_MODES] = {"latency", "bandwidth", "both"};

/* ---- rounds ---- */

/* Sends come first, as the other rank waits for them; the receive is there long before its answer.
 */
static void round_trips(struct rdma_end *end, const struct rdma_rounds *rounds)
{
    if (ranks.rank == 0) {
        for (int i = 0; i < rounds->count; i++) {
            rdma_start_send(end, rounds->bytes);
            rdma_start_receive(end, rounds->bytes);
            rdma_wait(end);
        }
        return;
    }
    rdma_start_receive(end, rounds->bytes);
    rdma_wait(end);
    for (int i = 1; i < rounds->count; i++) {
        rdma_start_send(end, rounds->bytes);
        rdma_start_receive(end, rounds->bytes);
        rdma_wait(end);
    }
    rdma_start_send(end, rounds->bytes);
    rdma_wait(end);
}

static void windows(struct rdma_end *end, const struct rdma_rounds *rounds)
{
    char answer[4] = {0};
    for (int i = 0; i < rounds->count; i++)
        if (ranks.rank == 0) {
            for (int k = 0; k < rounds->window; k++)
                rdma_start_send(end, rounds->bytes);
            rdma_wait(end);
            check_mpi(
                MPI_Recv(answer, sizeof answer, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            for (int k = 0; k < rounds->window; k++)
                rdma_start_receive(end, rounds->bytes);
            rdma_wait(end);
            check_mpi(MPI_Send(answer, sizeof answer, MPI_CHAR, 0, 0, MPI_COMM_WORLD));
        }
}

static void windows_both_ways(struct rdma_end *end, const struct rdma_rounds *rounds)
{
    for (int i = 0; i < rounds->count; i++) {
        for (int k = 0; k < rounds->window; k++)
            rdma_start_receive(end, rounds->bytes);
        for (int k = 0; k < rounds->window; k++)
            rdma_start_send(end, rounds->bytes);
        rdma_wait(end);
    }
}

static void run_rounds(struct rdma_end *end, const struct rdma_rounds *rounds)
{
    void (*const functions[RDMA_MODES])(struct rdma_end *, const struct rdma_rounds *) = {
        round_trips, windows, windows_both_ways};
    functions[rounds->mode](end, rounds);
}

double rdma_rounds_time(struct rdma_end *end, const struct rdma_rounds *rounds)
{
    double start_s = clock_now_s();
    run_rounds(end, rounds);
    double round_s = (clock_now_s() - start_s) / rounds->count;
    /* Its own sends end rank 1's rounds early; only in RDMA_BOTH do both ranks wait for data. */
    if (ranks.rank != 0 && rounds->mode != RDMA_BOTH)
        return 0;
    return rounds->mode == RDMA_LATENCY ? round_s / 2 : round_s / rounds->window;
}

/* ---- data ---- */

void rdma_rounds_fill(void *block, size_t bytes, uint64_t seed)
{
    char *data = allocate_or_fail(bytes, 1);
    random_fill_bytes(data, bytes, seed);
    memory_copy(block, data, bytes);
    /* A copy from pageable memory may return before it is done. */
    check_cuda(cudaStreamSynchronize(0));
    free(data);
}

long rdma_rounds_count_wrong(const void *block, size_t bytes, uint64_t seed)
{
    char *data = allocate_or_fail(bytes, 1);
    check_cuda(cudaMemcpy(data, block, bytes, cudaMemcpyDefault));
    long wrong = (long)random_count_wrong_bytes(data, bytes, seed);
    free(data);
    return wrong;
}

long rdma_rounds_wrong(struct rdma_end *end, const struct rdma_rounds *rounds, uint64_t seed)
{
    struct rdma_rounds once = *rounds;
    uint64_t mine = seed + (uint64_t)ranks.rank, theirs = seed + 1 - (uint64_t)ranks.rank;

    once.count = 1;
    rdma_rounds_fill(rdma_send_buffer(end), rounds->bytes, mine);
    /* What is received is neither what is here already nor what this rank sends. */
    rdma_rounds_fill(rdma_receive_buffer(end), rounds->bytes, ~seed);
    ranks.barrier();
    run_rounds(end, &once);
    if (ranks.rank == 0 && rounds->mode == RDMA_BANDWIDTH)
        return 0; /* it received nothing */
    return rdma_rounds_count_wrong(rdma_receive_buffer(end), rounds->bytes, theirs);
}
