/* wait.c: waiting for the other rank, or for the GPU, and never for ever. */
#include <sched.h>
#include <time.h>

#include "common/clock.h"
#include "common/error_cuda.h"

#include "contact.h"
#include "count.h"

/* ---- patience ---- */

/* Looking again at once, then yielding the core, until these times have passed. */
static const double look_s = 2e-6, yield_s = 200e-6;
static const struct timespec nap = {.tv_nsec = 20000};

struct patience patience_start(const struct contact *contact, const char *what)
{
    return (struct patience){.start_s = clock_now_s(), .contact = contact, .what = what};
}

static enum dm_status give_up_peer(const struct patience *patience)
{
    const struct contact *contact = patience->contact;
    return dm_fail(DM_TIMEOUT,
                   "rank %d waited %g s for %s from rank %d (path %s): that rank has ended, is "
                   "stopped or has not started its part, or the time limit is too short",
                   contact->world_rank, contact->wait_limit_s, patience->what, contact->world_peer,
                   rdma_path_name(contact->path));
}

static enum dm_status give_up_gpu(const struct patience *patience)
{
    const struct contact *contact = patience->contact;
    return dm_fail(
        DM_TIMEOUT,
        "rank %d waited %g s for %s by its GPU (path %s to and from rank %d): the GPU is "
        "busy with something else or hangs, or the time limit is too short",
        contact->world_rank, contact->wait_limit_s, patience->what, rdma_path_name(contact->path),
        contact->world_peer);
}

static enum dm_status pause_or(const struct patience *patience,
                               enum dm_status (*give_up)(const struct patience *))
{
    double waited_s = clock_now_s() - patience->start_s;
    if (waited_s > patience->contact->wait_limit_s)
        return give_up(patience);
    if (!patience->contact->is_crowded || waited_s < look_s)
        return DM_OK;
    if (waited_s < yield_s)
        sched_yield();
    else
        nanosleep(&nap, NULL);
    return DM_OK;
}

enum dm_status patience_pause(const struct patience *patience)
{
    return pause_or(patience, give_up_peer);
}

/* ---- requests ---- */

enum dm_status request_is_done(MPI_Request *request, bool *is_done)
{
    int done = 0;
    copies_enter_mpi();
    int error = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    copies_leave_mpi();
    *is_done = done != 0;
    return error_mpi(error, "MPI_Test", __FILE__, __LINE__);
}

enum dm_status requests_wait(const struct contact *contact, MPI_Request *requests, int count,
                             const char *what)
{
    for (int i = 0; i < count; i++) {
        struct patience patience = patience_start(contact, what);
        for (;;) {
            bool is_done;
            TRY(request_is_done(&requests[i], &is_done));
            if (is_done)
                break;
            TRY(patience_pause(&patience));
        }
    }
    return DM_OK;
}

void requests_clear(MPI_Request *requests, int count)
{
    for (int i = 0; i < count; i++)
        requests[i] = MPI_REQUEST_NULL;
}

/* Receives can be cancelled; of sends Open MPI completes the small ones only. */
bool requests_drop(MPI_Request *requests, int count)
{
    bool are_done = true;
    for (int i = 0; i < count; i++) {
        int done = 0;
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        MPI_Cancel(&requests[i]);
        are_done &= MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done;
    }
    return are_done;
}

/* ---- events and streams ---- */

static enum dm_status is_ready(cudaError_t reply, const char *call, bool *is_done)
{
    *is_done = reply == cudaSuccess;
    if (reply != cudaErrorNotReady)
        return error_cuda(reply, call, __FILE__, __LINE__);
    (void)cudaGetLastError();
    return DM_OK;
}

enum dm_status event_is_done(cudaEvent_t event, bool *is_done)
{
    return is_ready(cudaEventQuery(event), "cudaEventQuery", is_done);
}

enum dm_status stream_is_done(cudaStream_t stream, bool *is_done)
{
    return is_ready(cudaStreamQuery(stream), "cudaStreamQuery", is_done);
}

enum dm_status event_wait(const struct contact *contact, cudaEvent_t event, const char *what)
{
    struct patience patience = patience_start(contact, what);
    for (;;) {
        bool is_done;
        TRY(event_is_done(event, &is_done));
        if (is_done)
            return DM_OK;
        TRY(pause_or(&patience, give_up_gpu));
    }
}
