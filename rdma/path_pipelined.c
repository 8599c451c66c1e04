/* The wire is MPI. A block in device memory is copied chunk by chunk through page-locked slots, so
 * that both GPUs' copy engines and MPI work at the same time; MPI reads and writes a block in host
 * memory itself, also in chunks, as the other end needs them early. */
#include "common/error.h"
#include "common/memory.h"

#include "count.h"
#include "lane.h"

struct wire {
    void *slots; /* NULL: the block is in host memory */
    size_t slot_bytes;
    MPI_Request requests[LANE_DEPTH];
};

struct pipelined {
    struct lanes lanes; /* first, for lanes_wait and the starts */
    struct wire send_wire, receive_wire;
};

/* ---- stages ---- */

/* What MPI sends, or receives into. */
static char *message_of(const struct lane *lane, int slot)
{
    const struct wire *wire = lane->wire;
    return wire->slots ? (char *)wire->slots + (size_t)slot * wire->slot_bytes
                       : lane->block + lane->chunks[slot].offset;
}

static char *block_of(const struct lane *lane, int slot)
{
    return lane->block + lane->chunks[slot].offset;
}

static enum dm_status begin_send(struct lane *lane, int slot, bool *went_on)
{
    const struct wire *wire = lane->wire;
    *went_on = true;
    return wire->slots ? lane_copy(lane, slot, message_of(lane, slot), block_of(lane, slot))
                       : DM_OK;
}

static enum dm_status pass_send(struct lane *lane, int slot, bool *went_on)
{
    struct wire *wire = lane->wire;
    *went_on = true;
    if (wire->slots)
        TRY(lane_is_copied(lane, slot, went_on));
    if (!*went_on)
        return DM_OK;
    return message_send(&lane->end->contact, message_of(lane, slot), lane->chunks[slot].bytes,
                        &wire->requests[slot]);
}

static enum dm_status finish_send(struct lane *lane, int slot, bool *went_on)
{
    struct wire *wire = lane->wire;
    return request_is_done(&wire->requests[slot], went_on);
}

static enum dm_status begin_receive(struct lane *lane, int slot, bool *went_on)
{
    struct wire *wire = lane->wire;
    *went_on = true;
    return message_receive(&lane->end->contact, message_of(lane, slot), lane->chunks[slot].bytes,
                           &wire->requests[slot]);
}

static enum dm_status pass_receive(struct lane *lane, int slot, bool *went_on)
{
    struct wire *wire = lane->wire;
    int has_arrived = 0;
    MPI_Status status;
    MPI_Count bytes;
    copies_enter_mpi();
    int error = MPI_Test(&wire->requests[slot], &has_arrived, &status);
    copies_leave_mpi();
    TRY(error_mpi(error, "MPI_Test", __FILE__, __LINE__));
    if (!has_arrived)
        return DM_OK;
    TRY_MPI(MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    TRY(lane_check_size(lane, (size_t)bytes, lane->chunks[slot].bytes));
    *went_on = true;
    return wire->slots ? lane_copy(lane, slot, block_of(lane, slot), message_of(lane, slot))
                       : DM_OK;
}

static enum dm_status finish_receive(struct lane *lane, int slot, bool *went_on)
{
    const struct wire *wire = lane->wire;
    *went_on = true;
    return wire->slots ? lane_is_copied(lane, slot, went_on) : DM_OK;
}

/* ---- open and close ---- */

static enum dm_status open_wire(struct wire *wire, const struct rdma_config *config)
{
    wire->slot_bytes = lane_largest_chunk(config);
    if (config->place != RDMA_DEVICE)
        return DM_OK;
    return memory_obtain(MEMORY_PINNED, LANE_DEPTH * wire->slot_bytes, &wire->slots);
}

static enum dm_status open_pipelined(struct rdma_end *end)
{
    static const struct lane_stages send = {begin_send, pass_send, finish_send};
    static const struct lane_stages receive = {begin_receive, pass_receive, finish_receive};
    const size_t chunk_bytes = end->config.chunk_bytes;
    struct pipelined *state = end->state;
    requests_clear(state->send_wire.requests, LANE_DEPTH);
    requests_clear(state->receive_wire.requests, LANE_DEPTH);
    TRY(lane_open(&state->lanes.send, end, end->send_buffer, chunk_bytes, &send,
                  &state->send_wire));
    TRY(lane_open(&state->lanes.receive, end, end->receive_buffer, chunk_bytes, &receive,
                  &state->receive_wire));
    TRY(open_wire(&state->send_wire, &end->config));
    return open_wire(&state->receive_wire, &end->config);
}

static void close_wire(struct rdma_end *end, struct wire *wire)
{
    if (requests_drop(wire->requests, LANE_DEPTH))
        memory_give_back(MEMORY_PINNED, wire->slots);
    else
        end->left_to_mpi = true;
}

static void close_pipelined(struct rdma_end *end)
{
    struct pipelined *state = end->state;
    lane_close(&state->lanes.send);
    lane_close(&state->lanes.receive);
    close_wire(end, &state->send_wire);
    close_wire(end, &state->receive_wire);
}

const struct path path_pipelined = {
    .state_bytes = sizeof(struct pipelined),
    .open = open_pipelined,
    .start_receive = lanes_start_receive,
    .start_send = lanes_start_send,
    .wait = lanes_wait,
    .close = close_pipelined,
    .needs_devices = true,
};
