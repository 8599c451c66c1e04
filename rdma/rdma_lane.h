/* rdma_lane.h: one direction of a pipelined path. A message is cut into chunks, and each chunk goes
 * through three stages, in order, without ever waiting:
 *
 *                begin                     pass                          finish
 *     sender     copy out of the block     copied: give it to the wire   the wire needs it no more
 *     receiver   ask the wire for it       it came: copy into the block  copied
 *
 * What the wire is, MPI or memory that both ranks map, is in the stages of the path. Both ranks cut
 * a message alike, because they know its size and the same configuration. */
#ifndef RDMA_RDMA_LANE_H
#define RDMA_RDMA_LANE_H

#include "rdma_internal.h"

/* Chunks in flight: one is copied out, one is on the wire, one is copied in, and one is spare, so
 * that no engine idles while the host takes notice of another's end. */
enum { RDMA_LANE_DEPTH = 4 };

struct rdma_chunk {
    size_t offset, bytes; /* in the block */
    size_t message_bytes;
};

struct rdma_lane;

/* Each stage tries the chunk in `slot` and says whether it went on. */
struct rdma_lane_stages {
    bool (*begin)(struct rdma_lane *lane, int slot);
    bool (*pass)(struct rdma_lane *lane, int slot);
    bool (*finish)(struct rdma_lane *lane, int slot);
};

struct rdma_lane {
    const struct rdma_lane_stages *stages;
    const struct rdma_end *end;
    void *wire;          /* for the stages */
    char *block;         /* my send or receive buffer */
    size_t chunk_bytes;  /* 0: chosen by the message */
    cudaStream_t stream; /* of copies from or to the block, if it is in device memory */
    size_t *messages;    /* ring of config.window sizes: those not yet cut to the end */
    size_t added, cut;   /* messages */
    size_t offset;       /* in the message that is being cut */
    /* Chunks; number n is in slot n % RDMA_LANE_DEPTH. */
    size_t begun, passed, finished;
    struct rdma_chunk chunks[RDMA_LANE_DEPTH];
    cudaEvent_t copied[RDMA_LANE_DEPTH];
};

/* Bytes of a chunk that suit a message: about the square root of its size, so that neither the
 * chunks' number nor the time to fill the pipeline is large. Never falls with the size. */
size_t rdma_good_chunk(size_t message_bytes);

/* Bytes of the largest chunk that a lane of this configuration cuts. */
size_t rdma_largest_chunk(const struct rdma_config *config);

/* `chunk_bytes` 0: rdma_good_chunk of each message. The lane stays where it is. */
void rdma_lane_open(struct rdma_lane *lane, const struct rdma_end *end, void *block,
                    size_t chunk_bytes, const struct rdma_lane_stages *stages, void *wire);
void rdma_lane_close(struct rdma_lane *lane);

/* Operations of a path whose state begins with `struct rdma_lanes`. The starts do what can be done
 * at once; while one waits, both directions go on at the same time. */
struct rdma_lanes {
    struct rdma_lane send, receive;
};
void rdma_lanes_start_receive(struct rdma_end *end, size_t bytes);
void rdma_lanes_start_send(struct rdma_end *end, size_t bytes);
void rdma_lanes_wait(struct rdma_end *end);

/* For stages: starts to copy the bytes of the chunk in `slot` (by the copy engine if the block is
 * in device memory, else by the CPU), and says whether that has happened. */
void rdma_lane_copy(struct rdma_lane *lane, int slot, void *to, const void *from);
bool rdma_lane_copied(struct rdma_lane *lane, int slot);

/* For stages: ends the program if the sender's message is not as long as the receive that meets
 * it. */
void rdma_lane_check_size(const struct rdma_lane *lane, size_t sent, size_t expected);

#endif
