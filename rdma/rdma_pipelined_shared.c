/* The wire is memory that both ranks of a host map, page-locked at the ends that have a GPU. How a
 * block goes depends on where it lies at both ends:
 *
 *     ring   neither end is page-locked   sender -> slot -> receiver, in chunks, both at once
 *     push   the receiver's block is      sender -> the receiver's block
 *     pull   the sender's block is        the sender's block -> receiver
 *
 * where each arrow is one copy, by the copy engine of the end with device memory, else by its CPU:
 * a page-locked block lies in the shared memory itself. Two counters per direction say how far both
 * ranks are; no call of MPI or of the operating system takes part. */
#include "rdma_lane.h"

#include "memory.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

enum way { RING, PUSH, PULL };

/* In the segment. Each counter has a cache line of its own, as the other rank looks at it all the
 * time. */
struct direction {
    alignas(64)
        atomic_size_t room;           /* by the receiver; ring: chunks that the sender may have
                                         filled,   push: receives begun, pull: chunks that were read */
    alignas(64) atomic_size_t filled; /* by the sender: chunks that the receiver may read */
    size_t message_bytes[RDMA_LANE_DEPTH];
};

struct wire {
    enum way way;
    struct direction *direction;
    char *memory; /* the ring, or the block of the end that is page-locked */
    size_t slot_bytes;
};

struct shared {
    struct rdma_lanes lanes; /* first, for rdma_lanes_wait and the starts */
    struct wire send_wire, receive_wire;
    struct rdma_segment segment;
};

/* Offsets in the segment; index: the rank. */
struct layout {
    size_t ring[2]; /* of what this rank sends */
    size_t send_block[2], receive_block[2];
    size_t bytes;
};

static enum way way_between(enum rdma_place from, enum rdma_place to)
{
    return from == RDMA_PINNED ? PULL : to == RDMA_PINNED ? PUSH : RING;
}

/* ---- stages ---- */

static char *wire_memory(const struct rdma_lane *lane, int slot)
{
    const struct wire *wire = lane->wire;

    return wire->memory + (wire->way == RING ? (size_t)slot * wire->slot_bytes : 0);
}

static bool begin_send(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    if (wire->way == PULL)
        return true;
    if (atomic_load_explicit(&wire->direction->room, memory_order_acquire) <= lane->begun)
        return false;
    rdma_lane_copy(lane, slot, wire_memory(lane, slot), lane->block + lane->chunks[slot].offset);
    return true;
}

static bool pass_send(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    if (wire->way != PULL && !rdma_lane_copied(lane, slot))
        return false;
    wire->direction->message_bytes[slot] = lane->chunks[slot].message_bytes;
    atomic_store_explicit(&wire->direction->filled, lane->passed + 1, memory_order_release);
    return true;
}

static bool finish_send(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    (void)slot;
    return wire->way != PULL ||
           atomic_load_explicit(&wire->direction->room, memory_order_acquire) > lane->finished;
}

static bool begin_receive(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    (void)slot;
    if (wire->way == PUSH)
        atomic_store_explicit(&wire->direction->room, lane->begun + 1, memory_order_release);
    return true;
}

static bool pass_receive(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    if (atomic_load_explicit(&wire->direction->filled, memory_order_acquire) <= lane->passed)
        return false;
    rdma_lane_check_size(lane, wire->direction->message_bytes[slot],
                         lane->chunks[slot].message_bytes);
    if (wire->way != PUSH)
        rdma_lane_copy(lane, slot, lane->block + lane->chunks[slot].offset,
                       wire_memory(lane, slot));
    return true;
}

static bool finish_receive(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    if (wire->way == PUSH)
        return true;
    if (!rdma_lane_copied(lane, slot))
        return false;
    size_t ahead = wire->way == RING ? RDMA_LANE_DEPTH : 0;
    atomic_store_explicit(&wire->direction->room, lane->finished + 1 + ahead, memory_order_release);
    return true;
}

/* ---- open and close ---- */

static size_t take(struct layout *layout, size_t bytes)
{
    static const size_t page_bytes = 4096;
    size_t offset = layout->bytes;

    layout->bytes += (bytes + page_bytes - 1) / page_bytes * page_bytes;
    return offset;
}

/* Both ranks come to the same result. Nothing is taken that is not used: /dev/shm is small on many
 * hosts. */
static struct layout lay_out(const struct rdma_config *config, int mine)
{
    enum rdma_place places[2];
    struct layout layout = {.bytes = 0};

    places[mine] = config->place;
    places[!mine] = config->peer_place;
    take(&layout, 2 * sizeof(struct direction));
    for (int rank = 0; rank < 2; rank++) {
        if (way_between(places[rank], places[!rank]) == RING)
            layout.ring[rank] = take(&layout, RDMA_LANE_DEPTH * rdma_largest_chunk(config));
        if (places[rank] != RDMA_PINNED)
            continue;
        layout.send_block[rank] = take(&layout, config->bytes);
        layout.receive_block[rank] = take(&layout, config->bytes);
    }
    return layout;
}

/* The wire of what `sender` sends. */
static struct wire make_wire(const struct rdma_segment *segment, const struct layout *layout,
                             enum way way, int sender, size_t slot_bytes)
{
    size_t offset = way == RING   ? layout->ring[sender]
                    : way == PULL ? layout->send_block[sender]
                                  : layout->receive_block[!sender];

    return (struct wire){.way = way,
                         .direction = (struct direction *)segment->base + sender,
                         .memory = segment->base + offset,
                         .slot_bytes = slot_bytes};
}

static void make_buffers(struct rdma_end *end, const struct rdma_segment *segment,
                         const struct layout *layout, int mine)
{
    enum memory_kind kind = end->config.place == RDMA_DEVICE ? MEMORY_DEVICE : MEMORY_PAGEABLE;

    if (end->config.place == RDMA_PINNED) {
        end->send_buffer = segment->base + layout->send_block[mine];
        end->receive_buffer = segment->base + layout->receive_block[mine];
        return;
    }
    end->send_buffer = memory_allocate(kind, end->config.bytes);
    end->receive_buffer = memory_allocate(kind, end->config.bytes);
}

/* A block that is not cut for the ring is one chunk: only one engine works on it. */
static void open_lane(struct rdma_lane *lane, const struct rdma_end *end, void *block,
                      const struct rdma_lane_stages *stages, struct wire *wire)
{
    rdma_lane_open(lane, end, block,
                   wire->way == RING ? end->config.chunk_bytes : end->config.bytes, stages, wire);
}

static void open_shared(struct rdma_end *end)
{
    static const struct rdma_lane_stages send = {begin_send, pass_send, finish_send};
    static const struct rdma_lane_stages receive = {begin_receive, pass_receive, finish_receive};
    const struct rdma_config *config = &end->config;
    struct shared *state = allocate_or_fail(1, sizeof *state);
    int mine = end->rank;
    struct layout layout = lay_out(config, mine);
    size_t slot_bytes = rdma_largest_chunk(config);

    state->segment = rdma_segment_open(config, layout.bytes);
    make_buffers(end, &state->segment, &layout, mine);
    state->send_wire = make_wire(&state->segment, &layout,
                                 way_between(config->place, config->peer_place), mine, slot_bytes);
    state->receive_wire =
        make_wire(&state->segment, &layout, way_between(config->peer_place, config->place), !mine,
                  slot_bytes);
    if (state->receive_wire.way == RING)
        atomic_store(&state->receive_wire.direction->room, RDMA_LANE_DEPTH);
    open_lane(&state->lanes.send, end, end->send_buffer, &send, &state->send_wire);
    open_lane(&state->lanes.receive, end, end->receive_buffer, &receive, &state->receive_wire);
    end->state = state;
}

static void close_shared(struct rdma_end *end)
{
    struct shared *state = end->state;

    rdma_lane_close(&state->lanes.send);
    rdma_lane_close(&state->lanes.receive);
    rdma_segment_close(&state->segment);
    if (end->config.place != RDMA_PINNED) {
        bool device = end->config.place == RDMA_DEVICE;
        memory_release(device ? MEMORY_DEVICE : MEMORY_PAGEABLE, end->send_buffer);
        memory_release(device ? MEMORY_DEVICE : MEMORY_PAGEABLE, end->receive_buffer);
    }
    free(state);
}

const struct rdma_operations rdma_pipelined_shared_operations = {
    .open = open_shared,
    .start_receive = rdma_lanes_start_receive,
    .start_send = rdma_lanes_start_send,
    .wait = rdma_lanes_wait,
    .close = close_shared,
    .own_buffers = true,
    .same_host = true,
    .needs_devices = true,
};
