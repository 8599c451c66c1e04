/* rdma_transfer.h: one block from one rank to the other, with every copy on its way counted. */
#ifndef RDMA_RDMA_TRANSFER_H
#define RDMA_RDMA_TRANSFER_H

#include "rdma.h"
#include "rdma_count.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether what MPI copies is seen: it must call the functions that rdma_intercept.c stands in front
 * of. Sends a block from this rank to itself. */
bool rdma_transfer_sees_mpi(void);

/* As rdma_complaint, for a transfer that is to be counted; both ranks call it. */
const char *rdma_transfer_complaint(const struct rdma_config *config);

struct rdma_transfer_result {
    struct rdma_copies copies[2]; /* of ranks 0 and 1 */
    long errors;                  /* wrong bytes */
};
/* Moves two blocks of config->bytes random bytes from the rank that `sends` to the other and
 * verifies both. The first one makes connections, maps memory and registers it; the second is
 * counted. Ranks 0 and 1 of MPI_COMM_WORLD call it, and both get the result. */
struct rdma_transfer_result rdma_transfer_count(const struct rdma_config *config, bool sends,
                                                uint64_t seed);

#endif
