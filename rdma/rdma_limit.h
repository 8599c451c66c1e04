/* rdma_limit.h: what one process reaches between two GPUs, without another rank, a flag or a
 * message: cudaMemcpyPeerAsync. No path from GPU to GPU of a host can be faster for large blocks.
 */
#ifndef RDMA_RDMA_LIMIT_H
#define RDMA_RDMA_LIMIT_H

#include "gpu.h"
#include "rdma_rounds.h"

struct rdma_limit {
    int devices[2]; /* the GPU of rank 0 and that of rank 1, as rank 0 counts them */
    /* Of each direction: source on devices[i], destination on the other, stream of devices[i]. */
    void *from[2], *to[2];
    cudaStream_t streams[2];
};

/* Finds both GPUs; `device` is that of this rank. Both ranks call it, and both get NULL or the
 * sentence why rank 0 cannot copy between them. */
const char *rdma_limit_complaint(struct rdma_limit *limit, int device);

/* Buffers and streams for blocks of up to `bytes`, at rank 0. Any rank; ends the program with a
 * sentence if there is not enough memory. Ask rdma_limit_complaint first. */
void rdma_limit_open(struct rdma_limit *limit, size_t bytes);
void rdma_limit_close(struct rdma_limit *limit);

/* As rdma_rounds_time and rdma_rounds_wrong, with copies by rank 0. A round is a window of copies,
 * in both directions for RDMA_BOTH, for which the host waits. */
double rdma_limit_time(const struct rdma_limit *limit, const struct rdma_rounds *rounds);
long rdma_limit_wrong(const struct rdma_limit *limit, const struct rdma_rounds *rounds,
                      uint64_t seed);

#endif
