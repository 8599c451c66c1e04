#include "rdma_transfer.h"

#include "random.h"
#include "ranks.h"
#include "rdma_engine.h"
#include "memory.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

struct transfer {
    struct rdma_config config;
    bool sends;
    struct rdma_end *end;
    char *image; /* of the block, in main memory */
};

static void copy(const struct transfer *transfer, void *to, const void *from)
{
    if (transfer->config.place == RDMA_DEVICE)
        memory_copy(to, from, transfer->config.bytes);
    else
        memcpy(to, from, transfer->config.bytes);
}

/* The sender has the block of that seed, the receiver another one. */
static void fill(const struct transfer *transfer, uint64_t seed)
{
    bool sends = transfer->sends;

    random_fill_bytes(transfer->image, transfer->config.bytes, sends ? seed : ~seed);
    copy(transfer, sends ? rdma_send_buffer(transfer->end) : rdma_receive_buffer(transfer->end),
         transfer->image);
    ranks.barrier();
}

static long wrong_bytes(const struct transfer *transfer, uint64_t seed)
{
    if (transfer->sends)
        return 0;
    copy(transfer, transfer->image, rdma_receive_buffer(transfer->end));
    return (long)random_count_wrong_bytes(transfer->image, transfer->config.bytes, seed);
}

static void move_block(const struct transfer *transfer)
{
    if (transfer->sends)
        rdma_start_send(transfer->end, transfer->config.bytes);
    else
        rdma_start_receive(transfer->end, transfer->config.bytes);
    rdma_wait(transfer->end);
}

/* The other paths tell the copies of their engines and kernels by themselves. */
static bool watches_engine(const struct rdma_config *config)
{
    return config->path == RDMA_CUDA_AWARE && config->device >= 0;
}

static void count_block(const struct transfer *transfer, struct rdma_copies *copies)
{
    bool watches = watches_engine(&transfer->config);

    if (watches)
        rdma_engine_begin();
    ranks.barrier();
    rdma_copies_begin();
    move_block(transfer);
    if (watches) {
        struct rdma_engine_bytes seen = rdma_engine_end();
        rdma_count_copy(RDMA_COPY_ENGINE, seen.engine);
        rdma_count_copy(RDMA_COPY_DRIVER, seen.driver);
    }
    rdma_copies_end(copies);
}

bool rdma_transfer_sees_mpi(void)
{
    enum { BYTES = 1 << 20 };
    char *from = allocate_or_fail(1, BYTES), *to = allocate_or_fail(1, BYTES);
    struct rdma_copies seen;

    random_fill_bytes(from, BYTES, 0);
    rdma_copies_begin();
    rdma_enter_mpi();
    check_mpi(MPI_Sendrecv(from, BYTES, MPI_BYTE, 0, 0, to, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF,
                           MPI_STATUS_IGNORE));
    rdma_leave_mpi();
    rdma_copies_end(&seen);
    free(from);
    free(to);
    return seen.bytes[RDMA_COPY_CPU] + seen.bytes[RDMA_COPY_SYSTEM] >= BYTES;
}

const char *rdma_transfer_complaint(const struct rdma_config *config)
{
    const char *mine = NULL, *complaint = rdma_complaint(config);

    if (complaint)
        return complaint;
    if (watches_engine(config))
        mine = rdma_engine_complaint();
    if (ranks.max(mine != NULL) == 0)
        return NULL;
    return mine ? mine : "the other rank cannot tell what MPI copies";
}

struct rdma_transfer_result rdma_transfer_count(const struct rdma_config *config, bool sends,
                                                uint64_t seed)
{
    struct transfer transfer = {.config = *config, .sends = sends, .end = rdma_open(config)};
    struct rdma_transfer_result result;
    struct rdma_copies mine;

    transfer.image = allocate_or_fail(1, config->bytes);
    fill(&transfer, seed);
    move_block(&transfer);
    result.errors = wrong_bytes(&transfer, seed);
    fill(&transfer, seed + 1);
    count_block(&transfer, &mine);
    result.errors += wrong_bytes(&transfer, seed + 1);
    free(transfer.image);
    rdma_close(transfer.end);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &result.errors, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    check_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, result.copies, sizeof mine, MPI_BYTE,
                            MPI_COMM_WORLD));
    return result;
}
