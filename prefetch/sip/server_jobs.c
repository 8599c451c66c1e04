#include "prefetch/sip/server_jobs.h"

#include <stdlib.h>
#include <mpi.h>

#include "common/error.h"

static bool is_about_block(const struct job *job)
{
    return job->request.kind == REQUEST_GET || job->request.kind == REQUEST_PUT ||
           job->request.kind == REQUEST_ADD;
}

/* Whether two jobs touch the same data, so that their order matters. */
static bool meet(const struct job *a, const struct job *b)
{
    if (a->request.array != b->request.array)
        return false;
    if (a->request.kind == REQUEST_DELETE || b->request.kind == REQUEST_DELETE)
        return true;
    return is_about_block(a) && is_about_block(b) && a->request.number == b->request.number;
}

static bool exclude(const struct job *a, const struct job *b)
{
    bool alike = a->request.kind == b->request.kind &&
                 (a->request.kind == REQUEST_GET || a->request.kind == REQUEST_ADD);
    return meet(a, b) && !alike;
}

static bool is_blocked(const struct server *server, const struct job *job, int waiting_before)
{
    for (int i = 0; i < server->active_count; i++)
        if (exclude(server->active[i], job))
            return true;
    for (int i = 0; i < waiting_before; i++)
        if (meet(server->waiting[i], job))
            return true;
    return false;
}

/* ---- growing lists ---- */

static bool lengthen(void *list, size_t element_bytes, int capacity)
{
    void **items = list;
    void *longer = realloc(*items, (size_t)capacity * element_bytes);
    if (longer)
        *items = longer;
    return longer != NULL;
}

static enum dm_status make_room(struct server *server)
{
    bool fine = true;
    if (server->active_count == server->active_capacity) {
        int capacity = server->active_capacity ? 2 * server->active_capacity : 64;
        fine = lengthen(&server->active, sizeof *server->active, capacity) &&
               lengthen(&server->requests, sizeof *server->requests, capacity) &&
               lengthen(&server->indices, sizeof *server->indices, capacity);
        server->active_capacity = fine ? capacity : server->active_capacity;
    }
    if (fine && server->waiting_count == server->waiting_capacity) {
        int capacity = server->waiting_capacity ? 2 * server->waiting_capacity : 64;
        fine = lengthen(&server->waiting, sizeof *server->waiting, capacity);
        server->waiting_capacity = fine ? capacity : server->waiting_capacity;
    }
    return fine ? DM_OK : dm_fail(DM_NO_MEMORY, "no memory for another request");
}

/* ---- beginning and going on ---- */

/* *later: the job could not begin yet, and is still the caller's. */
static enum dm_status begin(struct server *server, struct job *job, bool *later)
{
    enum job_progress progress = JOB_ENDED;
    *later = false;
    TRY(make_room(server));
    enum dm_status status =
        job_begin(server, job, &server->requests[server->active_count], &progress);
    if (status == DM_OK && progress == JOB_GOES_ON)
        server->active[server->active_count++] = job;
    else if (status == DM_OK && progress == JOB_LATER)
        *later = true;
    else
        job_free(job);
    return status;
}

enum dm_status jobs_accept(struct server *server, int worker, const struct request *request)
{
    TRY(make_room(server));
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return error_no_memory(sizeof *job);
    job->request = *request;
    job->worker = worker;
    bool later = is_blocked(server, job, server->waiting_count);
    if (!later)
        TRY(begin(server, job, &later));
    if (later)
        server->waiting[server->waiting_count++] = job;
    return DM_OK;
}

static enum dm_status begin_waiting(struct server *server)
{
    int kept = 0;
    enum dm_status status = DM_OK;
    for (int i = 0; i < server->waiting_count; i++) {
        struct job *job = server->waiting[i];
        bool later = status != DM_OK || is_blocked(server, job, kept);
        if (!later)
            status = begin(server, job, &later);
        if (later)
            server->waiting[kept++] = job;
    }
    server->waiting_count = kept;
    return status;
}

static enum dm_status go_on(struct server *server, int index)
{
    struct job *job = server->active[index];
    enum job_progress progress;
    TRY(job_go_on(server, job, &server->requests[index], &progress));
    if (progress == JOB_ENDED) {
        job_free(job);
        server->active[index] = NULL;
    }
    return DM_OK;
}

static void close_gaps(struct server *server)
{
    int kept = 0;
    for (int i = 0; i < server->active_count; i++)
        if (server->active[i]) {
            server->active[kept] = server->active[i];
            server->requests[kept++] = server->requests[i];
        }
    server->active_count = kept;
}

enum dm_status jobs_look(struct server *server, bool *moved)
{
    int count;
    *moved = false;
    if (server->active_count == 0)
        return DM_OK;
    TRY_MPI(MPI_Testsome(server->active_count, server->requests, &count, server->indices,
                         MPI_STATUSES_IGNORE));
    if (count <= 0)
        return DM_OK;
    *moved = true;
    for (int i = 0; i < count; i++)
        TRY(go_on(server, server->indices[i]));
    close_gaps(server);
    return begin_waiting(server);
}
