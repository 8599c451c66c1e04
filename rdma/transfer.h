/* transfer.h: one block from one rank to the other, with every copy on its way counted. */
#ifndef RDMA_TRANSFER_H
#define RDMA_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include <datamotion/rdma.h>

#include "count.h"

/* Whether what MPI copies is seen: it must call the functions that intercept.c replaces.
 * Sends a block from this rank to itself. */
bool transfer_sees_mpi(void);

/* As rdma_check, for a transfer that is to be counted; both ranks call it. */
enum dm_status transfer_check(const struct rdma_config *config);

struct transfer_result {
    struct copies copies[2]; /* of ranks 0 and 1 */
    long errors;             /* wrong bytes */
};
/* Moves two blocks of config->bytes random bytes from the rank that `sends` to the other and
 * verifies both. The first one makes connections, maps memory and registers it; the second is
 * counted. Ranks 0 and 1 of MPI_COMM_WORLD call it, and both get the result. */
struct transfer_result transfer_count(const struct rdma_config *config, bool sends, uint64_t seed);

#endif
