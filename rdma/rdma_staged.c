/* rdma_staged.c: copy, wait, MPI, wait, copy. The simplest way to send from GPU memory with an
 * MPI that knows host memory alone: one bounce buffer per direction, one thing at a time in each
 * direction. A block of a window starts when the one before it has left the bounce buffer.
 *
 * Source: Peshne 2018, 5.4.1 (pageable bounce buffers: the normal path) and 5.4.2 (page-locked:
 * the DMA path). */
#include "rdma_internal.h"

#include "clock.h"
#include "memory.h"

#include <stdlib.h>

enum step { IDLE, COPYING, IN_MPI };

/* One direction of an end. */
struct lane {
    bool sends;
    void *bounce; /* NULL: the place is host memory, of which MPI takes the blocks */
    cudaStream_t stream;
    enum step step;
    double copy_start_s;
    MPI_Request request;
    size_t *sizes; /* of the blocks that were started, in order */
    int started, done;
};

struct staged {
    bool pageable; /* the bounce buffers */
    struct lane send, receive;
};

/* ---- one direction ---- */

static void copy(struct rdma_end *end, struct lane *lane)
{
    const struct staged *staged = end->state;
    size_t bytes = lane->sizes[lane->done];
    void *to = lane->sends ? lane->bounce : end->receive_buffer;
    const void *from = lane->sends ? end->send_buffer : lane->bounce;
    lane->copy_start_s = clock_now_s();
    rdma_copy_async(to, from, bytes, staged->pageable, lane->stream);
    lane->step = COPYING;
}

static void communicate(struct rdma_end *end, struct lane *lane)
{
    size_t bytes = lane->sizes[lane->done];
    if (lane->sends)
        rdma_isend(end, lane->bounce ? lane->bounce : end->send_buffer, bytes, &lane->request);
    else
        rdma_irecv(end, lane->bounce ? lane->bounce : end->receive_buffer, bytes, &lane->request);
    lane->step = IN_MPI;
}

static void begin_next(struct rdma_end *end, struct lane *lane)
{
    lane->step = IDLE;
    if (lane->done == lane->started)
        return;
    if (lane->sends && lane->bounce)
        copy(end, lane);
    else
        communicate(end, lane);
}

static bool step_is_complete(struct lane *lane)
{
    if (lane->step == IN_MPI)
        return rdma_request_is_done(&lane->request);
    return rdma_gpu_is_done(cudaStreamQuery(lane->stream));
}

/* Whether anything has happened. */
static bool advance(struct rdma_end *end, struct lane *lane)
{
    if (lane->step == IDLE || !step_is_complete(lane))
        return false;
    if (lane->step == COPYING)
        end->copy_s += clock_now_s() - lane->copy_start_s;
    bool is_first_half = lane->bounce && lane->sends == (lane->step == COPYING);
    if (is_first_half && lane->sends) {
        communicate(end, lane);
    } else if (is_first_half) {
        copy(end, lane);
    } else {
        lane->done++;
        begin_next(end, lane);
    }
    return true;
}

/* ---- an end ---- */

static void start(struct rdma_end *end, struct lane *lane, size_t bytes)
{
    lane->sizes[lane->started++] = bytes;
    if (lane->step == IDLE)
        begin_next(end, lane);
}

static void staged_start_receive(struct rdma_end *end, size_t bytes)
{
    start(end, &((struct staged *)end->state)->receive, bytes);
}

static void staged_start_send(struct rdma_end *end, size_t bytes)
{
    start(end, &((struct staged *)end->state)->send, bytes);
}

static void staged_wait(struct rdma_end *end)
{
    struct staged *staged = end->state;
    struct lane *send = &staged->send, *receive = &staged->receive;
    struct rdma_patience patience = rdma_be_patient(&end->config, "a block");
    while (send->step != IDLE || receive->step != IDLE) {
        bool sent = advance(end, send), received = advance(end, receive);
        if (sent || received)
            patience = rdma_be_patient(&end->config, "a block");
        else
            rdma_pause(&patience);
    }
    send->started = send->done = receive->started = receive->done = 0;
}

static enum memory_kind bounce_kind(const struct staged *staged)
{
    return staged->pageable ? MEMORY_PAGEABLE : MEMORY_PINNED;
}

static void open_lane(struct rdma_end *end, struct lane *lane, bool sends)
{
    lane->sends = sends;
    lane->sizes = allocate_or_fail((size_t)end->config.window, sizeof *lane->sizes);
    if (end->config.place != RDMA_DEVICE)
        return;
    lane->bounce = memory_allocate(bounce_kind(end->state), end->config.bytes);
    check_cuda(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
}

static void close_lane(const struct staged *staged, struct lane *lane)
{
    free(lane->sizes);
    if (!lane->bounce)
        return;
    check_cuda(cudaStreamDestroy(lane->stream));
    memory_release(bounce_kind(staged), lane->bounce);
}

static void staged_open(struct rdma_end *end)
{
    struct staged *staged = allocate_or_fail(1, sizeof *staged);
    end->state = staged;
    staged->pageable = end->config.path == RDMA_STAGED_PAGEABLE;
    open_lane(end, &staged->send, true);
    open_lane(end, &staged->receive, false);
}

static void staged_close(struct rdma_end *end)
{
    struct staged *staged = end->state;
    close_lane(staged, &staged->send);
    close_lane(staged, &staged->receive);
    free(staged);
}

const struct rdma_operations rdma_staged_operations = {
    .open = staged_open,
    .start_receive = staged_start_receive,
    .start_send = staged_start_send,
    .wait = staged_wait,
    .close = staged_close,
    .needs_devices = true,
};
