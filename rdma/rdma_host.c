/* rdma_host.c: from host memory to host memory; MPI does everything. */
#include "rdma_internal.h"

#include <stdlib.h>

struct messages {
    int count; /* started and not waited for */
    MPI_Request requests[];
};

static void host_open(struct rdma_end *end)
{
    size_t most = 2 * (size_t)end->config.window; /* sends and receives */
    end->state = allocate_or_fail(1, sizeof(struct messages) + most * sizeof(MPI_Request));
}

static void host_start_receive(struct rdma_end *end, size_t bytes)
{
    struct messages *messages = end->state;
    rdma_irecv(end, end->receive_buffer, bytes, &messages->requests[messages->count++]);
}

static void host_start_send(struct rdma_end *end, size_t bytes)
{
    struct messages *messages = end->state;
    rdma_isend(end, end->send_buffer, bytes, &messages->requests[messages->count++]);
}

static void host_wait(struct rdma_end *end)
{
    struct messages *messages = end->state;
    rdma_wait_requests(end, messages->requests, messages->count, "a block");
    messages->count = 0;
}

static void host_close(struct rdma_end *end)
{
    free(end->state);
}

const struct rdma_operations rdma_host_operations = {
    .open = host_open,
    .start_receive = host_start_receive,
    .start_send = host_start_send,
    .wait = host_wait,
    .close = host_close,
};
