#include "peer.h"

#include <stdlib.h>

#include "common/error_cuda.h"
#include "common/memory.h"

/* CUDA IPC shares memory in units of 2 MiB: a smaller allocation would share others with it (CUDA
 * programming guide, interprocess communication). */
enum { LINE_BYTES = 64, PAGE_BYTES = 4096, SHARED_UNIT_BYTES = 2 << 20 };

/* ---- where things lie in the segment ----
 *
 *     flags, tickets of the lower rank's sends | of the higher rank's | P send | P receive */

static size_t direction_bytes(const struct rdma_config *config)
{
    return LINE_BYTES + round_up((size_t)config->window * sizeof(struct peer_ticket), LINE_BYTES);
}

static size_t buffer_offset(const struct rdma_config *config, int direction)
{
    return round_up(2 * direction_bytes(config), PAGE_BYTES) +
           (direction == PEER_RECEIVE ? round_up(config->bytes, PAGE_BYTES) : 0);
}

static bool has_host_place(const struct rdma_config *config)
{
    return config->place == RDMA_PINNED || config->peer_place == RDMA_PINNED;
}

static size_t segment_bytes(const struct rdma_config *config)
{
    return buffer_offset(config, PEER_SEND) +
           (has_host_place(config) ? 2 * round_up(config->bytes, PAGE_BYTES) : 0);
}

/* What my GPU sees of the segment; NULL at an end without one, which moves nothing. */
static void *device_address(const struct peer *peer, size_t offset)
{
    return peer->segment.device_base ? (char *)peer->segment.device_base + offset : NULL;
}

static enum dm_status place_direction(struct peer *peer, int direction)
{
    const struct rdma_config *config = &peer->end->config;
    const struct contact *contact = &peer->end->contact;
    bool is_of_higher = (direction == PEER_SEND) == (contact->rank > contact->peer);
    size_t offset = is_of_higher ? direction_bytes(config) : 0;
    struct peer_direction *it = &peer->directions[direction];
    it->flags = (_Atomic uint32_t *)(peer->segment.base + offset);
    it->device_flags = device_address(peer, offset);
    it->tickets = (struct peer_ticket *)(peer->segment.base + offset + LINE_BYTES);
    it->bytes = calloc((size_t)config->window, sizeof *it->bytes);
    return it->bytes ? DM_OK : error_no_memory((size_t)config->window * sizeof *it->bytes);
}

/* ---- buffers ---- */

struct hello {
    cudaIpcMemHandle_t receive_buffer;
};

static enum dm_status make_buffers(struct rdma_end *end, const struct peer *peer)
{
    const struct rdma_config *config = &end->config;
    if (config->place == RDMA_PINNED) {
        end->send_buffer = peer->segment.base + buffer_offset(config, PEER_SEND);
        end->receive_buffer = peer->segment.base + buffer_offset(config, PEER_RECEIVE);
        return DM_OK;
    }
    TRY(memory_obtain(MEMORY_DEVICE, config->bytes, &end->send_buffer));
    return memory_obtain(MEMORY_DEVICE, round_up(config->bytes, SHARED_UNIT_BYTES),
                         &end->receive_buffer);
}

/* Also called when this rank has failed before, to tell the other rank. */
static enum dm_status map_receive_buffer(struct rdma_end *end, enum dm_status status, void **mapped)
{
    struct hello mine = {0}, theirs;
    if (status == DM_OK)
        status = status_of_cuda(cudaIpcGetMemHandle(&mine.receive_buffer, end->receive_buffer));
    TRY(contact_exchange(&end->contact, status, &mine, &theirs, sizeof mine));
    cudaError_t result =
        cudaIpcOpenMemHandle(mapped, theirs.receive_buffer, cudaIpcMemLazyEnablePeerAccess);
    if (result == cudaSuccess)
        return DM_OK;
    *mapped = NULL;
    (void)cudaGetLastError(); /* reported here and shall not be found later */
    return dm_fail(DM_UNAVAILABLE,
                   "GPU memory of rank %d cannot be mapped (%s): let each rank see the GPUs of "
                   "both, without CUDA_VISIBLE_DEVICES of its own, and run both in one container",
                   end->contact.world_peer, cudaGetErrorString(result));
}

/* Who moves, from where to where. */
static void connect(struct peer *peer)
{
    const struct rdma_end *end = peer->end;
    const struct rdma_config *config = &end->config;
    struct peer_direction *send = &peer->directions[PEER_SEND];
    struct peer_direction *receive = &peer->directions[PEER_RECEIVE];
    bool is_host_peer = config->peer_place == RDMA_PINNED;
    send->is_mine = config->place == RDMA_DEVICE;
    receive->is_mine = send->is_mine && is_host_peer;
    if (!send->is_mine)
        return;
    send->from = end->send_buffer;
    send->to =
        is_host_peer ? device_address(peer, buffer_offset(config, PEER_RECEIVE)) : peer->mapped;
    receive->from = device_address(peer, buffer_offset(config, PEER_SEND));
    receive->to = end->receive_buffer;
}

/* ---- messages ---- */

/* The passive rank says that its half of the message has started. */
static void post_ticket(struct peer_direction *direction, const struct rdma_config *config)
{
    uint64_t number = direction->started;
    size_t slot = number % (size_t)config->window;
    direction->tickets[slot].bytes = direction->bytes[slot];
    atomic_store_explicit(&direction->tickets[slot].number, number + 1, memory_order_release);
}

static bool has_ticket(const struct peer_direction *direction, const struct rdma_config *config)
{
    size_t slot = direction->moved % (size_t)config->window;
    return atomic_load_explicit(&direction->tickets[slot].number, memory_order_acquire) ==
           direction->moved + 1;
}

static enum dm_status fail_sizes(const struct peer *peer, int which, size_t mine, size_t theirs)
{
    const struct contact *contact = &peer->end->contact;
    bool is_send = which == PEER_SEND;
    return dm_fail(DM_INVALID,
                   "rank %d %s %zu bytes where the other rank %s %zu (path %s): both must name the "
                   "same size",
                   contact->world_rank, is_send ? "sends" : "receives", mine,
                   is_send ? "receives" : "sends", theirs, rdma_path_name(contact->path));
}

static enum dm_status move_next(struct peer *peer, int which)
{
    struct peer_direction *direction = &peer->directions[which];
    size_t slot = direction->moved % (size_t)peer->end->config.window;
    size_t bytes = direction->bytes[slot], theirs = direction->tickets[slot].bytes;
    if (bytes != theirs)
        return fail_sizes(peer, which, bytes, theirs);
    return peer->mover->move(peer, which, direction->moved++, bytes);
}

static enum dm_status move_all(struct peer *peer, int which)
{
    struct peer_direction *direction = &peer->directions[which];
    while (direction->moved < direction->started && has_ticket(direction, &peer->end->config))
        TRY(move_next(peer, which));
    return DM_OK;
}

static enum dm_status start(struct rdma_end *end, int which, size_t bytes)
{
    struct peer *peer = end->state;
    struct peer_direction *direction = &peer->directions[which];
    direction->bytes[direction->started % (size_t)end->config.window] = bytes;
    if (!direction->is_mine)
        post_ticket(direction, &end->config);
    direction->started++;
    return direction->is_mine ? move_all(peer, which) : DM_OK;
}

enum dm_status peer_start_receive(struct rdma_end *end, size_t bytes)
{
    return start(end, PEER_RECEIVE, bytes);
}

enum dm_status peer_start_send(struct rdma_end *end, size_t bytes)
{
    return start(end, PEER_SEND, bytes);
}

/* Whether the first `messages` of a direction have their flags. */
static bool have_arrived(const struct peer *peer, int which, uint64_t messages)
{
    uint64_t lanes = (uint64_t)peer->mover->lanes;
    for (uint64_t lane = 0; lane < lanes; lane++) {
        uint32_t flag =
            atomic_load_explicit(&peer->directions[which].flags[lane], memory_order_acquire);
        uint64_t of_lane = (messages + lanes - 1 - lane) / lanes;
        if (flag % PEER_NUMBERS != of_lane % PEER_NUMBERS)
            return false;
    }
    return true;
}

/* Moves what can be moved; *missing becomes what is still missing, or NULL. */
static enum dm_status progress(struct peer *peer, const char **missing)
{
    *missing = NULL;
    for (int which = 0; which < PEER_DIRECTIONS; which++) {
        const struct peer_direction *direction = &peer->directions[which];
        if (direction->is_mine)
            TRY(move_all(peer, which));
        if (have_arrived(peer, which, direction->started))
            continue;
        *missing = which == PEER_RECEIVE ? "a block" : "the receipt of a block";
        if (direction->is_mine && peer->mover->look_after &&
            !have_arrived(peer, which, direction->moved))
            TRY(peer->mover->look_after(peer));
    }
    return DM_OK;
}

enum dm_status peer_wait(struct rdma_end *end)
{
    struct patience patience = patience_start(&end->contact, "a block");
    for (;;) {
        TRY(progress(end->state, &patience.what));
        if (!patience.what)
            return DM_OK;
        TRY(patience_pause(&patience));
    }
}

/* ---- an end ---- */

static enum dm_status check_reach(const struct rdma_config *config)
{
    int devices, reaches = 0, reached = 0;
    TRY_CUDA(cudaGetDeviceCount(&devices));
    for (int other = 0; other < devices; other++) {
        if (other == config->device)
            continue;
        TRY_CUDA(cudaDeviceCanAccessPeer(&reaches, config->device, other));
        reached += reaches;
    }
    if (devices == 1 || reached > 0)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "GPU %d has no way to the memory of another GPU of this host "
                   "(cudaDeviceCanAccessPeer): take pipelined-shared",
                   config->device);
}

enum dm_status peer_check(const struct rdma_config *config)
{
    if (config->window > PEER_WINDOW_MAX)
        return dm_fail(
            DM_INVALID,
            "a window of %d blocks is more than the %d that the peer paths can tell apart",
            config->window, PEER_WINDOW_MAX);
    bool is_between_devices = config->place == RDMA_DEVICE && config->peer_place == RDMA_DEVICE;
    return is_between_devices && config->device >= 0 ? check_reach(config) : DM_OK;
}

enum dm_status peer_open(struct rdma_end *end, const struct peer_mover *mover)
{
    const struct rdma_config *config = &end->config;
    struct peer *peer = end->state;
    peer->end = end;
    peer->mover = mover;
    enum dm_status status =
        segment_open(&peer->segment, &end->contact, config->device, segment_bytes(config));
    for (int direction = 0; direction < PEER_DIRECTIONS && status == DM_OK; direction++)
        status = place_direction(peer, direction);
    if (status == DM_OK)
        status = make_buffers(end, peer);
    if (!has_host_place(config))
        status = map_receive_buffer(end, status, &peer->mapped);
    if (status == DM_OK)
        connect(peer);
    return status;
}

void peer_disconnect(struct rdma_end *end)
{
    struct peer *peer = end->state;
    if (peer->mapped)
        cudaIpcCloseMemHandle(peer->mapped);
}

void peer_close(struct rdma_end *end)
{
    struct peer *peer = end->state;
    if (end->config.place == RDMA_DEVICE) {
        memory_give_back(MEMORY_DEVICE, end->send_buffer);
        memory_give_back(MEMORY_DEVICE, end->receive_buffer);
    }
    segment_close(&peer->segment);
    for (int direction = 0; direction < PEER_DIRECTIONS; direction++)
        free(peer->directions[direction].bytes);
}
