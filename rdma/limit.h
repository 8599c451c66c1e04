/* limit.h: what one process reaches between two GPUs, without another rank, a flag or a message:
 * cudaMemcpyPeerAsync. No path from GPU to GPU of a host can be faster for large blocks. */
#ifndef RDMA_LIMIT_H
#define RDMA_LIMIT_H

#include "common/gpu.h"

#include "rounds.h"

struct limit {
    int devices[2]; /* the GPU of rank 0 and that of rank 1, as rank 0 counts them */
    /* Of each direction: source on devices[i], destination on the other, stream of devices[i]. */
    void *from[2], *to[2];
    cudaStream_t streams[2];
};

/* Finds both GPUs; `device` is that of this rank. Both ranks call it, and both get DM_UNAVAILABLE
 * if rank 0 cannot copy between them. */
enum dm_status limit_find(struct limit *limit, int device);

/* Buffers and streams for blocks of up to `bytes`, at rank 0. Any rank; ends the program with a
 * sentence if there is not enough memory. After limit_find. */
void limit_open(struct limit *limit, size_t bytes);
void limit_close(struct limit *limit);

/* As rounds_time and rounds_wrong, with copies by rank 0. A round is a window of copies, in both
 * directions for MODE_BOTH, for which the host waits. */
double limit_time(const struct limit *limit, const struct rounds *rounds);
long limit_wrong(const struct limit *limit, const struct rounds *rounds, uint64_t seed);

#endif
