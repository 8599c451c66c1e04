/* contact.h: the other rank of an end: messages to and from it, and waits that end. */
#ifndef RDMA_CONTACT_H
#define RDMA_CONTACT_H

#include <cuda_runtime.h>

#include <datamotion/rdma.h>

struct contact {
    MPI_Comm ranks;
    int rank, peer;             /* in `ranks` */
    int world_rank, world_peer; /* in MPI_COMM_WORLD: sentences name ranks as mpirun does */
    enum rdma_path path;        /* named by sentences */
    double wait_limit_s;
    int local_ranks; /* of the job on this node, as the caller counted them; 0: not counted */
    bool is_crowded; /* ranks share cores: waits yield them */
    bool is_lost;    /* the other rank did not reply within the time limit, or MPI failed */
};

/* The other rank of a configuration, on its communicator. */
enum dm_status contact_make(struct contact *contact, const struct rdma_config *config);

/* ---- who shares the cores (cores.c) ---- */

enum { KERNEL_NAME_BYTES = 40 };
/* Names the kernel that this rank runs under: virtual hosts have names of their own, but one
 * kernel and its cores. Empty if it has no name. */
void kernel_name(char name[KERNEL_NAME_BYTES]);

/* Finds out, together with the other rank, whether each has a core of its own. */
enum dm_status contact_learn_cores(struct contact *contact, enum dm_status status);

/* ---- waiting (wait.c) ---- */

struct patience {
    double start_s;
    const struct contact *contact;
    const char *what; /* "a block", "room for a block", ... for the sentence */
};
struct patience patience_start(const struct contact *contact, const char *what);
/* After each look that found nothing: returns at once where every rank of the host has a core of
 * its own, else yields the core soon and later sleeps for microseconds. DM_TIMEOUT at the time
 * limit: `rank 1 waited 30 s for a block from rank 0 (path peer-copy): ...`. */
enum dm_status patience_pause(const struct patience *patience);

/* MPI_Test, counted. */
enum dm_status request_is_done(MPI_Request *request, bool *is_done);
/* MPI_Test until all requests are complete, within the time limit; those that are become
 * NULL. */
enum dm_status requests_wait(const struct contact *contact, MPI_Request *requests, int count,
                             const char *what);
void requests_clear(MPI_Request *requests, int count);
/* Gives up what was not waited for; false if MPI may still use the buffers of a request. */
bool requests_drop(MPI_Request *requests, int count);

/* cudaEventQuery and cudaStreamQuery, which also forget that something was not ready: the next
 * cudaGetLastError would say so otherwise. */
enum dm_status event_is_done(cudaEvent_t event, bool *is_done);
enum dm_status stream_is_done(cudaStream_t stream, bool *is_done);
/* cudaEventQuery until the event has happened, within the time limit. */
enum dm_status event_wait(const struct contact *contact, cudaEvent_t event, const char *what);

/* ---- messages (contact.c) ---- */

/* MPI_Isend and MPI_Irecv of bytes to and from the other rank, counted, also beyond 2^31 bytes. */
enum dm_status message_send(const struct contact *contact, const void *buffer, size_t bytes,
                            MPI_Request *request);
enum dm_status message_receive(const struct contact *contact, void *buffer, size_t bytes,
                               MPI_Request *request);

/* Sends `bytes` (at most EXCHANGE_BYTES) to the other rank and receives as many from it. Both ranks
 * call it even if they have failed, which `status` tells the other one. DM_OK only if both had
 * DM_OK and replied within the time limit; otherwise both get the same status and sentence, the
 * lower rank's if both have failed. */
enum { EXCHANGE_BYTES = 1024 };
enum dm_status contact_exchange(struct contact *contact, enum dm_status status, const void *mine,
                                void *theirs, size_t bytes);

/* The same without data. */
enum dm_status contact_agree(struct contact *contact, enum dm_status status);

#endif
