/* traffic.h: threads that copy through host memory while something else is measured.
 *
 * Blocks that pass through host memory share its bandwidth with whoever else uses it; blocks that
 * go from GPU to GPU do not. Source: Peshne 2018, 5.4.2. */
#ifndef RDMA_TRAFFIC_H
#define RDMA_TRAFFIC_H

struct traffic;

/* Starts threads that copy between buffers larger than caches, and returns when all do. All ranks
 * of MPI_COMM_WORLD call it. The threads keep off the cores that ranks are bound to, if there are
 * others, so that they take memory bandwidth and not time on a core. 0 threads: NULL. */
struct traffic *traffic_start(int threads);

/* Ends them; returns how many bytes they copied per second (each was read and written once). NULL
 * is allowed: 0. */
double traffic_stop(struct traffic *traffic);

#endif
