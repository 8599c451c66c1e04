/* lane.h: one direction of a pipelined path. A message is cut into chunks, and each chunk goes
 * through three stages, in order, without ever waiting:
 *
 *                begin                     pass                          finish
 *     sender     copy out of the block     copied: give it to the wire   the wire needs it no more
 *     receiver   ask the wire for it       it came: copy into the block  copied
 *
 * What the wire is, MPI or memory that both ranks map, is in the stages of the path. Both ranks cut
 * a message alike, because they know its size and the same configuration. */
#ifndef RDMA_LANE_H
#define RDMA_LANE_H

#include "path.h"

/* Chunks in flight: one is copied out, one is on the wire, one is copied in, and one is spare, so
 * that no engine idles until the host notices that another has finished. */
enum { LANE_DEPTH = 4 };

struct chunk {
    size_t offset, bytes; /* in the block */
    size_t message_bytes;
};

struct lane;

/* Each stage tries the chunk in `slot`, and sets *went_on if it went on. */
typedef enum dm_status lane_stage(struct lane *lane, int slot, bool *went_on);
struct lane_stages {
    lane_stage *begin, *pass, *finish;
};

struct lane {
    const struct lane_stages *stages;
    const struct rdma_end *end;
    void *wire;          /* for the stages */
    char *block;         /* my send or receive buffer */
    size_t chunk_bytes;  /* 0: chosen by the message */
    cudaStream_t stream; /* of copies from or to the block, if it is in device memory */
    size_t *messages;    /* ring of config.window sizes: those not yet cut to the end */
    size_t added, cut;   /* messages */
    size_t offset;       /* in the message that is being cut */
    /* Chunks; number n is in slot n % LANE_DEPTH. */
    size_t begun, passed, finished;
    struct chunk chunks[LANE_DEPTH];
    cudaEvent_t copied[LANE_DEPTH];
};

/* Bytes of a chunk that suit a message: about the square root of its size, so that neither the
 * chunks' number nor the time to fill the pipeline is large. Never falls with the size. */
size_t lane_good_chunk(size_t message_bytes);

/* Bytes of the largest chunk that a lane of this configuration cuts. */
size_t lane_largest_chunk(const struct rdma_config *config);

/* `chunk_bytes` 0: lane_good_chunk of each message. The lane stays where it is. */
enum dm_status lane_open(struct lane *lane, const struct rdma_end *end, void *block,
                         size_t chunk_bytes, const struct lane_stages *stages, void *wire);
/* Also one that was opened in part, or is all zero. No copy is in flight any more then. */
void lane_close(struct lane *lane);

/* Operations of a path whose state begins with `struct lanes`. The starts do what can be done at
 * once; while one waits, both directions go on at the same time. */
struct lanes {
    struct lane send, receive;
};
enum dm_status lanes_start_receive(struct rdma_end *end, size_t bytes);
enum dm_status lanes_start_send(struct rdma_end *end, size_t bytes);
enum dm_status lanes_wait(struct rdma_end *end);

/* For stages: starts to copy the bytes of the chunk in `slot` (by the copy engine if the block is
 * in device memory, else by the CPU), and says whether that has happened. */
enum dm_status lane_copy(struct lane *lane, int slot, void *to, const void *from);
enum dm_status lane_is_copied(struct lane *lane, int slot, bool *is_copied);

/* For stages: DM_INVALID if the sender's message is not as long as the receive that meets it. */
enum dm_status lane_check_size(const struct lane *lane, size_t sent, size_t expected);

#endif
