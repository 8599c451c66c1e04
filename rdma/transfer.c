#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/harness/allocate.h"
#include "common/random.h"

#include "ends.h"
#include "engine.h"

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
        start_send(transfer->end, transfer->config.bytes);
    else
        start_receive(transfer->end, transfer->config.bytes);
    wait_for_blocks(transfer->end);
}

/* The other paths count the copies of their engines and kernels themselves. */
static bool watches_engine(const struct rdma_config *config)
{
    return config->path == RDMA_CUDA_AWARE && config->device >= 0;
}

static void count_block(const struct transfer *transfer, struct copies *copies)
{
    bool watches = watches_engine(&transfer->config);

    if (watches)
        engine_begin();
    ranks.barrier();
    copies_begin();
    move_block(transfer);
    if (watches) {
        struct engine_bytes seen = engine_end();
        copies_add(COPIER_ENGINE, seen.engine);
        copies_add(COPIER_DRIVER, seen.driver);
    }
    copies_end(copies);
}

bool transfer_sees_mpi(void)
{
    enum { BYTES = 1 << 20 };
    char *from = allocate_or_fail(1, BYTES), *to = allocate_or_fail(1, BYTES);
    struct copies seen;

    random_fill_bytes(from, BYTES, 0);
    copies_begin();
    copies_enter_mpi();
    check_mpi(MPI_Sendrecv(from, BYTES, MPI_BYTE, 0, 0, to, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF,
                           MPI_STATUS_IGNORE));
    copies_leave_mpi();
    copies_end(&seen);
    free(from);
    free(to);
    return seen.bytes[COPIER_CPU] + seen.bytes[COPIER_SYSTEM] >= BYTES;
}

enum dm_status transfer_check(const struct rdma_config *config)
{
    TRY(rdma_check(config));
    enum dm_status mine = watches_engine(config) ? engine_check() : DM_OK;
    if (ranks.max(mine != DM_OK) > 0 && mine == DM_OK)
        return dm_fail(DM_UNAVAILABLE, "the other rank cannot tell what MPI copies");
    return mine;
}

struct transfer_result transfer_count(const struct rdma_config *config, bool sends, uint64_t seed)
{
    struct transfer transfer = {.config = *config, .sends = sends, .end = open_end(config)};
    struct transfer_result result;
    struct copies mine;

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
