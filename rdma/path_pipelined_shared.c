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
#include <stdalign.h>
#include <stdatomic.h>

#include "common/error.h"
#include "common/memory.h"

#include "lane.h"
#include "segment.h"

enum way { RING, PUSH, PULL };

/* In the segment. Each counter has a cache line of its own, as the other rank looks at it all the
 * time. */
struct direction {
    /* By the receiver; ring: chunks that the sender may have filled, push: receives begun, pull:
     * chunks that were read. */
    alignas(64) atomic_size_t room;
    /* By the sender: chunks that the receiver may read. */
    alignas(64) atomic_size_t filled;
    size_t message_bytes[LANE_DEPTH];
};

struct wire {
    enum way way;
    struct direction *direction;
    char *memory; /* the ring, or the block of the end that is page-locked */
    size_t slot_bytes;
};

struct shared {
    struct lanes lanes; /* first, for lanes_wait and the starts */
    struct wire send_wire, receive_wire;
    struct segment segment;
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

static char *wire_memory(const struct lane *lane, int slot)
{
    const struct wire *wire = lane->wire;
    return wire->memory + (wire->way == RING ? (size_t)slot * wire->slot_bytes : 0);
}

static char *block_of(const struct lane *lane, int slot)
{
    return lane->block + lane->chunks[slot].offset;
}

static size_t room_of(const struct wire *wire)
{
    return atomic_load_explicit(&wire->direction->room, memory_order_acquire);
}

static enum dm_status begin_send(struct lane *lane, int slot, bool *went_on)
{
    const struct wire *wire = lane->wire;
    *went_on = wire->way == PULL || room_of(wire) > lane->begun;
    if (wire->way == PULL || !*went_on)
        return DM_OK;
    return lane_copy(lane, slot, wire_memory(lane, slot), block_of(lane, slot));
}

static enum dm_status pass_send(struct lane *lane, int slot, bool *went_on)
{
    struct wire *wire = lane->wire;
    *went_on = true;
    if (wire->way != PULL)
        TRY(lane_is_copied(lane, slot, went_on));
    if (!*went_on)
        return DM_OK;
    wire->direction->message_bytes[slot] = lane->chunks[slot].message_bytes;
    atomic_store_explicit(&wire->direction->filled, lane->passed + 1, memory_order_release);
    return DM_OK;
}

static enum dm_status finish_send(struct lane *lane, int slot, bool *went_on)
{
    const struct wire *wire = lane->wire;
    (void)slot;
    *went_on = wire->way != PULL || room_of(wire) > lane->finished;
    return DM_OK;
}

static enum dm_status begin_receive(struct lane *lane, int slot, bool *went_on)
{
    struct wire *wire = lane->wire;
    (void)slot;
    if (wire->way == PUSH)
        atomic_store_explicit(&wire->direction->room, lane->begun + 1, memory_order_release);
    *went_on = true;
    return DM_OK;
}

static enum dm_status pass_receive(struct lane *lane, int slot, bool *went_on)
{
    const struct wire *wire = lane->wire;
    if (atomic_load_explicit(&wire->direction->filled, memory_order_acquire) <= lane->passed)
        return DM_OK;
    TRY(lane_check_size(lane, wire->direction->message_bytes[slot],
                        lane->chunks[slot].message_bytes));
    *went_on = true;
    if (wire->way == PUSH)
        return DM_OK;
    return lane_copy(lane, slot, block_of(lane, slot), wire_memory(lane, slot));
}

static enum dm_status finish_receive(struct lane *lane, int slot, bool *went_on)
{
    struct wire *wire = lane->wire;
    *went_on = true;
    if (wire->way == PUSH)
        return DM_OK;
    TRY(lane_is_copied(lane, slot, went_on));
    if (!*went_on)
        return DM_OK;
    size_t ahead = wire->way == RING ? LANE_DEPTH : 0;
    atomic_store_explicit(&wire->direction->room, lane->finished + 1 + ahead, memory_order_release);
    return DM_OK;
}

/* ---- open and close ---- */

static size_t take(struct layout *layout, size_t bytes)
{
    enum { PAGE_BYTES = 4096 };
    size_t offset = layout->bytes;
    layout->bytes += round_up(bytes, PAGE_BYTES);
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
            layout.ring[rank] = take(&layout, LANE_DEPTH * lane_largest_chunk(config));
        if (places[rank] != RDMA_PINNED)
            continue;
        layout.send_block[rank] = take(&layout, config->bytes);
        layout.receive_block[rank] = take(&layout, config->bytes);
    }
    return layout;
}

/* The wire of what `sender` sends. */
static struct wire make_wire(const struct shared *shared, const struct layout *layout, enum way way,
                             int sender, size_t slot_bytes)
{
    char *base = shared->segment.base;
    size_t offset = way == RING   ? layout->ring[sender]
                    : way == PULL ? layout->send_block[sender]
                                  : layout->receive_block[!sender];
    return (struct wire){.way = way,
                         .direction = (struct direction *)(void *)base + sender,
                         .memory = base + offset,
                         .slot_bytes = slot_bytes};
}

static enum memory_kind buffer_kind(const struct rdma_end *end)
{
    return end->config.place == RDMA_DEVICE ? MEMORY_DEVICE : MEMORY_PAGEABLE;
}

static enum dm_status make_buffers(struct rdma_end *end, const struct segment *segment,
                                   const struct layout *layout)
{
    if (end->config.place == RDMA_PINNED) {
        end->send_buffer = segment->base + layout->send_block[end->contact.rank];
        end->receive_buffer = segment->base + layout->receive_block[end->contact.rank];
        return DM_OK;
    }
    TRY(memory_obtain(buffer_kind(end), end->config.bytes, &end->send_buffer));
    return memory_obtain(buffer_kind(end), end->config.bytes, &end->receive_buffer);
}

/* A block that is not cut for the ring is one chunk: only one engine works on it. */
static enum dm_status open_lane(struct lane *lane, const struct rdma_end *end, void *block,
                                const struct lane_stages *stages, struct wire *wire)
{
    return lane_open(lane, end, block,
                     wire->way == RING ? end->config.chunk_bytes : end->config.bytes, stages, wire);
}

static enum dm_status open_shared(struct rdma_end *end)
{
    static const struct lane_stages send = {begin_send, pass_send, finish_send};
    static const struct lane_stages receive = {begin_receive, pass_receive, finish_receive};
    const struct rdma_config *config = &end->config;
    struct shared *state = end->state;
    const int mine = end->contact.rank;
    const struct layout layout = lay_out(config, mine);
    const size_t slot_bytes = lane_largest_chunk(config);

    TRY(segment_open(&state->segment, &end->contact, config->device, layout.bytes));
    TRY(make_buffers(end, &state->segment, &layout));
    state->send_wire =
        make_wire(state, &layout, way_between(config->place, config->peer_place), mine, slot_bytes);
    state->receive_wire = make_wire(state, &layout, way_between(config->peer_place, config->place),
                                    !mine, slot_bytes);
    if (state->receive_wire.way == RING)
        atomic_store(&state->receive_wire.direction->room, LANE_DEPTH);
    TRY(open_lane(&state->lanes.send, end, end->send_buffer, &send, &state->send_wire));
    return open_lane(&state->lanes.receive, end, end->receive_buffer, &receive,
                     &state->receive_wire);
}

static void close_shared(struct rdma_end *end)
{
    struct shared *state = end->state;
    lane_close(&state->lanes.send);
    lane_close(&state->lanes.receive);
    segment_close(&state->segment);
    if (end->config.place == RDMA_PINNED)
        return;
    memory_give_back(buffer_kind(end), end->send_buffer);
    memory_give_back(buffer_kind(end), end->receive_buffer);
}

const struct path path_pipelined_shared = {
    .state_bytes = sizeof(struct shared),
    .open = open_shared,
    .start_receive = lanes_start_receive,
    .start_send = lanes_start_send,
    .wait = lanes_wait,
    .close = close_shared,
    .own_buffers = true,
    .same_host = true,
    .needs_devices = true,
};
