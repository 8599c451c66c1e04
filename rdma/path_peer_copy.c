/* path_peer_copy.c: a copy engine moves each block and then raises its flag. */
#include <stdlib.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "count.h"
#include "peer.h"

struct peer_copy {
    struct peer peer;
    cudaStream_t streams[PEER_DIRECTIONS][PEER_LANES];
    void *numbers; /* 0, 1, 2, ... of 32 bits, in GPU memory */
};

/* The flag is a copy, too, of a number that lies ready, so that nobody has to wait for the block
 * before the flag is raised. It comes from GPU memory, because the driver makes the processor wait
 * for a copy from host to host memory. In the other lane the next block is on its way meanwhile. */
static enum dm_status move(struct peer *peer, int which, uint64_t number, size_t bytes)
{
    const struct peer_copy *copy = (const struct peer_copy *)peer;
    const struct peer_direction *direction = &peer->directions[which];
    uint64_t lane = number % PEER_LANES;
    uint64_t flag = (number / PEER_LANES + 1) % PEER_NUMBERS;
    cudaStream_t stream = copy->streams[which][lane];
    if (bytes > 0)
        TRY(copy_async(direction->to, direction->from, bytes, false, stream));
    return status_of_cuda(cudaMemcpyAsync(direction->device_flags + lane,
                                          (const uint32_t *)copy->numbers + flag, sizeof(uint32_t),
                                          cudaMemcpyDefault, stream));
}

static const struct peer_mover mover = {.lanes = PEER_LANES, .move = move};

static enum dm_status make_numbers(void **numbers, cudaStream_t stream)
{
    const size_t bytes = PEER_NUMBERS * sizeof(uint32_t);
    uint32_t *values = malloc(bytes);
    if (!values)
        return error_no_memory(bytes);
    for (uint32_t i = 0; i < PEER_NUMBERS; i++)
        values[i] = i;
    enum dm_status status = memory_obtain(MEMORY_DEVICE, bytes, numbers);
    if (status == DM_OK)
        status = status_of_cuda(
            cudaMemcpyAsync(*numbers, values, bytes, cudaMemcpyHostToDevice, stream));
    if (status == DM_OK)
        status = status_of_cuda(cudaStreamSynchronize(stream));
    free(values);
    return status;
}

static enum dm_status open_peer_copy(struct rdma_end *end)
{
    struct peer_copy *copy = end->state;
    TRY(peer_open(end, &mover));
    if (end->config.place != RDMA_DEVICE)
        return DM_OK;
    for (int which = 0; which < PEER_DIRECTIONS; which++)
        for (int lane = 0; lane < PEER_LANES && copy->peer.directions[which].is_mine; lane++)
            TRY_CUDA(cudaStreamCreateWithFlags(&copy->streams[which][lane], cudaStreamNonBlocking));
    return make_numbers(&copy->numbers, copy->streams[PEER_SEND][0]);
}

static void disconnect(struct rdma_end *end)
{
    struct peer_copy *copy = end->state;
    for (int which = 0; which < PEER_DIRECTIONS; which++)
        for (int lane = 0; lane < PEER_LANES; lane++)
            if (copy->streams[which][lane]) {
                cudaStreamSynchronize(copy->streams[which][lane]);
                cudaStreamDestroy(copy->streams[which][lane]);
            }
    peer_disconnect(end);
}

static void close_peer_copy(struct rdma_end *end)
{
    struct peer_copy *copy = end->state;
    memory_give_back(MEMORY_DEVICE, copy->numbers);
    peer_close(end);
}

const struct path path_peer_copy = {
    .check = peer_check,
    .state_bytes = sizeof(struct peer_copy),
    .open = open_peer_copy,
    .start_receive = peer_start_receive,
    .start_send = peer_start_send,
    .wait = peer_wait,
    .disconnect = disconnect,
    .close = close_peer_copy,
    .own_buffers = true,
    .same_host = true,
    .needs_devices = true,
};
