/* rdma.h: a block goes from the memory of one rank into that of another, along one of several
 * paths.
 *
 *     sender                                                            receiver
 *     send_buffer --+-- host: MPI ----------------------------------+-> receive_buffer
 *     (H, P or D)   +-- staged: copy, MPI, copy --------------------+   (H, P or D)
 *                   +-- pipelined: the same in chunks, all at once -+
 *                   +-- cuda-aware: MPI takes device pointers ------+
 *                   +-- peer: copy engine, or a resident kernel ----+
 *                   +-- nccl: ncclSend, ncclRecv -------------------+
 *
 * Two ranks open an end each. A receive that is started meets the send that is started at the other
 * end, in order; the data are there when rdma_wait has returned. Source: Peshne 2018, 5.4. */
#ifndef RDMA_RDMA_H
#define RDMA_RDMA_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Where a buffer lies; letters as in the OSU benchmarks, with P for page-locked. */
enum rdma_place { RDMA_PAGEABLE, RDMA_PINNED, RDMA_DEVICE, RDMA_PLACES };

enum rdma_path {
    RDMA_HOST,             /* MPI from host memory to host memory */
    RDMA_STAGED_PAGEABLE,  /* device, copy, pageable buffer, MPI, pageable buffer, copy, device */
    RDMA_STAGED,           /* the same with page-locked buffers */
    RDMA_PIPELINED,        /* in chunks: copies of both GPUs and MPI messages at the same time */
    RDMA_PIPELINED_SHARED, /* in chunks, through page-locked memory that both ranks map: no MPI */
    RDMA_CUDA_AWARE,       /* MPI gets device pointers */
    RDMA_PEER_COPY,        /* the sender's copy engine writes into the receiver's memory */
    RDMA_PEER_STORE, /* a resident kernel of the sender does, with stores, and raises a flag */
    RDMA_NCCL,       /* ncclSend and ncclRecv */
    RDMA_PATHS
};

struct rdma_path_info {
    const char *name; /* "staged-pageable", ... as in the CSV files */
    const char *meaning;
    /* Whether it goes from one place to another: [from][to]. */
    bool goes[RDMA_PLACES][RDMA_PLACES];
};
extern const struct rdma_path_info rdma_paths[RDMA_PATHS];

/* The letter (H, P, D) and the word (pageable, pinned, device) of a place. */
char rdma_place_letter(enum rdma_place place);
const char *rdma_place_name(enum rdma_place place);

/* What an end is to be. Both ends name the same path, sizes and limits. */
struct rdma_config {
    enum rdma_path path;
    MPI_Comm ranks;        /* has both ranks; other ranks take no part */
    int peer;              /* the other rank in `ranks` */
    enum rdma_place place; /* of my buffers */
    enum rdma_place peer_place;
    int device;          /* my GPU, -1: none (a server without one) */
    size_t bytes;        /* the largest block, >= 1 */
    int window;          /* most receives, and sends, that are started and not waited for, >= 1 */
    size_t chunk_bytes;  /* of the pipelined paths; 0: a good one is chosen by the block */
    int store_blocks;    /* thread blocks of the resident kernel; 0: the default */
    double wait_limit_s; /* no wait takes longer; then the program ends with a sentence */
};

/* Why this path cannot be taken between these two ranks, as a sentence without a stop that says
 * what to do; NULL if it can. Both ranks call it, and both get an answer if one has a complaint.
 * The text stays valid until the next call. */
const char *rdma_complaint(const struct rdma_config *config);

struct rdma_end;

/* Allocates the buffers and connects both ends; both ranks call it. Ends the program with a
 * sentence if there is not enough memory. Ask rdma_complaint first. */
struct rdma_end *rdma_open(const struct rdma_config *config);

/* `bytes` of my place that sends read from, and receives write to. A host pointer for H and P, a
 * device pointer for D. What is in them after an open is undefined. */
void *rdma_send_buffer(const struct rdma_end *end);
void *rdma_receive_buffer(const struct rdma_end *end);

/* Starts to receive, or to send, the first `bytes` of the buffer (0 .. config.bytes). All messages
 * use the same buffer, as in the OSU bandwidth test. The send buffer must not be written to, and
 * the receive buffer not be read, before rdma_wait has returned; device buffers must be ready (no
 * kernel of any stream still writes) when a send starts. May do a part of the work, or all. */
void rdma_start_receive(struct rdma_end *end, size_t bytes);
void rdma_start_send(struct rdma_end *end, size_t bytes);

/* Until everything that was started is complete: sent data may be overwritten, received data are
 * visible to the host or to every kernel that is launched now. */
void rdma_wait(struct rdma_end *end);

/* Both ranks call it, after rdma_wait. NULL is allowed. */
void rdma_close(struct rdma_end *end);

#endif
