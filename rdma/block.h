/* block.h: a worker with a GPU gets a block from a server, works on it and puts it back; what
 * rdma_get, rdma_put and rdma_total share.
 *
 *     rank 0, worker                     rank 1, server without a GPU
 *     request  ------------------------>
 *     receive buffer  <-- path, block --  send buffer                   get
 *          |  kernels: scale                                            work
 *     send buffer  ----- path, block -->  receive buffer                put
 *              <------------------------  acknowledgement
 *
 * Source: Peshne 2018, 5.4 and 6.3.4: blocks of the super instruction architecture lie in the main
 * memory of servers. */
#ifndef RDMA_BLOCK_H
#define RDMA_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

#include "ends.h"

enum { WORKER = 0, SERVER = 1 }; /* ranks */

/* What a program does with a block, in this order. */
struct block_steps {
    bool get;
    int work; /* kernels that scale the received block into the send buffer */
    bool put;
};

/* Times of one sample, at the worker. */
struct block_times {
    double get_s;     /* from the request until the block is in the receive buffer */
    double compute_s; /* kernels, waited for */
    double put_s;     /* from the start of the send until the acknowledgement has come */
    double copies_s; /* the part of get_s and put_s in copies between GPU and host (staged paths) */
};

/* What all blocks share. Only the worker has a stream and a staging buffer: the blocks of a server
 * are in host memory. */
struct block_site {
    struct block_steps steps;
    MPI_Comm messages;   /* requests and acknowledgements, apart from the blocks */
    cudaStream_t stream; /* waits for no other stream */
    uint64_t *staging;   /* page-locked, on the way between a device buffer and the checks */
};

/* For blocks of up to so many numbers. */
struct block_site block_site_open(struct block_steps steps, size_t elements_max);
void block_site_close(struct block_site *site);

struct block {
    int variant;
    const struct block_site *site;
    struct rdma_end *end;
    enum rdma_place place;    /* of my buffers */
    size_t elements;          /* numbers of 8 bytes */
    uint64_t seeds[2];        /* of what lies in the send buffer of each rank */
    struct block_times times; /* of the last sample */
};

/* Fills the send buffer with the random numbers of `seed` and this rank, and the receive buffer
 * with something else. */
void block_fill(struct block *block, uint64_t seed);

/* Returns when the GPU takes kernels; to be called once before any end is opened, and before each
 * sample. The kernel of the path peer-store stays on the GPU for a while: where kernels do not run
 * at the same time (the software GPU), the sample that follows would wait for it; and a kernel that
 * is launched for the first time may wait for it on any GPU (CUDA programming guide, lazy loading).
 */
void block_settle(const struct block_site *site);

/* All steps once. Both ranks call it. Returns the time in s, 0 at the server. */
double block_sample(struct block *block);

/* Numbers that differ from what all steps make of the seeds, on both ranks together. Both ranks
 * call it, and both get the sum. */
long block_count_wrong(const struct block *block);

/* ---- programs (block_programs.c) ---- */

/* How the worker's buffers and the path are named, for `struct program`: two ways with buffers in
 * main memory, then those with buffers in GPU memory. */
extern const struct variant block_variants[];
enum { BLOCK_HOST_VARIANTS = 2 };
extern const size_t block_sizes[];

/* Columns of a program with one direction. */
extern const struct column block_columns[];

/* The `run` of a program with one direction. */
void run_blocks(struct run *run, struct block_steps steps);

/* That of a program with rows of its own: `row` fills one of the block's last sample. */
void run_blocks_with(struct run *run, struct block_steps steps, size_t row_bytes,
                     void (*row)(const void *block, double time_s, void *row));

#endif
