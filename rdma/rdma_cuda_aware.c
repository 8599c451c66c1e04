/* rdma_cuda_aware.c: device pointers are given to MPI. How the data go is then
 * MPI's affair: Open MPI copies between GPUs of one host through CUDA IPC, and
 * through main memory otherwise. */
#include "rdma_internal.h"
#include "status.h"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <stdlib.h>

#define HOW_TO_GET_ONE                                                                             \
    "build one with `make -f rdma/openmpi-cuda.mk` and take it with "                              \
    "`make MPI_HOME=$PWD/build/openmpi-cuda`"

/* An MPI that does not know device pointers reads them as its own memory and
 * crashes, so it is asked when the program is compiled and again when it runs:
 * the library may be another one by then. */
static const char *cuda_aware_complaint(const struct rdma_config *config)
{
    (void)config;
#if defined(SOFTGPU)
    return "the memory of the software GPU is main memory, which every MPI takes "
           "for just that: "
           "this path needs a CUDA GPU (GPU=cuda)";
#elif !defined(MPIX_CUDA_AWARE_SUPPORT) || !MPIX_CUDA_AWARE_SUPPORT
    return "the MPI that the programs were compiled with takes no device "
           "pointers: " HOW_TO_GET_ONE;
#else
    if (MPIX_Query_cuda_support() != 1)
        return "the MPI that the program runs with takes no device "
               "pointers: " HOW_TO_GET_ONE;
    return NULL;
#endif
}

/* Requests that were started and not waited for. */
struct cuda_aware {
    MPI_Request *requests;
    int count;
};

static void cuda_aware_open(struct rdma_end *end)
{
    struct cuda_aware *state = allocate_or_fail(1, sizeof *state);

    state->requests = allocate_or_fail(2 * (unsigned long)end->config.window, sizeof(MPI_Request));
    state->count = 0;
    end->state = state;
}

static void cuda_aware_start_receive(struct rdma_end *end, size_t bytes)
{
    struct cuda_aware *state = end->state;
    rdma_irecv(end, end->receive_buffer, bytes, &state->requests[state->count++]);
}

static void cuda_aware_start_send(struct rdma_end *end, size_t bytes)
{
    struct cuda_aware *state = end->state;
    rdma_isend(end, end->send_buffer, bytes, &state->requests[state->count++]);
}

static void cuda_aware_wait(struct rdma_end *end)
{
    struct cuda_aware *state = end->state;
    rdma_wait_requests(end, state->requests, state->count, "a block");
    state->count = 0;
}

static void cuda_aware_close(struct rdma_end *end)
{
    struct cuda_aware *state = end->state;
    free(state->requests);
    free(state);
}

const struct rdma_operations rdma_cuda_aware_operations = {
    .complaint = cuda_aware_complaint,
    .open = cuda_aware_open,
    .start_receive = cuda_aware_start_receive,
    .start_send = cuda_aware_start_send,
    .wait = cuda_aware_wait,
    .close = cuda_aware_close,
    .needs_devices = true,
};
