/* rdma_internal.h: what a path implements. rdma.c owns the table, the buffers of the ordinary paths
 * and the agreement between both ends; each path is a file of its own. */
#ifndef RDMA_RDMA_INTERNAL_H
#define RDMA_RDMA_INTERNAL_H

#include "rdma.h"

#include "gpu.h"
#include "rdma_count.h"

struct rdma_operations {
    /* What this rank alone can know: NULL or a sentence, as rdma_complaint. Never blocks, never
     * talks to the other rank. NULL pointer: nothing to complain about. */
    const char *(*complaint)(const struct rdma_config *config);
    /* Fills end->state, and the buffers if own_buffers. Both ranks call it at the same time. */
    void (*open)(struct rdma_end *end);
    void (*start_receive)(struct rdma_end *end, size_t bytes);
    void (*start_send)(struct rdma_end *end, size_t bytes);
    void (*wait)(struct rdma_end *end);
    void (*close)(struct rdma_end *end); /* what open made, before the buffers are released */
    bool own_buffers;   /* the path makes the buffers itself (they are mapped by the other rank) */
    bool same_host;     /* rdma.c complains if the ranks are on different hosts */
    bool needs_devices; /* rdma.c complains if a rank with a device place has no GPU */
};

struct rdma_end {
    struct rdma_config config;
    const struct rdma_operations *operations;
    int rank; /* of this end in config.ranks, a communicator of both ranks alone: 0 or 1 */
    int receives, sends; /* started and not waited for; rdma.c keeps them within the window */
    char activity[80];   /* what rdma_wait does, for the message when a signal ends it */
    void *send_buffer, *receive_buffer;
    /* Copies between GPU and host that nothing overlapped, since the open: the staged paths add to
     * it, from the start of a copy until it has been waited for. */
    double copy_s;
    void *state; /* of the path */
};

extern const struct rdma_operations rdma_host_operations;   /* rdma_host.c */
extern const struct rdma_operations rdma_staged_operations; /* rdma_staged.c: both staged paths */
extern const struct rdma_operations rdma_pipelined_operations; /* rdma_pipelined.c: over MPI */
extern const struct rdma_operations rdma_pipelined_shared_operations; /* rdma_pipelined_shared.c */
extern const struct rdma_operations rdma_cuda_aware_operations;       /* rdma_cuda_aware.c */
extern const struct rdma_operations rdma_peer_copy_operations;        /* rdma_peer_copy.c */
extern const struct rdma_operations rdma_peer_store_operations;       /* rdma_peer_store.c, .cu */
extern const struct rdma_operations rdma_nccl_operations;             /* rdma_nccl.c */

const struct rdma_operations *rdma_operations_of(enum rdma_path path); /* rdma.c */
const char *rdma_path_name(enum rdma_path path); /* "unknown" if there is no such path */

/* The number in MPI_COMM_WORLD of a rank of config->ranks: messages name ranks as mpirun does. */
int rdma_world_rank(const struct rdma_config *config, int rank);

/* ---- who shares the cores (rdma_cores.c) ---- */

enum { RDMA_KERNEL_NAME = 40 };
/* Names the kernel that this rank runs under: virtual hosts have names of their own, but one
 * kernel and its cores. Empty if it has no name. */
void rdma_kernel_name(char name[RDMA_KERNEL_NAME]);
/* Finds out, together with the other rank, whether each has a core of its own. */
void rdma_learn_cores(const struct rdma_config *config);
bool rdma_cores_are_crowded(void);

/* ---- waiting (rdma_wait.c) ---- */

struct rdma_patience {
    double start_s;
    const struct rdma_config *config;
    const char *what; /* "a block", "room for a block", ... for the message */
};
struct rdma_patience rdma_be_patient(const struct rdma_config *config, const char *what);
/* After each look that found nothing: returns at once where every rank of the host has a core of
 * its own, else gives the core away soon and later sleeps for microseconds. Ends the program when
 * the limit has passed: `rank 1 waited 30 s for a block from rank 0 (path peer-copy): ...`. */
void rdma_pause(const struct rdma_patience *patience);

/* MPI_Test, counted. */
bool rdma_request_is_done(MPI_Request *request);
/* MPI_Test until the request is complete, with the limit of the end. */
void rdma_wait_request(const struct rdma_end *end, MPI_Request *request, const char *what);
void rdma_wait_requests(const struct rdma_end *end, MPI_Request *requests, int count,
                        const char *what);
/* Of the answer of cudaEventQuery or cudaStreamQuery; also forgets that it was `not ready`, which
 * the next cudaGetLastError would say otherwise. Ends the program on an error. */
bool rdma_gpu_is_done(cudaError_t answer);
/* cudaEventQuery until the event has happened, with the limit. */
void rdma_wait_event(const struct rdma_end *end, cudaEvent_t event, const char *what);

/* ---- messages (rdma_wait.c) ---- */

/* MPI_Isend and MPI_Irecv of bytes to and from the other rank, counted, also beyond 2^31 bytes (in
 * pieces of one request each would not fit: a contiguous type of 1 MiB pieces and a rest is made).
 */
void rdma_isend(const struct rdma_end *end, const void *buffer, size_t bytes, MPI_Request *request);
void rdma_irecv(const struct rdma_end *end, void *buffer, size_t bytes, MPI_Request *request);

/* ---- memory that both ranks of one host map (rdma_segment.c) ---- */

/* A piece of shared memory, zeroed at first, with all pages there (no SIGBUS later). */
struct rdma_segment {
    char *base;
    size_t bytes;
    void *device_base; /* where a device sees it, when it is registered; else NULL */
    bool registered;
};
/* Both ranks call it; the lower rank makes it. It has no name any more when this returns, so that
 * it goes away with the processes. It may be larger than /dev/shm. Registered with CUDA
 * (page-locked, mapped) at the ends that have a device. Ends the program with a sentence if it does
 * not fit. */
struct rdma_segment rdma_segment_open(const struct rdma_config *config, size_t bytes);
void rdma_segment_close(struct rdma_segment *segment);

/* Sends `bytes` to the other rank and receives as many from it, with the limit. */
void rdma_exchange(const struct rdma_config *config, const void *mine, void *theirs, size_t bytes);

#endif
