/* path_staged.c: copy, wait, MPI, wait, copy. The simplest way to send from GPU memory with an MPI
 * that knows host memory alone: one bounce buffer per direction, one thing at a time in each
 * direction. A block of a window starts when the one before it has left the bounce buffer.
 *
 * Source: Peshne 2018, 5.4.1 (pageable bounce buffers: the normal path) and 5.4.2 (page-locked:
 * the DMA path). */
#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "common/memory.h"

#include "count.h"
#include "path.h"

enum step { IDLE, COPYING, IN_MPI };

/* One direction of an end. */
struct direction {
    bool is_send;
    void *bounce; /* NULL: the place is host memory, of which MPI takes the blocks */
    cudaStream_t stream;
    enum step step;
    double copy_start_s;
    MPI_Request request;
    size_t *sizes; /* of the blocks that were started, in order */
    int started, done;
};

struct staged {
    bool is_pageable; /* the bounce buffers */
    struct direction send, receive;
};

/* ---- one direction ---- */

static enum dm_status copy(struct rdma_end *end, struct direction *direction)
{
    const struct staged *staged = end->state;
    size_t bytes = direction->sizes[direction->done];
    void *to = direction->is_send ? direction->bounce : end->receive_buffer;
    const void *from = direction->is_send ? end->send_buffer : direction->bounce;
    direction->copy_start_s = clock_now_s();
    direction->step = COPYING;
    return copy_async(to, from, bytes, staged->is_pageable, direction->stream);
}

static enum dm_status communicate(struct rdma_end *end, struct direction *direction)
{
    size_t bytes = direction->sizes[direction->done];
    void *block = direction->bounce    ? direction->bounce
                  : direction->is_send ? end->send_buffer
                                       : end->receive_buffer;
    direction->step = IN_MPI;
    return direction->is_send ? message_send(&end->contact, block, bytes, &direction->request)
                              : message_receive(&end->contact, block, bytes, &direction->request);
}

static enum dm_status begin_next(struct rdma_end *end, struct direction *direction)
{
    direction->step = IDLE;
    if (direction->done == direction->started)
        return DM_OK;
    return direction->is_send && direction->bounce ? copy(end, direction)
                                                   : communicate(end, direction);
}

static enum dm_status step_is_complete(struct direction *direction, bool *is_complete)
{
    *is_complete = false;
    if (direction->step == IDLE)
        return DM_OK;
    return direction->step == IN_MPI ? request_is_done(&direction->request, is_complete)
                                     : stream_is_done(direction->stream, is_complete);
}

/* *has_moved becomes true if anything has happened. */
static enum dm_status advance(struct rdma_end *end, struct direction *direction, bool *has_moved)
{
    bool is_complete;
    TRY(step_is_complete(direction, &is_complete));
    if (!is_complete)
        return DM_OK;
    *has_moved = true;
    if (direction->step == COPYING)
        end->staging_s += clock_now_s() - direction->copy_start_s;
    bool is_first_half = direction->bounce && direction->is_send == (direction->step == COPYING);
    if (is_first_half)
        return direction->is_send ? communicate(end, direction) : copy(end, direction);
    direction->done++;
    return begin_next(end, direction);
}

/* ---- an end ---- */

static enum dm_status start(struct rdma_end *end, struct direction *direction, size_t bytes)
{
    direction->sizes[direction->started++] = bytes;
    return direction->step == IDLE ? begin_next(end, direction) : DM_OK;
}

static enum dm_status start_receive(struct rdma_end *end, size_t bytes)
{
    return start(end, &((struct staged *)end->state)->receive, bytes);
}

static enum dm_status start_send(struct rdma_end *end, size_t bytes)
{
    return start(end, &((struct staged *)end->state)->send, bytes);
}

static enum dm_status wait_staged(struct rdma_end *end)
{
    struct staged *staged = end->state;
    struct direction *send = &staged->send, *receive = &staged->receive;
    struct patience patience = patience_start(&end->contact, "a block");
    while (send->step != IDLE || receive->step != IDLE) {
        bool has_moved = false;
        TRY(advance(end, send, &has_moved));
        TRY(advance(end, receive, &has_moved));
        if (has_moved)
            patience = patience_start(&end->contact, "a block");
        else
            TRY(patience_pause(&patience));
    }
    send->started = send->done = receive->started = receive->done = 0;
    return DM_OK;
}

static enum memory_kind bounce_kind(const struct staged *staged)
{
    return staged->is_pageable ? MEMORY_PAGEABLE : MEMORY_PINNED;
}

static enum dm_status open_direction(struct rdma_end *end, struct direction *direction)
{
    const size_t window = (size_t)end->config.window;
    direction->sizes = calloc(window, sizeof *direction->sizes);
    if (!direction->sizes)
        return error_no_memory(window * sizeof *direction->sizes);
    if (end->config.place != RDMA_DEVICE)
        return DM_OK;
    TRY(memory_obtain(bounce_kind(end->state), end->config.bytes, &direction->bounce));
    return status_of_cuda(cudaStreamCreateWithFlags(&direction->stream, cudaStreamNonBlocking));
}

static void close_direction(struct rdma_end *end, struct direction *direction)
{
    bool is_left = !requests_drop(&direction->request, 1);
    if (direction->stream) {
        cudaStreamSynchronize(direction->stream);
        cudaStreamDestroy(direction->stream);
    }
    end->left_to_mpi |= is_left;
    if (!is_left)
        memory_give_back(bounce_kind(end->state), direction->bounce);
    free(direction->sizes);
}

static enum dm_status open_staged(struct rdma_end *end)
{
    struct staged *staged = end->state;
    staged->is_pageable = end->config.path == RDMA_STAGED_PAGEABLE;
    staged->send = (struct direction){.is_send = true, .request = MPI_REQUEST_NULL};
    staged->receive = (struct direction){.is_send = false, .request = MPI_REQUEST_NULL};
    TRY(open_direction(end, &staged->send));
    return open_direction(end, &staged->receive);
}

static void close_staged(struct rdma_end *end)
{
    struct staged *staged = end->state;
    close_direction(end, &staged->send);
    close_direction(end, &staged->receive);
}

const struct path path_staged = {
    .state_bytes = sizeof(struct staged),
    .open = open_staged,
    .start_receive = start_receive,
    .start_send = start_send,
    .wait = wait_staged,
    .close = close_staged,
    .needs_devices = true,
};
