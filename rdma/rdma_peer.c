#include "rdma_peer.h"

#include "memory.h"
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>

/* CUDA IPC shares memory in units of 2 MiB: a smaller allocation would share others with it (CUDA
 * programming guide, interprocess communication). */
enum { LINE_BYTES = 64, PAGE_BYTES = 4096, SHARED_UNIT_BYTES = 2 << 20 };

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* ---- where things lie in the segment ----
 *
 *     flags, tickets of the lower rank's sends | of the higher rank's | P send | P receive */

static size_t direction_bytes(const struct rdma_config *config)
{
    return LINE_BYTES +
           round_up((size_t)config->window * sizeof(struct rdma_peer_ticket), LINE_BYTES);
}

static size_t buffer_offset(const struct rdma_config *config, int direction)
{
    return round_up(2 * direction_bytes(config), PAGE_BYTES) +
           (direction == RDMA_PEER_RECEIVE ? round_up(config->bytes, PAGE_BYTES) : 0);
}

static bool has_host_place(const struct rdma_config *config)
{
    return config->place == RDMA_PINNED || config->peer_place == RDMA_PINNED;
}

static size_t segment_bytes(const struct rdma_config *config)
{
    return buffer_offset(config, RDMA_PEER_SEND) +
           (has_host_place(config) ? 2 * round_up(config->bytes, PAGE_BYTES) : 0);
}

/* What my GPU sees of the segment; NULL at an end without one, which moves nothing. */
static void *device_address(const struct rdma_peer *peer, size_t offset)
{
    return peer->segment.device_base ? (char *)peer->segment.device_base + offset : NULL;
}

static void place_direction(struct rdma_peer *peer, int direction)
{
    const struct rdma_config *config = &peer->end->config;
    int sender = direction == RDMA_PEER_SEND ? peer->end->rank : config->peer;
    int receiver = direction == RDMA_PEER_SEND ? config->peer : peer->end->rank;
    size_t offset = sender > receiver ? direction_bytes(config) : 0;
    struct rdma_peer_direction *it = &peer->directions[direction];
    it->flags = (_Atomic uint32_t *)(peer->segment.base + offset);
    it->device_flags = device_address(peer, offset);
    it->tickets = (struct rdma_peer_ticket *)(peer->segment.base + offset + LINE_BYTES);
    it->bytes = allocate_or_fail((size_t)config->window, sizeof *it->bytes);
}

/* ---- buffers ---- */

struct hello {
    cudaIpcMemHandle_t receive_buffer;
};

static void make_buffers(struct rdma_end *end, const struct rdma_peer *peer)
{
    const struct rdma_config *config = &end->config;
    if (config->place == RDMA_PINNED) {
        end->send_buffer = peer->segment.base + buffer_offset(config, RDMA_PEER_SEND);
        end->receive_buffer = peer->segment.base + buffer_offset(config, RDMA_PEER_RECEIVE);
        return;
    }
    end->send_buffer = memory_allocate(MEMORY_DEVICE, config->bytes);
    end->receive_buffer =
        memory_allocate(MEMORY_DEVICE, round_up(config->bytes, SHARED_UNIT_BYTES));
}

static void *map_receive_buffer(const struct rdma_end *end)
{
    void *mapped;
    struct hello mine, theirs;
    check_cuda(cudaIpcGetMemHandle(&mine.receive_buffer, end->receive_buffer));
    rdma_exchange(&end->config, &mine, &theirs, sizeof mine);
    cudaError_t result =
        cudaIpcOpenMemHandle(&mapped, theirs.receive_buffer, cudaIpcMemLazyEnablePeerAccess);
    if (result != cudaSuccess)
        fail("rank %d cannot map GPU memory of rank %d (%s): let each rank see the GPUs of both, "
             "without CUDA_VISIBLE_DEVICES of its own, and run both in one container",
             ranks.rank, rdma_world_rank(&end->config, end->config.peer),
             cudaGetErrorString(result));
    return mapped;
}

/* Who moves, from where to where. */
static void connect(struct rdma_peer *peer)
{
    const struct rdma_end *end = peer->end;
    const struct rdma_config *config = &end->config;
    struct rdma_peer_direction *send = &peer->directions[RDMA_PEER_SEND];
    struct rdma_peer_direction *receive = &peer->directions[RDMA_PEER_RECEIVE];
    bool host_peer = config->peer_place == RDMA_PINNED;
    send->mine = config->place == RDMA_DEVICE;
    receive->mine = send->mine && host_peer;
    if (!send->mine)
        return;
    send->from = end->send_buffer;
    send->to =
        host_peer ? device_address(peer, buffer_offset(config, RDMA_PEER_RECEIVE)) : peer->mapped;
    receive->from = device_address(peer, buffer_offset(config, RDMA_PEER_SEND));
    receive->to = end->receive_buffer;
}

/* ---- messages ---- */

/* The passive rank says that its half of the message has started. */
static void post_ticket(struct rdma_peer_direction *direction, const struct rdma_config *config)
{
    uint64_t number = direction->started;
    size_t slot = number % (size_t)config->window;
    direction->tickets[slot].bytes = direction->bytes[slot];
    atomic_store_explicit(&direction->tickets[slot].number, number + 1, memory_order_release);
}

static bool has_ticket(const struct rdma_peer_direction *direction,
                       const struct rdma_config *config)
{
    size_t slot = direction->moved % (size_t)config->window;
    return atomic_load_explicit(&direction->tickets[slot].number, memory_order_acquire) ==
           direction->moved + 1;
}

static void move_next(struct rdma_peer *peer, int which)
{
    struct rdma_peer_direction *direction = &peer->directions[which];
    size_t slot = direction->moved % (size_t)peer->end->config.window;
    size_t bytes = direction->bytes[slot], theirs = direction->tickets[slot].bytes;
    if (bytes != theirs)
        fail("rank %d %s %zu bytes where the other rank %s %zu (path %s): both must name the same "
             "size",
             ranks.rank, which == RDMA_PEER_SEND ? "sends" : "receives", bytes,
             which == RDMA_PEER_SEND ? "receives" : "sends", theirs,
             rdma_path_name(peer->end->config.path));
    peer->mover->move(peer, which, direction->moved++, bytes);
}

static void move_all(struct rdma_peer *peer, int which)
{
    struct rdma_peer_direction *direction = &peer->directions[which];
    while (direction->moved < direction->started && has_ticket(direction, &peer->end->config))
        move_next(peer, which);
}

static void start(struct rdma_end *end, int which, size_t bytes)
{
    struct rdma_peer *peer = end->state;
    struct rdma_peer_direction *direction = &peer->directions[which];
    direction->bytes[direction->started % (size_t)end->config.window] = bytes;
    if (!direction->mine)
        post_ticket(direction, &end->config);
    direction->started++;
    if (direction->mine)
        move_all(peer, which);
}

void rdma_peer_start_receive(struct rdma_end *end, size_t bytes)
{
    start(end, RDMA_PEER_RECEIVE, bytes);
}

void rdma_peer_start_send(struct rdma_end *end, size_t bytes)
{
    start(end, RDMA_PEER_SEND, bytes);
}

/* Whether the first `messages` of a direction have their flags. */
static bool arrived(const struct rdma_peer *peer, int which, uint64_t messages)
{
    uint64_t lanes = (uint64_t)peer->mover->lanes;
    for (uint64_t lane = 0; lane < lanes; lane++) {
        uint32_t flag =
            atomic_load_explicit(&peer->directions[which].flags[lane], memory_order_acquire);
        uint64_t of_lane = (messages + lanes - 1 - lane) / lanes;
        if (flag % RDMA_PEER_NUMBERS != of_lane % RDMA_PEER_NUMBERS)
            return false;
    }
    return true;
}

/* Moves what can be moved; what is still missing, or NULL. */
static const char *progress(struct rdma_peer *peer)
{
    const char *missing = NULL;
    for (int which = 0; which < RDMA_PEER_DIRECTIONS; which++) {
        const struct rdma_peer_direction *direction = &peer->directions[which];
        if (direction->mine)
            move_all(peer, which);
        if (arrived(peer, which, direction->started))
            continue;
        missing = which == RDMA_PEER_RECEIVE ? "a block" : "the receipt of a block";
        if (direction->mine && !arrived(peer, which, direction->moved) && peer->mover->look_after)
            peer->mover->look_after(peer);
    }
    return missing;
}

void rdma_peer_wait(struct rdma_end *end)
{
    struct rdma_patience patience = rdma_be_patient(&end->config, "a block");
    for (;;) {
        patience.what = progress(end->state);
        if (!patience.what)
            return;
        rdma_pause(&patience);
    }
}

/* ---- an end ---- */

const char *rdma_peer_complaint(const struct rdma_config *config)
{
    static char text[200];
    int devices, reaches = 0, reached = 0;
    if (config->window > RDMA_PEER_WINDOW) {
        snprintf(text, sizeof text,
                 "a window of %d blocks is more than the %d that the peer paths can tell apart",
                 config->window, RDMA_PEER_WINDOW);
        return text;
    }
    if (config->place != RDMA_DEVICE || config->peer_place != RDMA_DEVICE || config->device < 0)
        return NULL;
    check_cuda(cudaGetDeviceCount(&devices));
    for (int other = 0; other < devices; other++) {
        if (other == config->device)
            continue;
        check_cuda(cudaDeviceCanAccessPeer(&reaches, config->device, other));
        reached += reaches;
    }
    if (devices > 1 && reached == 0) {
        snprintf(text, sizeof text,
                 "GPU %d has no way to the memory of another GPU of this host "
                 "(cudaDeviceCanAccessPeer): take pipelined-shared",
                 config->device);
        return text;
    }
    return NULL;
}

void rdma_peer_open(struct rdma_end *end, struct rdma_peer *peer,
                    const struct rdma_peer_mover *mover)
{
    *peer = (struct rdma_peer){.end = end, .mover = mover};
    peer->segment = rdma_segment_open(&end->config, segment_bytes(&end->config));
    for (int direction = 0; direction < RDMA_PEER_DIRECTIONS; direction++)
        place_direction(peer, direction);
    make_buffers(end, peer);
    if (!has_host_place(&end->config))
        peer->mapped = map_receive_buffer(end);
    connect(peer);
    end->state = peer;
}

void rdma_peer_close(struct rdma_end *end)
{
    char mine = 0, theirs;
    struct rdma_peer *peer = end->state;
    if (peer->mapped)
        check_cuda(cudaIpcCloseMemHandle(peer->mapped));
    /* Memory that another process has mapped must not be freed. */
    rdma_exchange(&end->config, &mine, &theirs, sizeof mine);
    if (end->config.place == RDMA_DEVICE) {
        memory_release(MEMORY_DEVICE, end->send_buffer);
        memory_release(MEMORY_DEVICE, end->receive_buffer);
    }
    rdma_segment_close(&peer->segment);
    for (int direction = 0; direction < RDMA_PEER_DIRECTIONS; direction++)
        free(peer->directions[direction].bytes);
}
