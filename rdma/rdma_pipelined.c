/* The wire is MPI. A block in device memory is copied chunk by chunk through page-locked slots, so
 * that both GPUs' copy engines and MPI work at the same time; MPI reads and writes a block in host
 * memory itself, also in chunks, as the other end needs them early. */
#include "rdma_lane.h"

#include "memory.h"
#include "ranks.h"

#include <stdlib.h>

struct wire {
    char *slots; /* NULL: the block is in host memory */
    size_t slot_bytes;
    MPI_Request requests[RDMA_LANE_DEPTH];
};

struct pipelined {
    struct rdma_lanes lanes; /* first, for rdma_lanes_wait and the starts */
    struct wire send_wire, receive_wire;
};

/* ---- stages ---- */

/* What MPI sends, or receives into. */
static char *message_of(const struct rdma_lane *lane, int slot)
{
    const struct wire *wire = lane->wire;

    return wire->slots ? wire->slots + (size_t)slot * wire->slot_bytes
                       : lane->block + lane->chunks[slot].offset;
}

static bool begin_send(struct rdma_lane *lane, int slot)
{
    const struct wire *wire = lane->wire;

    if (wire->slots)
        rdma_lane_copy(lane, slot, message_of(lane, slot), lane->block + lane->chunks[slot].offset);
    return true;
}

static bool pass_send(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    if (wire->slots && !rdma_lane_copied(lane, slot))
        return false;
    rdma_isend(lane->end, message_of(lane, slot), lane->chunks[slot].bytes, &wire->requests[slot]);
    return true;
}

static bool finish_send(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    return rdma_request_is_done(&wire->requests[slot]);
}

static bool begin_receive(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;

    rdma_irecv(lane->end, message_of(lane, slot), lane->chunks[slot].bytes, &wire->requests[slot]);
    return true;
}

static bool pass_receive(struct rdma_lane *lane, int slot)
{
    struct wire *wire = lane->wire;
    int arrived;
    MPI_Status status;
    MPI_Count bytes;

    rdma_enter_mpi();
    check_mpi(MPI_Test(&wire->requests[slot], &arrived, &status));
    rdma_leave_mpi();
    if (!arrived)
        return false;
    check_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    rdma_lane_check_size(lane, (size_t)bytes, lane->chunks[slot].bytes);
    if (wire->slots)
        rdma_lane_copy(lane, slot, lane->block + lane->chunks[slot].offset, message_of(lane, slot));
    return true;
}

static bool finish_receive(struct rdma_lane *lane, int slot)
{
    const struct wire *wire = lane->wire;

    return !wire->slots || rdma_lane_copied(lane, slot);
}

/* ---- open and close ---- */

static void open_wire(struct wire *wire, const struct rdma_config *config)
{
    wire->slots = NULL;
    wire->slot_bytes = rdma_largest_chunk(config);
    if (config->place == RDMA_DEVICE)
        wire->slots = memory_allocate(MEMORY_PINNED, RDMA_LANE_DEPTH * wire->slot_bytes);
}

static void open_pipelined(struct rdma_end *end)
{
    static const struct rdma_lane_stages send = {begin_send, pass_send, finish_send};
    static const struct rdma_lane_stages receive = {begin_receive, pass_receive, finish_receive};
    struct pipelined *state = allocate_or_fail(1, sizeof *state);

    rdma_lane_open(&state->lanes.send, end, end->send_buffer, end->config.chunk_bytes, &send,
                   &state->send_wire);
    rdma_lane_open(&state->lanes.receive, end, end->receive_buffer, end->config.chunk_bytes,
                   &receive, &state->receive_wire);
    open_wire(&state->send_wire, &end->config);
    open_wire(&state->receive_wire, &end->config);
    end->state = state;
}

static void close_pipelined(struct rdma_end *end)
{
    struct pipelined *state = end->state;

    rdma_lane_close(&state->lanes.send);
    rdma_lane_close(&state->lanes.receive);
    if (end->config.place == RDMA_DEVICE) {
        memory_release(MEMORY_PINNED, state->send_wire.slots);
        memory_release(MEMORY_PINNED, state->receive_wire.slots);
    }
    free(state);
}

const struct rdma_operations rdma_pipelined_operations = {
    .open = open_pipelined,
    .start_receive = rdma_lanes_start_receive,
    .start_send = rdma_lanes_start_send,
    .wait = rdma_lanes_wait,
    .close = close_pipelined,
    .needs_devices = true,
};
