/* path.h: what a path implements. end.c owns the buffers of the ordinary paths and the agreement
 * between both ends; check.c asks whether a path can be taken; each path is a file of its own. */
#ifndef RDMA_PATH_H
#define RDMA_PATH_H

#include <datamotion/rdma.h>

#include "contact.h"

struct path {
    /* What this rank alone can know, DM_UNAVAILABLE or DM_INVALID if the path cannot be taken.
     * Never blocks, never talks to the other rank. NULL: it always can. */
    enum dm_status (*check)(const struct rdma_config *config);
    size_t state_bytes; /* of end->state, which is all zero before open */
    /* Fills end->state, and the buffers if own_buffers. Both ranks call it at the same time, and
     * make the same exchanges even if they fail; then disconnect and close undo what was done. */
    enum dm_status (*open)(struct rdma_end *end);
    enum dm_status (*start_receive)(struct rdma_end *end, size_t bytes);
    enum dm_status (*start_send)(struct rdma_end *end, size_t bytes);
    /* After DM_TIMEOUT it may be called again. */
    enum dm_status (*wait)(struct rdma_end *end);
    /* Ends what this rank's GPU does with memory of the other rank, and unmaps that: the other rank
     * releases it next. NULL: there is none. */
    void (*disconnect)(struct rdma_end *end);
    /* Gives back what open made, all or a part of it, before the buffers are released. */
    void (*close)(struct rdma_end *end);
    bool own_buffers;   /* the path makes the buffers itself, where the other rank can map them */
    bool same_host;     /* both ranks must be on one host */
    bool needs_devices; /* a rank with a device place must have a GPU */
    bool own_devices;   /* both ranks must have a GPU, and not the same one */
};

struct rdma_end {
    struct rdma_config config; /* with the path that was taken */
    const struct path *path;
    struct contact contact; /* on a communicator of both ranks alone, in which they are 0 and 1 */
    int receives, sends;    /* started and not waited for; end.c keeps them within the window */
    bool is_open;           /* the path's open was called */
    enum dm_status failed;  /* what has made the end useless, or DM_OK */
    void *send_buffer, *receive_buffer;
    bool is_locked;
    bool left_to_mpi; /* MPI may still use the buffers when the end is closed */
    double staging_s;
    void *state; /* of the path */
};

extern const struct path path_host, path_cuda_aware; /* path_mpi.c */
extern const struct path path_staged;                /* both staged paths */
extern const struct path path_pipelined, path_pipelined_shared;
extern const struct path path_peer_copy, path_peer_store;
extern const struct path path_nccl;

const struct path *path_of(enum rdma_path path); /* paths.c */

/* ---- check.c ---- */

/* The paths to be tried, in this order: that of the configuration, or several for RDMA_AUTOMATIC.
 * Both ranks have the same, or learn at the first that their configurations do not fit. */
int path_candidates(const struct rdma_config *config, enum rdma_path candidates[RDMA_PATHS]);

/* Whether an end with this path can be opened, found out together with the other rank. */
enum dm_status path_check(struct contact *contact, const struct rdma_config *config,
                          enum rdma_path path);

/* Rounds up to a multiple of `unit`. */
static inline size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

#endif
