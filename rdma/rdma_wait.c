/* rdma_wait.c: waiting for the other rank, or for the GPU, and never for ever. */
#include "rdma_internal.h"

#include "clock.h"
#include "ranks.h"

#include <limits.h>
#include <sched.h>
#include <time.h>

/* ---- patience ---- */

/* Looking again at once, then giving the core away, until these times have passed. */
static const double look_s = 2e-6, yield_s = 200e-6;
static const struct timespec nap = {.tv_nsec = 20000};

struct rdma_patience rdma_be_patient(const struct rdma_config *config, const char *what)
{
    return (struct rdma_patience){.start_s = clock_now_s(), .config = config, .what = what};
}

static void give_up_peer(const struct rdma_patience *patience)
{
    const struct rdma_config *config = patience->config;
    fail("rank %d waited %g s for %s from rank %d (path %s): that rank has ended, is stopped or "
         "has not started its part, or --wait-limit is too short",
         ranks.rank, config->wait_limit_s, patience->what, rdma_world_rank(config, config->peer),
         rdma_path_name(config->path));
}

static void give_up_gpu(const struct rdma_patience *patience)
{
    const struct rdma_config *config = patience->config;
    fail("rank %d waited %g s for %s by its GPU (path %s to and from rank %d): the GPU is busy "
         "with something else or hangs, or --wait-limit is too short",
         ranks.rank, config->wait_limit_s, patience->what, rdma_path_name(config->path),
         rdma_world_rank(config, config->peer));
}

static void pause_or(const struct rdma_patience *patience,
                     void (*give_up)(const struct rdma_patience *))
{
    double waited_s = clock_now_s() - patience->start_s;
    if (waited_s > patience->config->wait_limit_s)
        give_up(patience);
    if (!rdma_cores_are_crowded() || waited_s < look_s)
        return;
    if (waited_s < yield_s)
        sched_yield();
    else
        nanosleep(&nap, NULL);
}

void rdma_pause(const struct rdma_patience *patience)
{
    pause_or(patience, give_up_peer);
}

/* ---- requests and events ---- */

bool rdma_request_is_done(MPI_Request *request)
{
    int done;
    rdma_enter_mpi();
    check_mpi(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    rdma_leave_mpi();
    return done;
}

static void wait_request(const struct rdma_config *config, MPI_Request *request, const char *what)
{
    struct rdma_patience patience = rdma_be_patient(config, what);
    while (!rdma_request_is_done(request))
        rdma_pause(&patience);
}

void rdma_wait_request(const struct rdma_end *end, MPI_Request *request, const char *what)
{
    wait_request(&end->config, request, what);
}

void rdma_wait_requests(const struct rdma_end *end, MPI_Request *requests, int count,
                        const char *what)
{
    for (int i = 0; i < count; i++)
        rdma_wait_request(end, &requests[i], what);
}

bool rdma_gpu_is_done(cudaError_t answer)
{
    if (answer == cudaErrorNotReady) {
        (void)cudaGetLastError();
        return false;
    }
    check_cuda(answer);
    return true;
}

void rdma_wait_event(const struct rdma_end *end, cudaEvent_t event, const char *what)
{
    struct rdma_patience patience = rdma_be_patient(&end->config, what);
    while (!rdma_gpu_is_done(cudaEventQuery(event)))
        pause_or(&patience, give_up_gpu);
}

/* ---- messages ---- */

/* A number that callers hardly use: rdma_complaint talks on their communicator. */
enum { TAG = 20533, PIECE_BYTES = 1 << 20 };

/* MPI counts in int. */
struct amount {
    MPI_Datatype type;
    int count;
    bool made;
};

static struct amount amount_of(size_t bytes)
{
    if (bytes <= INT_MAX)
        return (struct amount){.type = MPI_BYTE, .count = (int)bytes};
    MPI_Datatype piece, parts[2] = {MPI_DATATYPE_NULL, MPI_BYTE}, whole;
    int lengths[2] = {(int)(bytes / PIECE_BYTES), (int)(bytes % PIECE_BYTES)};
    MPI_Aint offsets[2] = {0, (MPI_Aint)(bytes - bytes % PIECE_BYTES)};
    check_mpi(MPI_Type_contiguous(PIECE_BYTES, MPI_BYTE, &piece));
    parts[0] = piece;
    check_mpi(MPI_Type_create_struct(2, lengths, offsets, parts, &whole));
    check_mpi(MPI_Type_commit(&whole));
    check_mpi(MPI_Type_free(&piece));
    return (struct amount){.type = whole, .count = 1, .made = true};
}

/* A request that uses the type keeps it. */
static void release(struct amount *amount)
{
    if (amount->made)
        check_mpi(MPI_Type_free(&amount->type));
}

static void start_send(const struct rdma_config *config, const void *buffer, size_t bytes,
                       MPI_Request *request)
{
    struct amount amount = amount_of(bytes);
    rdma_enter_mpi();
    check_mpi(
        MPI_Isend(buffer, amount.count, amount.type, config->peer, TAG, config->ranks, request));
    rdma_leave_mpi();
    release(&amount);
}

static void start_receive(const struct rdma_config *config, void *buffer, size_t bytes,
                          MPI_Request *request)
{
    struct amount amount = amount_of(bytes);
    rdma_enter_mpi();
    check_mpi(
        MPI_Irecv(buffer, amount.count, amount.type, config->peer, TAG, config->ranks, request));
    rdma_leave_mpi();
    release(&amount);
}

void rdma_isend(const struct rdma_end *end, const void *buffer, size_t bytes, MPI_Request *request)
{
    start_send(&end->config, buffer, bytes, request);
}

void rdma_irecv(const struct rdma_end *end, void *buffer, size_t bytes, MPI_Request *request)
{
    start_receive(&end->config, buffer, bytes, request);
}

void rdma_exchange(const struct rdma_config *config, const void *mine, void *theirs, size_t bytes)
{
    MPI_Request received, sent;
    start_receive(config, theirs, bytes, &received);
    start_send(config, mine, bytes, &sent);
    wait_request(config, &received, "an answer");
    wait_request(config, &sent, "an answer");
}
