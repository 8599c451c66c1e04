/* rdma_peer.h: what the peer paths share. A GPU moves a block straight into the receive buffer; no
 * processor touches a byte of it.
 *
 *     D to D   the sender's GPU stores into the receiver's memory, which is mapped by CUDA IPC
 *     P to D   the receiver's GPU reads the sender's buffer, which lies in a shared segment
 *     D to P   the sender's GPU writes into the receiver's buffer, which lies in that segment
 *
 * So in each direction one rank moves and the other is passive. Two words in the segment tell all
 * that there is to say:
 *
 *     ticket   the passive rank has started its half of message n (a receive that has room, or a
 *              send that has data)                                     written by its processor
 *     flag     message n is there, and its source may be overwritten   written by the moving GPU
 *
 * The moving rank waits for the ticket before it moves; both ranks wait for the flag. */
#ifndef RDMA_RDMA_PEER_H
#define RDMA_RDMA_PEER_H

#include "rdma_internal.h"

#include <stdatomic.h>
#include <stdint.h>

/* Directions of an end. */
enum { RDMA_PEER_SEND, RDMA_PEER_RECEIVE, RDMA_PEER_DIRECTIONS };

enum {
    /* Messages of a direction may take turns in so many lanes with a flag each, so that one is on
     * its way while the flag of the one before is raised. */
    RDMA_PEER_LANES = 2,
    RDMA_PEER_WINDOW = 1 << 14, /* largest window: flags count modulo RDMA_PEER_NUMBERS */
    RDMA_PEER_NUMBERS = 1 << 16,
};

struct rdma_peer_ticket {
    _Atomic uint64_t number; /* of the message, from 1 */
    uint64_t bytes;
};

struct rdma_peer_direction {
    bool mine;                        /* this rank moves */
    const void *from;                 /* what its GPU reads and */
    void *to;                         /* writes, in its addresses; only where it moves */
    uint32_t *device_flags;           /* one per lane, for the GPU */
    _Atomic uint32_t *flags;          /* the same for the processor */
    struct rdma_peer_ticket *tickets; /* message n: [n % window] */
    size_t *bytes;                    /* message n: [n % window]; of those that were started here */
    uint64_t started, moved;
};

struct rdma_peer;

/* How a path moves. */
struct rdma_peer_mover {
    int lanes;
    /* Starts to move message `number` (from 0), and to set the flag of lane number % lanes to
     * number / lanes + 1 modulo RDMA_PEER_NUMBERS afterwards. */
    void (*move)(struct rdma_peer *peer, int direction, uint64_t number, size_t bytes);
    /* NULL, or called again and again while something that was moved has no flag yet. */
    void (*look_after)(struct rdma_peer *peer);
};

/* The first member of what a path has as its state. */
struct rdma_peer {
    const struct rdma_end *end;
    const struct rdma_peer_mover *mover;
    struct rdma_segment segment;
    struct rdma_peer_direction directions[RDMA_PEER_DIRECTIONS];
    void *mapped; /* the other rank's receive buffer, or NULL */
};

const char *rdma_peer_complaint(const struct rdma_config *config);

/* Makes the buffers of the end and connects it; `peer` becomes its state. */
void rdma_peer_open(struct rdma_end *end, struct rdma_peer *peer,
                    const struct rdma_peer_mover *mover);
void rdma_peer_start_receive(struct rdma_end *end, size_t bytes);
void rdma_peer_start_send(struct rdma_end *end, size_t bytes);
void rdma_peer_wait(struct rdma_end *end);
/* Releases what open made, but not `peer` itself. Nothing of this rank is on its way any more. */
void rdma_peer_close(struct rdma_end *end);

#endif
