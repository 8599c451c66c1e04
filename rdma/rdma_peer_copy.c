/* rdma_peer_copy.c: a copy engine moves each block and then raises its flag. */
#include "rdma_peer.h"

#include "memory.h"

#include <stdlib.h>

struct peer_copy {
    struct rdma_peer peer;
    cudaStream_t streams[RDMA_PEER_DIRECTIONS][RDMA_PEER_LANES];
    uint32_t *numbers; /* 0, 1, 2, ... in GPU memory */
};

/* The flag is a copy, too, of a number that lies ready, so that nobody has to wait for the block
 * before the flag is raised. It comes from GPU memory, because the driver makes the processor wait
 * for a copy from host to host memory. In the other lane the next block is on its way meanwhile. */
static void move(struct rdma_peer *peer, int which, uint64_t number, size_t bytes)
{
    const struct peer_copy *copy = (const struct peer_copy *)peer;
    const struct rdma_peer_direction *direction = &peer->directions[which];
    uint64_t lane = number % RDMA_PEER_LANES;
    uint64_t flag = (number / RDMA_PEER_LANES + 1) % RDMA_PEER_NUMBERS;
    cudaStream_t stream = copy->streams[which][lane];
    if (bytes > 0)
        rdma_copy_async(direction->to, direction->from, bytes, false, stream);
    check_cuda(cudaMemcpyAsync(direction->device_flags + lane, copy->numbers + flag,
                               sizeof *copy->numbers, cudaMemcpyDefault, stream));
}

static const struct rdma_peer_mover mover = {.lanes = RDMA_PEER_LANES, .move = move};

static uint32_t *make_numbers(void)
{
    size_t bytes = RDMA_PEER_NUMBERS * sizeof(uint32_t);
    uint32_t *numbers = memory_allocate(MEMORY_DEVICE, bytes);
    uint32_t *values = allocate_or_fail(RDMA_PEER_NUMBERS, sizeof *values);
    for (uint32_t i = 0; i < RDMA_PEER_NUMBERS; i++)
        values[i] = i;
    memory_copy(numbers, values, bytes);
    free(values);
    return numbers;
}

static void open_end(struct rdma_end *end)
{
    struct peer_copy *copy = allocate_or_fail(1, sizeof *copy);
    rdma_peer_open(end, &copy->peer, &mover);
    copy->numbers = end->config.place == RDMA_DEVICE ? make_numbers() : NULL;
    for (int which = 0; which < RDMA_PEER_DIRECTIONS; which++)
        for (int lane = 0; lane < RDMA_PEER_LANES && copy->peer.directions[which].mine; lane++)
            check_cuda(
                cudaStreamCreateWithFlags(&copy->streams[which][lane], cudaStreamNonBlocking));
}

static void close_end(struct rdma_end *end)
{
    struct peer_copy *copy = end->state;
    for (int which = 0; which < RDMA_PEER_DIRECTIONS; which++)
        for (int lane = 0; lane < RDMA_PEER_LANES && copy->peer.directions[which].mine; lane++) {
            check_cuda(cudaStreamSynchronize(copy->streams[which][lane]));
            check_cuda(cudaStreamDestroy(copy->streams[which][lane]));
        }
    if (copy->numbers)
        memory_release(MEMORY_DEVICE, copy->numbers);
    rdma_peer_close(end);
    free(copy);
}

const struct rdma_operations rdma_peer_copy_operations = {
    .complaint = rdma_peer_complaint,
    .open = open_end,
    .start_receive = rdma_peer_start_receive,
    .start_send = rdma_peer_start_send,
    .wait = rdma_peer_wait,
    .close = close_end,
    .own_buffers = true,
    .same_host = true,
    .needs_devices = true,
};
