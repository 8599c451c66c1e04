#include <limits.h>
#include <stdlib.h>
#include <mpi.h>

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

static enum job_progress send(struct server *server, struct job *job, enum job_step step,
                              const void *data, int64_t count, MPI_Datatype type, MPI_Request *mpi,
                              struct transport_error *error)
{
    job->step = step;
    int code =
        MPI_Isend(data, (int)count, type, job->worker, job->request.tag, server->team.job, mpi);
    return team_mpi(code, "answering a worker", error) ? JOB_GOES_ON : JOB_FAILED;
}

static enum job_progress send_reply(struct server *server, struct job *job, enum job_step step,
                                    MPI_Request *mpi, struct transport_error *error)
{
    return send(server, job, step, &job->reply, sizeof job->reply, MPI_BYTE, mpi, error);
}

static void set_failed(struct job *job, enum store_status cause)
{
    job->reply.status = REPLY_FAILED;
    job->reply.cause = (int)cause;
}

/* Room will come when another job ends and lets go of its block. */
static bool must_wait(const struct server *server, enum store_status status)
{
    return status == STORE_NO_MEMORY && server->active_count > 0;
}

static bool is_known(const struct server *server, const struct request *request)
{
    const struct transport_config *config = &server->team.config;
    return request->array >= 0 && request->array < config->array_count &&
           request->elements == (int64_t)config->arrays[request->array].elements;
}

/* ---- get ---- */

static enum job_progress begin_get(struct server *server, struct job *job, MPI_Request *mpi,
                                   struct transport_error *error)
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
        enum store_status status = store_acquire(
            server->store, id_of(job), (size_t)request->elements, STORE_READ, &job->block, NULL);
        if (must_wait(server, status))
            return JOB_LATER;
        job->acquired = status == STORE_OK;
        if (!job->acquired)
            set_failed(job, status);
    }
    server->counters.gets++;
    if (!job->acquired)
        return send(server, job, JOB_EMPTY_LEAVES, NULL, 0, MPI_DOUBLE, mpi, error);
    server->counters.bytes_sent += bytes_of(job);
    return send(server, job, JOB_BLOCK_LEAVES, job->block, request->elements, MPI_DOUBLE, mpi,
                error);
}

/* ---- put ---- */

/* What a get out of the window sees. The stamp is there before the data change, the mark after it.
 */
static bool show_in_window(struct server *server, struct job *job, const struct store_stamp *stamp,
                           bool written, struct transport_error *error)
{
    struct window_header *header = team_slot(&server->team, id_of(job));
    if (!header)
        return true;
    header->stamp = *stamp;
    header->written |= written;
    return team_mpi(MPI_Win_sync(server->team.window), "MPI_Win_sync", error);
}

/* Decides where the block may go: sets job->acquired, or the reply that refuses it. */
static enum job_progress admit(struct server *server, struct job *job,
                               struct transport_error *error)
{
    const struct request *request = &job->request;
    struct reply *reply = &job->reply;
    bool add = request->kind == REQUEST_ADD;
    struct store_stamp old, *stamp;
    if (!is_known(server, request)) {
        set_failed(job, STORE_WRONG_SIZE);
        return JOB_GOES_ON;
    }
    if (store_has(server->store, id_of(job), &old) &&
        conflict_of_put(&old, request->epoch, job->worker, add, &reply->worker,
                        &reply->statement)) {
        reply->status = REPLY_CONFLICT;
        return JOB_GOES_ON;
    }
    enum store_status status = store_acquire(server->store, id_of(job), (size_t)request->elements,
                                             add ? STORE_UPDATE : STORE_WRITE, &job->block, &stamp);
    if (must_wait(server, status))
        return JOB_LATER;
    job->acquired = status == STORE_OK;
    if (!job->acquired) {
        set_failed(job, status);
        return JOB_GOES_ON;
    }
    conflict_note_put(stamp, request->epoch, job->worker, add, request->statement);
    return show_in_window(server, job, stamp, false, error) ? JOB_GOES_ON : JOB_FAILED;
}

static enum job_progress begin_put(struct server *server, struct job *job, MPI_Request *mpi,
                                   struct transport_error *error)
{
    const struct request *request = &job->request;
    if (request->elements < 1 || request->elements > INT_MAX) {
        team_fail(error, "worker %d sent a put that cannot be read", job->worker);
        return JOB_FAILED;
    }
    enum job_progress progress = admit(server, job, error);
    if (progress != JOB_GOES_ON)
        return progress;
    bool straight = job->acquired && request->kind == REQUEST_PUT;
    if (!straight)
        job->arrived = malloc(bytes_of(job));
    if (!straight && !job->arrived) {
        team_fail(error, "no memory to receive a block of %zu bytes", bytes_of(job));
        return JOB_FAILED;
    }
    job->step = JOB_BLOCK_ARRIVES;
    int code = MPI_Irecv(straight ? job->block : job->arrived, (int)request->elements, MPI_DOUBLE,
                         job->worker, request->tag, server->team.job, mpi);
    return team_mpi(code, "receiving a block", error) ? JOB_GOES_ON : JOB_FAILED;
}

static void add_block(double *sum, const double *block, int64_t elements)
{
    for (int64_t i = 0; i < elements; i++)
        sum[i] += block[i];
}

static enum job_progress end_put(struct server *server, struct job *job, MPI_Request *mpi,
                                 struct transport_error *error)
{
    struct store_stamp stamp;
    server->counters.bytes_received += bytes_of(job);
    if (job->acquired) {
        if (job->arrived)
            add_block(job->block, job->arrived, job->request.elements);
        store_release(server->store, id_of(job), true);
        *(job->arrived ? &server->counters.adds : &server->counters.puts) += 1;
        if (!store_has(server->store, id_of(job), &stamp) ||
            !show_in_window(server, job, &stamp, true, error))
            return JOB_FAILED;
    }
    return send_reply(server, job, JOB_REPLY_LEAVES, mpi, error);
}

/* ---- whole arrays ---- */

static enum job_progress begin_delete(struct server *server, struct job *job, MPI_Request *mpi,
                                      struct transport_error *error)
{
    if (!store_drop_array(server->store, job->request.array)) {
        team_fail(error, "array %d was deleted while its blocks were in use", job->request.array);
        return JOB_FAILED;
    }
    team_clear_slots(&server->team, job->request.array);
    return send_reply(server, job, JOB_REPLY_LEAVES, mpi, error);
}

static enum job_progress begin_flush(struct server *server, struct job *job, MPI_Request *mpi,
                                     struct transport_error *error)
{
    enum store_status status = store_flush(server->store);
    if (status != STORE_OK)
        set_failed(job, status);
    return send_reply(server, job, JOB_REPLY_LEAVES, mpi, error);
}

static enum job_progress begin_list(struct server *server, struct job *job, MPI_Request *mpi,
                                    struct transport_error *error)
{
    size_t count;
    if (!store_list(server->store, job->request.array, &job->list, &count))
        set_failed(job, STORE_NO_MEMORY);
    job->reply.count = (int64_t)count;
    return send_reply(server, job, count > 0 ? JOB_COUNT_LEAVES : JOB_REPLY_LEAVES, mpi, error);
}

/* ---- all ---- */

enum job_progress job_begin(struct server *server, struct job *job, MPI_Request *mpi,
                            struct transport_error *error)
{
    switch ((enum request_kind)job->request.kind) {
    case REQUEST_GET:
        return begin_get(server, job, mpi, error);
    case REQUEST_PUT:
    case REQUEST_ADD:
        return begin_put(server, job, mpi, error);
    case REQUEST_DELETE:
        return begin_delete(server, job, mpi, error);
    case REQUEST_FLUSH:
        return begin_flush(server, job, mpi, error);
    case REQUEST_LIST:
        return begin_list(server, job, mpi, error);
    case REQUEST_CLOSE:
        server->closed++;
        return JOB_ENDED;
    }
    team_fail(error, "worker %d sent an unknown request", job->worker);
    return JOB_FAILED;
}

enum job_progress job_go_on(struct server *server, struct job *job, MPI_Request *mpi,
                            struct transport_error *error)
{
    switch (job->step) {
    case JOB_BLOCK_ARRIVES:
        return end_put(server, job, mpi, error);
    case JOB_EMPTY_LEAVES:
        return send_reply(server, job, JOB_REPLY_LEAVES, mpi, error);
    case JOB_COUNT_LEAVES:
        return send(server, job, JOB_LIST_LEAVES, job->list, job->reply.count, MPI_INT64_T, mpi,
                    error);
    case JOB_BLOCK_LEAVES:
        store_release(server->store, id_of(job), false);
        return JOB_ENDED;
    case JOB_REPLY_LEAVES:
    case JOB_LIST_LEAVES:
        break;
    }
    return JOB_ENDED;
}
