/* rdma_block.h: a worker with a GPU gets a block from a server, works on it and puts it back; what
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
#ifndef RDMA_RDMA_BLOCK_H
#define RDMA_RDMA_BLOCK_H

#include "program.h"
#include "rdma.h"

#include <stddef.h>
#include <stdint.h>

enum { RDMA_WORKER = 0, RDMA_SERVER = 1 }; /* ranks */

/* What a program does with a block, in this order. */
struct rdma_block_steps {
    bool get;
    int work; /* kernels that scale what has been got, and leave it in the send buffer */
    bool put;
};

/* Times of one sample, at the worker. */
struct rdma_block_times {
    double get_s;     /* from the request until the block is in the receive buffer */
    double compute_s; /* kernels, waited for */
    double put_s;     /* from the start of the send until the acknowledgement has come */
    double copies_s; /* the part of get_s and put_s in copies between GPU and host (staged paths) */
};

/* What all blocks of a size share. Only the worker has a stream and a staging buffer: the blocks of
 * a server are in host memory. */
struct rdma_block_site {
    struct rdma_block_steps steps;
    MPI_Comm messages;   /* requests and acknowledgements, apart from the blocks */
    cudaStream_t stream; /* waits for no other stream */
    uint64_t *staging;   /* page-locked, on the way between a device buffer and the checks */
};

struct rdma_block {
    const struct rdma_block_site *site;
    struct rdma_end *end;
    enum rdma_place place;          /* of my buffers */
    size_t elements;                /* numbers of 8 bytes */
    uint64_t seeds[2];              /* of what lies in the send buffer of each rank */
    struct rdma_block_times *times; /* of all samples, in their order; free() */
    size_t samples, capacity;
};

/* Fills the send buffer with the random numbers of `seed` and this rank, and the receive buffer
 * with something else. */
void rdma_block_fill(struct rdma_block *block, uint64_t seed);

/* Returns when the GPU takes kernels; a subject's `before`, and to be called once before any end is
 * opened. The kernel of the path peer-store stays on the GPU for a while: where kernels do not run
 * at the same time (the software GPU), the sample that follows would wait for it; and a kernel that
 * is launched for the first time may wait for it on any GPU (CUDA programming guide, lazy loading).
 */
void rdma_block_settle(const struct rdma_block_site *site);

/* All steps once; a subject's `sample`. Both ranks call it. Returns the time in s, 0 at the server;
 * adds an entry to block->times. */
double rdma_block_sample(void *block);

/* Numbers that differ from what all steps make of the seeds, on both ranks together. Both ranks
 * call it, and both get the sum. */
long rdma_block_wrong(const struct rdma_block *block);

/* ---- programs (rdma_block_run.c) ---- */

/* How the worker's buffers and the path are named, for `struct program`: two ways with buffers in
 * main memory, then those with buffers in GPU memory. */
extern const struct variant rdma_block_variants[];
enum { RDMA_BLOCK_HOST_VARIANTS = 2 };
extern const size_t rdma_block_sizes[];

extern double rdma_block_wait_limit_s;
#define RDMA_BLOCK_OPTIONS                                                                         \
    {                                                                                              \
        "wait-limit", OPTION_REAL, &rdma_block_wait_limit_s, "SECONDS",                            \
            "longest wait for the other rank; then the program ends", 0.01, 1e6                    \
    }

#define RDMA_BLOCK_COLUMNS                                                                         \
    {"block_elements", COLUMN_PARAMETER, "numbers in the block"},                                  \
    {                                                                                              \
        "block_bytes", COLUMN_PARAMETER, "size of the block: 8 bytes per number"                   \
    }

/* Columns of a program with one direction, and their row: sizes and bandwidth. */
extern const struct column rdma_block_columns[];
void rdma_block_record(struct run *run, const char *variant, int repetition, size_t elements,
                       double time_s, const struct rdma_block_times *times, long errors);

/* The `run` of the programs: all variants that can run here take turns, for each size; `record`
 * writes a row. */
typedef void rdma_block_recorder(struct run *run, const char *variant, int repetition,
                                 size_t elements, double time_s,
                                 const struct rdma_block_times *times, long errors);
void rdma_block_run(struct run *run, struct rdma_block_steps steps, rdma_block_recorder *record);

#endif
