/* path_mpi.c: MPI does everything: from host memory to host memory, or, if it takes device
 * pointers, to and from GPU memory. How the data go is then MPI's affair: Open MPI copies between
 * GPUs of one host through CUDA IPC, and otherwise through main memory. */
#include <stdlib.h>

#include "common/error.h"

#include "path.h"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#define HOW_TO_GET_ONE                                                                             \
    "build one with `make -f rdma/openmpi-cuda.mk` and take it with "                              \
    "`make MPI_HOME=$PWD/build/openmpi-cuda`"

/* An MPI that does not know device pointers reads them as its own memory and crashes, so it is
 * queried when the library is compiled and again when it runs: it may be another one by then. */
static enum dm_status check_cuda_aware(const struct rdma_config *config)
{
    (void)config;
#if defined(SOFTGPU)
    return dm_fail(DM_UNAVAILABLE,
                   "to MPI the memory of the software GPU is main memory: this path needs a CUDA "
                   "GPU (GPU=cuda)");
#elif !defined(MPIX_CUDA_AWARE_SUPPORT) || !MPIX_CUDA_AWARE_SUPPORT
    return dm_fail(DM_UNAVAILABLE,
                   "the MPI that this was compiled with takes no device pointers: " HOW_TO_GET_ONE);
#else
    if (MPIX_Query_cuda_support() == 1)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "the MPI that this runs with takes no device pointers: " HOW_TO_GET_ONE);
#endif
}

struct messages {
    int count; /* started and not waited for */
    MPI_Request *requests;
};

static int count_requests(const struct rdma_end *end)
{
    return 2 * end->config.window; /* receives and sends */
}

static enum dm_status open_messages(struct rdma_end *end)
{
    struct messages *messages = end->state;
    const size_t bytes = (size_t)count_requests(end) * sizeof *messages->requests;
    messages->requests = malloc(bytes);
    if (!messages->requests)
        return error_no_memory(bytes);
    requests_clear(messages->requests, count_requests(end));
    return DM_OK;
}

static enum dm_status start_receive(struct rdma_end *end, size_t bytes)
{
    struct messages *messages = end->state;
    return message_receive(&end->contact, end->receive_buffer, bytes,
                           &messages->requests[messages->count++]);
}

static enum dm_status start_send(struct rdma_end *end, size_t bytes)
{
    struct messages *messages = end->state;
    return message_send(&end->contact, end->send_buffer, bytes,
                        &messages->requests[messages->count++]);
}

static enum dm_status wait_messages(struct rdma_end *end)
{
    struct messages *messages = end->state;
    TRY(requests_wait(&end->contact, messages->requests, messages->count, "a block"));
    messages->count = 0;
    return DM_OK;
}

static void close_messages(struct rdma_end *end)
{
    struct messages *messages = end->state;
    if (messages->requests && !requests_drop(messages->requests, count_requests(end)))
        end->left_to_mpi = true;
    free(messages->requests);
}

const struct path path_host = {
    .state_bytes = sizeof(struct messages),
    .open = open_messages,
    .start_receive = start_receive,
    .start_send = start_send,
    .wait = wait_messages,
    .close = close_messages,
};

const struct path path_cuda_aware = {
    .check = check_cuda_aware,
    .state_bytes = sizeof(struct messages),
    .open = open_messages,
    .start_receive = start_receive,
    .start_send = start_send,
    .wait = wait_messages,
    .close = close_messages,
    .needs_devices = true,
};
