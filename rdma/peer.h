/* peer.h: what the peer paths share. A GPU moves a block straight into the receive buffer; no
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
#ifndef RDMA_PEER_H
#define RDMA_PEER_H

#include <stdatomic.h>
#include <stdint.h>

#include "path.h"
#include "segment.h"

/* Directions of an end. */
enum { PEER_SEND, PEER_RECEIVE, PEER_DIRECTIONS };

enum {
    /* Messages of a direction may use so many lanes with a flag each in turn, so that one is on its
     * way while the flag of the one before is raised. */
    PEER_LANES = 2,
    PEER_WINDOW_MAX = 1 << 14, /* flags count modulo PEER_NUMBERS */
    PEER_NUMBERS = 1 << 16,
};

struct peer_ticket {
    _Atomic uint64_t number; /* of the message, from 1 */
    uint64_t bytes;
};

struct peer_direction {
    bool is_mine;                /* this rank moves */
    const void *from;            /* what its GPU reads and */
    void *to;                    /* writes, in its addresses; only where it moves */
    uint32_t *device_flags;      /* one per lane, for the GPU */
    _Atomic uint32_t *flags;     /* the same for the processor */
    struct peer_ticket *tickets; /* message n: [n % window] */
    size_t *bytes;               /* message n: [n % window]; of those that were started here */
    uint64_t started, moved;
};

struct peer;

/* How a path moves. */
struct peer_mover {
    int lanes;
    /* Starts to move message `number` (from 0), and to set the flag of lane number % lanes to
     * number / lanes + 1 modulo PEER_NUMBERS afterwards. */
    enum dm_status (*move)(struct peer *peer, int direction, uint64_t number, size_t bytes);
    /* NULL, or called again and again while something that was moved has no flag yet. */
    enum dm_status (*look_after)(struct peer *peer);
};

/* The first member of a path's state. */
struct peer {
    const struct rdma_end *end;
    const struct peer_mover *mover;
    struct segment segment;
    struct peer_direction directions[PEER_DIRECTIONS];
    void *mapped; /* the other rank's receive buffer, or NULL */
};

enum dm_status peer_check(const struct rdma_config *config);

/* Makes the buffers of the end and connects it. */
enum dm_status peer_open(struct rdma_end *end, const struct peer_mover *mover);
enum dm_status peer_start_receive(struct rdma_end *end, size_t bytes);
enum dm_status peer_start_send(struct rdma_end *end, size_t bytes);
enum dm_status peer_wait(struct rdma_end *end);
/* Nothing of this rank may be on its way any more. */
void peer_disconnect(struct rdma_end *end);
void peer_close(struct rdma_end *end);

#endif
