/* rdma.h: a block goes from the memory of one MPI rank into that of another, along one of several
 * paths. Link with -ldatamotion-rdma (pkg-config datamotion-rdma) and MPI.
 *
 *     sender                                                                receiver
 *     send buffer --+-- host: MPI --------------------------------------+-> receive buffer
 *     (H, P or D)   +-- staged: copy, MPI, copy ------------------------+   (H, P or D)
 *                   +-- pipelined: the same in chunks, all at once -----+
 *                   +-- pipelined-shared: chunks in shared host memory -+
 *                   +-- cuda-aware: MPI takes device pointers ----------+
 *                   +-- peer-copy, peer-store: copy engine or kernel ---+
 *                   +-- nccl: ncclSend, ncclRecv -----------------------+
 *
 * Two ranks open an end each. A receive that is started meets the send that is started at the other
 * end, in order; the data are there when rdma_wait has returned:
 *
 *     rank 0                                  rank 1
 *     rdma_open(&end, &config)                rdma_open(&end, &config)
 *     fill rdma_send_buffer(end)
 *     rdma_send(end, bytes)  -------------->  rdma_receive(end, bytes)
 *                                             use rdma_receive_buffer(end)
 *     rdma_close(end)                         rdma_close(end)
 *
 * Errors are reported as datamotion/status.h says. What fails in rdma_check or rdma_open fails at
 * both ranks, which learn of it at once, with the same sentence. When a transfer fails at one rank,
 * the other learns of it at the latest when its wait reaches the time limit.
 *
 * An end and the communicator that it is opened on belong to one thread at a time. Source: Peshne,
 * Enhancements to looping constructs by prefetching and exploiting GPU (University of Florida,
 * 2018), 5.4 and 6.3.4. */
#ifndef DATAMOTION_RDMA_H
#define DATAMOTION_RDMA_H

#include <stdbool.h>
#include <stddef.h>

#include <mpi.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- places and paths ---- */

/* Where a buffer lies; letters as in the OSU benchmarks, with P for page-locked. */
enum rdma_place {
    RDMA_PAGEABLE, /* H: host memory */
    RDMA_PINNED,   /* P: page-locked host memory */
    RDMA_DEVICE,   /* D: GPU memory */
    RDMA_PLACES
};

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
    RDMA_PATHS,
    /* The first of host, peer-copy, pipelined-shared, cuda-aware, nccl and pipelined that can be
     * taken. peer-store is faster for small blocks, but takes thread blocks from other kernels, and
     * is never chosen. */
    RDMA_AUTOMATIC = RDMA_PATHS
};

/* "host", "staged-pageable", ..., "automatic"; "unknown" if there is no such path. */
DM_API const char *rdma_path_name(enum rdma_path path);

/* What it does, in a few words; "" of other than one path. */
DM_API const char *rdma_path_meaning(enum rdma_path path);

/* Whether it goes from one place to another. */
DM_API bool rdma_path_goes(enum rdma_path path, enum rdma_place from, enum rdma_place to);

/* 'H', 'P' or 'D'. */
DM_API char rdma_place_letter(enum rdma_place place);

/* ---- ends ---- */

/* What an end is to be. Both ranks name the same path, sizes and window, and each other's places.
 */
struct rdma_config {
    enum rdma_path path;
    MPI_Comm ranks;        /* has both ranks; other ranks take no part */
    int peer;              /* the other rank in `ranks` */
    enum rdma_place place; /* of my buffers */
    enum rdma_place peer_place;
    int device;          /* my GPU; -1: none, and then CUDA is never called */
    size_t bytes;        /* size of the largest block, at least 1 */
    int window;          /* maximum of receives, and of sends, started and not waited for; >= 1 */
    size_t chunk_bytes;  /* of the pipelined paths; 0: chosen by the size of the block */
    int store_blocks;    /* thread blocks of peer-store's kernel; 0: a quarter of the GPU's
                            multiprocessors */
    double wait_limit_s; /* no wait takes longer without any progress; more than 0 */
    int local_ranks;     /* of the job on this node, as MPI_Comm_split_type(MPI_COMM_TYPE_SHARED) of
                            MPI_COMM_WORLD counts them: with a core for each, waits do not yield it.
                            0: the ranks at hand are counted; in a job of more than two, waits yield */
    /* `bytes` of the caller's memory at my place, which must outlive the end; NULL: the end
     * allocates. Only for paths that do not map memory between ranks (not pipelined-shared,
     * peer-copy and peer-store). */
    void *send_buffer, *receive_buffer;
};

/* DM_OK if an end can be opened. Both ranks call it, and both get the same result. DM_INVALID: the
 * configuration makes no sense, or the two ranks' do not fit together; DM_UNAVAILABLE: the path
 * cannot be taken between these ranks, and the sentence says what to do; DM_TIMEOUT: the other rank
 * did not call it within the limit. After DM_TIMEOUT the two ranks must not open ends on this
 * communicator any more. */
DM_API enum dm_status rdma_check(const struct rdma_config *config);

struct rdma_end;

/* Checks as above, allocates the buffers and connects both ends; both ranks call it. The device
 * becomes the current one, and must be current in all calls with this end. *end is NULL on error;
 * besides those of rdma_check DM_NO_MEMORY, DM_LOST and DM_FAILED. */
DM_API enum dm_status rdma_open(struct rdma_end **end, const struct rdma_config *config);

/* The path that was taken; of interest with RDMA_AUTOMATIC. */
DM_API enum rdma_path rdma_end_path(const struct rdma_end *end);

/* `bytes` of my place that sends read from, and receives write to. A host pointer for H and P, a
 * device pointer for D. What is in buffers of the end's own is undefined after the open. */
DM_API void *rdma_send_buffer(const struct rdma_end *end);
DM_API void *rdma_receive_buffer(const struct rdma_end *end);

/* Whether buffers at P are page-locked: a rank without a GPU locks them by itself, which the system
 * may not permit (ulimit -l). Then they are merely resident. True for other places. */
DM_API bool rdma_buffers_are_locked(const struct rdma_end *end);

/* Start to receive, or to send, the first `bytes` of the buffer (0 .. config.bytes). All messages
 * use the same buffer, as in the OSU bandwidth test. The send buffer must not be written to, and
 * the receive buffer not be read, before rdma_wait has returned; device buffers must be ready (no
 * kernel of any stream still writes) when a send starts. May do a part of the work, or all.
 *
 * DM_INVALID: too many bytes, or the window is full: nothing was started, and the end is as before.
 * After any other error here, and any but DM_TIMEOUT in rdma_wait, the end fails in all further
 * calls, and is to be closed. */
DM_API enum dm_status rdma_start_receive(struct rdma_end *end, size_t bytes);
DM_API enum dm_status rdma_start_send(struct rdma_end *end, size_t bytes);

/* Until everything that was started is complete: sent data may be overwritten, received data are
 * visible to the host or to every kernel that is launched now. DM_INVALID: the two ranks named
 * different sizes (the paths through MPI alone, host, staged, cuda-aware and nccl, notice that only
 * in part); DM_TIMEOUT: nothing happened for the time limit; what was started goes on, and may be
 * waited for again. */
DM_API enum dm_status rdma_wait(struct rdma_end *end);

/* Start and wait. */
DM_API enum dm_status rdma_send(struct rdma_end *end, size_t bytes);
DM_API enum dm_status rdma_receive(struct rdma_end *end, size_t bytes);

/* Time in s of copies between GPU and host memory that nothing overlapped, since the open: those of
 * the staged paths, from the start of a copy until it has been waited for. */
DM_API double rdma_staging_s(const struct rdma_end *end);

/* Both ranks call it; each waits for the other, up to the time limit. NULL is allowed. Buffers that
 * MPI may still use, because something was started and never completed, are not released. */
DM_API void rdma_close(struct rdma_end *end);

#ifdef __cplusplus
}
#endif
#endif
