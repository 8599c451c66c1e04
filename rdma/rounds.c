#include "rounds.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/scope.h"
#include "common/random.h"

#include "ends.h"

/* ---- rounds ---- */

/* Sends come first, as the other rank waits for them; the receive is there long before its reply.
 */
static void send_and_receive(struct rdma_end *end, const struct rounds *rounds)
{
    start_send(end, rounds->bytes);
    start_receive(end, rounds->bytes);
    wait_for_blocks(end);
}

static void round_trips(struct rdma_end *end, const struct rounds *rounds)
{
    if (ranks.rank == 0) {
        for (int i = 0; i < rounds->count; i++)
            send_and_receive(end, rounds);
        return;
    }
    start_receive(end, rounds->bytes);
    wait_for_blocks(end);
    for (int i = 1; i < rounds->count; i++)
        send_and_receive(end, rounds);
    start_send(end, rounds->bytes);
    wait_for_blocks(end);
}

static void windows(struct rdma_end *end, const struct rounds *rounds)
{
    char reply[4] = {0};
    for (int i = 0; i < rounds->count; i++)
        if (ranks.rank == 0) {
            for (int k = 0; k < rounds->window; k++)
                start_send(end, rounds->bytes);
            wait_for_blocks(end);
            check_mpi(
                MPI_Recv(reply, sizeof reply, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            for (int k = 0; k < rounds->window; k++)
                start_receive(end, rounds->bytes);
            wait_for_blocks(end);
            check_mpi(MPI_Send(reply, sizeof reply, MPI_CHAR, 0, 0, MPI_COMM_WORLD));
        }
}

static void windows_both_ways(struct rdma_end *end, const struct rounds *rounds)
{
    for (int i = 0; i < rounds->count; i++) {
        for (int k = 0; k < rounds->window; k++)
            start_receive(end, rounds->bytes);
        for (int k = 0; k < rounds->window; k++)
            start_send(end, rounds->bytes);
        wait_for_blocks(end);
    }
}

static void run_rounds(struct rdma_end *end, const struct rounds *rounds)
{
    void (*const functions[MODES])(struct rdma_end *, const struct rounds *) = {
        round_trips, windows, windows_both_ways};
    functions[rounds->mode](end, rounds);
}

double rounds_time(struct rdma_end *end, const struct rounds *rounds)
{
    double start_s = clock_now_s();
    run_rounds(end, rounds);
    double round_s = (clock_now_s() - start_s) / rounds->count;
    /* Its own sends end rank 1's rounds early; only in MODE_BOTH do both ranks wait for data. */
    if (ranks.rank != 0 && rounds->mode != MODE_BOTH)
        return 0;
    return rounds->mode == MODE_LATENCY ? round_s / 2 : round_s / rounds->window;
}

/* ---- data ---- */

void rounds_fill(void *block, size_t bytes, uint64_t seed)
{
    char *data = allocate_or_fail(bytes, 1);
    random_fill_bytes(data, bytes, seed);
    memory_copy(block, data, bytes);
    /* A copy from pageable memory may return before it is done. */
    check_cuda(cudaStreamSynchronize(0));
    free(data);
}

long rounds_wrong(struct rdma_end *end, const struct rounds *rounds, uint64_t seed)
{
    struct rounds once = *rounds;
    uint64_t mine = seed + (uint64_t)ranks.rank, theirs = seed + 1 - (uint64_t)ranks.rank;

    once.count = 1;
    rounds_fill(rdma_send_buffer(end), rounds->bytes, mine);
    /* What is received is neither what is here already nor what this rank sends. */
    rounds_fill(rdma_receive_buffer(end), rounds->bytes, ~seed);
    ranks.barrier();
    run_rounds(end, &once);
    if (ranks.rank == 0 && rounds->mode == MODE_BANDWIDTH)
        return 0; /* it received nothing */
    return count_wrong_bytes(rdma_receive_buffer(end), rounds->bytes, theirs);
}
