#include <limits.h>
#include <stdlib.h>
#include <mpi.h>

#include "common/error.h"
#include "prefetch/sip/conflict.h"
#include "prefetch/sip/server_jobs.h"

static struct block_id id_of(const struct job *job)
{
    return (struct block_id){job->request.array, job->request.number};
}

static size_t bytes_of(const struct job *job)
{
    return (size_t)job->request.elements * sizeof(double);
}

void job_free(struct job *job)
{
    free(job->arrived);
    free(job->list);
    free(job);
}

static enum dm_status send(struct server *server, struct job *job, enum job_step step,
                           const void *data, int64_t count, MPI_Datatype type, MPI_Request *mpi)
{
    job->step = step;
    TRY_MPI(
        MPI_Isend(data, (int)count, type, job->worker, job->request.tag, server->team.job, mpi));
    return DM_OK;
}

static enum dm_status send_reply(struct server *server, struct job *job, enum job_step step,
                                 MPI_Request *mpi)
{
    return send(server, job, step, &job->reply, sizeof job->reply, MPI_BYTE, mpi);
}

static void set_failed(struct job *job, enum store_outcome cause)
{
    job->reply.status = REPLY_FAILED;
    job->reply.cause = (int)cause;
}

/* Room will come when another job ends and lets go of its block. */
static bool must_wait(const struct server *server, enum store_outcome outcome)
{
    return outcome == STORE_NO_MEMORY && server->active_count > 0;
}

static bool is_known(const struct server *server, const struct request *request)
{
    const struct transport_config *config = &server->team.config;
    return request->array >= 0 && request->array < config->array_count &&
           request->elements == (int64_t)config->arrays[request->array].elements;
}

/* ---- get ---- */

static enum dm_status begin_get(struct server *server, struct job *job, MPI_Request *mpi,
                                enum job_progress *progress)
{
    const struct request *request = &job->request;
    struct reply *reply = &job->reply;
    struct store_stamp stamp;
    if (!store_has(server->store, id_of(job), &stamp)) {
        reply->status = REPLY_MISSING;
    } else if (conflict_of_get(&stamp, request->epoch, job->worker, &reply->worker,
                               &reply->statement)) {
        reply->status = REPLY_CONFLICT;
    } else {
        enum store_outcome outcome = store_acquire(
            server->store, id_of(job), (size_t)request->elements, STORE_READ, &job->block, NULL);
        if (must_wait(server, outcome)) {
            *progress = JOB_LATER;
            return DM_OK;
        }
        job->acquired = outcome == STORE_OK;
        if (!job->acquired)
            set_failed(job, outcome);
    }
    server->counters.gets++;
    if (!job->acquired)
        return send(server, job, JOB_EMPTY_LEAVES, NULL, 0, MPI_DOUBLE, mpi);
    server->counters.sent_bytes += bytes_of(job);
    return send(server, job, JOB_BLOCK_LEAVES, job->block, request->elements, MPI_DOUBLE, mpi);
}

/* ---- put ---- */

/* What a get out of the window sees. The stamp is there before the data change, the mark after it.
 */
static enum dm_status show_in_window(struct server *server, struct job *job,
                                     const struct store_stamp *stamp, bool written)
{
    struct window_header *header = team_slot(&server->team, id_of(job));
    if (!header)
        return DM_OK;
    header->stamp = *stamp;
    header->written |= written;
    TRY_MPI(MPI_Win_sync(server->team.window));
    return DM_OK;
}

/* Decides where the block may go: sets job->acquired, or the reply that refuses it. */
static enum dm_status admit(struct server *server, struct job *job, enum job_progress *progress)
{
    const struct request *request = &job->request;
    struct reply *reply = &job->reply;
    bool add = request->kind == REQUEST_ADD;
    struct store_stamp old, *stamp;
    if (!is_known(server, request)) {
        set_failed(job, STORE_WRONG_SIZE);
        return DM_OK;
    }
    if (store_has(server->store, id_of(job), &old) &&
        conflict_of_put(&old, request->epoch, job->worker, add, &reply->worker,
                        &reply->statement)) {
        reply->status = REPLY_CONFLICT;
        return DM_OK;
    }
    enum store_outcome outcome =
        store_acquire(server->store, id_of(job), (size_t)request->elements,
                      add ? STORE_UPDATE : STORE_WRITE, &job->block, &stamp);
    if (must_wait(server, outcome)) {
        *progress = JOB_LATER;
        return DM_OK;
    }
    job->acquired = outcome == STORE_OK;
    if (!job->acquired) {
        set_failed(job, outcome);
        return DM_OK;
    }
    conflict_note_put(stamp, request->epoch, job->worker, add, request->statement);
    return show_in_window(server, job, stamp, false);
}

static enum dm_status begin_put(struct server *server, struct job *job, MPI_Request *mpi,
                                enum job_progress *progress)
{
    const struct request *request = &job->request;
    if (request->elements < 1 || request->elements > INT_MAX)
        return dm_fail(DM_FAILED, "worker %d sent a put that cannot be read", job->worker);
    TRY(admit(server, job, progress));
    if (*progress == JOB_LATER)
        return DM_OK;
    bool straight = job->acquired && request->kind == REQUEST_PUT;
    if (!straight)
        job->arrived = malloc(bytes_of(job));
    if (!straight && !job->arrived)
        return error_no_memory(bytes_of(job));
    job->step = JOB_BLOCK_ARRIVES;
    TRY_MPI(MPI_Irecv(straight ? job->block : job->arrived, (int)request->elements, MPI_DOUBLE,
                      job->worker, request->tag, server->team.job, mpi));
    return DM_OK;
}

static void add_block(double *sum, const double *block, int64_t elements)
{
    for (int64_t i = 0; i < elements; i++)
        sum[i] += block[i];
}

static enum dm_status end_put(struct server *server, struct job *job, MPI_Request *mpi)
{
    struct store_stamp stamp;
    server->counters.received_bytes += bytes_of(job);
    if (job->acquired) {
        if (job->arrived)
            add_block(job->block, job->arrived, job->request.elements);
        store_release(server->store, id_of(job), true);
        *(job->arrived ? &server->counters.adds : &server->counters.puts) += 1;
        if (store_has(server->store, id_of(job), &stamp))
            TRY(show_in_window(server, job, &stamp, true));
    }
    return send_reply(server, job, JOB_REPLY_LEAVES, mpi);
}

/* ---- whole arrays ---- */

static enum dm_status begin_delete(struct server *server, struct job *job, MPI_Request *mpi)
{
    if (!store_drop_array(server->store, job->request.array))
        return dm_fail(DM_FAILED, "array %d was deleted while its blocks were in use",
                       job->request.array);
    team_clear_slots(&server->team, job->request.array);
    return send_reply(server, job, JOB_REPLY_LEAVES, mpi);
}

static enum dm_status begin_flush(struct server *server, struct job *job, MPI_Request *mpi)
{
    enum store_outcome outcome = store_flush(server->store);
    if (outcome != STORE_OK)
        set_failed(job, outcome);
    return send_reply(server, job, JOB_REPLY_LEAVES, mpi);
}

static enum dm_status begin_list(struct server *server, struct job *job, MPI_Request *mpi)
{
    size_t count;
    if (store_list(server->store, job->request.array, &job->list, &count) != DM_OK) {
        count = 0;
        set_failed(job, STORE_NO_MEMORY);
    }
    job->reply.count = (int64_t)count;
    return send_reply(server, job, count > 0 ? JOB_COUNT_LEAVES : JOB_REPLY_LEAVES, mpi);
}

/* ---- all ---- */

enum dm_status job_begin(struct server *server, struct job *job, MPI_Request *mpi,
                         enum job_progress *progress)
{
    *progress = JOB_GOES_ON;
    switch ((enum request_kind)job->request.kind) {
    case REQUEST_GET:
        return begin_get(server, job, mpi, progress);
    case REQUEST_PUT:
    case REQUEST_ADD:
        return begin_put(server, job, mpi, progress);
    case REQUEST_DELETE:
        return begin_delete(server, job, mpi);
    case REQUEST_FLUSH:
        return begin_flush(server, job, mpi);
    case REQUEST_LIST:
        return begin_list(server, job, mpi);
    case REQUEST_CLOSE:
        server->closed++;
        *progress = JOB_ENDED;
        return DM_OK;
    }
    return dm_fail(DM_FAILED, "worker %d sent an unknown request", job->worker);
}

enum dm_status job_go_on(struct server *server, struct job *job, MPI_Request *mpi,
                         enum job_progress *progress)
{
    *progress = JOB_GOES_ON;
    switch (job->step) {
    case JOB_BLOCK_ARRIVES:
        return end_put(server, job, mpi);
    case JOB_EMPTY_LEAVES:
        return send_reply(server, job, JOB_REPLY_LEAVES, mpi);
    case JOB_COUNT_LEAVES:
        return send(server, job, JOB_LIST_LEAVES, job->list, job->reply.count, MPI_INT64_T, mpi);
    case JOB_BLOCK_LEAVES:
        store_release(server->store, id_of(job), false);
        break;
    case JOB_REPLY_LEAVES:
    case JOB_LIST_LEAVES:
        break;
    }
    *progress = JOB_ENDED;
    return DM_OK;
}
