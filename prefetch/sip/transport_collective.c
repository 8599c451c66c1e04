#include <stdlib.h>
#include <mpi.h>

#include "common/clock.h"
#include "prefetch/sip/transport_internal.h"

static bool wait_for_workers(struct transport *transport, MPI_Request *request,
                             struct transport_error *error)
{
    return team_wait(&transport->team, 1, request, "the other workers", error);
}

static bool meet(struct transport *transport, struct transport_error *error)
{
    MPI_Request request;
    if (!team_mpi(MPI_Ibarrier(transport->team.workers, &request), "a barrier", error) ||
        !wait_for_workers(transport, &request, error))
        return false;
    transport->epoch++;
    return !transport->team.has_window ||
           team_mpi(MPI_Win_sync(transport->team.window), "MPI_Win_sync", error);
}

enum transfer_state transport_barrier(struct transport *transport, double *wait_s, int *statement,
                                      struct transfer_conflict *conflict,
                                      struct transport_error *error)
{
    double start_s = clock_now_s();
    enum transfer_state state = transport_drain(transport, statement, conflict, error);
    if (state == TRANSFER_DONE && !meet(transport, error))
        state = TRANSFER_FAILED;
    if (wait_s)
        *wait_s = clock_now_s() - start_s;
    return state;
}

bool transport_sum(struct transport *transport, double x, double *sum,
                   struct transport_error *error)
{
    MPI_Request request;
    return team_mpi(
               MPI_Iallreduce(&x, sum, 1, MPI_DOUBLE, MPI_SUM, transport->team.workers, &request),
               "a sum", error) &&
           wait_for_workers(transport, &request, error);
}

/* ---- what the servers are asked to do with a whole array ---- */

static bool join(struct transport *transport, struct transport_error *error)
{
    int statement;
    struct transfer_conflict conflict;
    return transport_barrier(transport, NULL, &statement, &conflict, error) == TRANSFER_DONE;
}

static bool receive(struct transport *transport, int server, int tag, void *data, int count,
                    MPI_Datatype type, struct transport_error *error)
{
    MPI_Request received;
    return team_mpi(MPI_Irecv(data, count, type, transport->team.config.workers + server, tag,
                              transport->team.job, &received),
                    "receiving a reply", error) &&
           transport_wait_for_server(transport, server, &received, error);
}

/* A request and its reply. No put is in flight, so the tag of a put is free. */
static bool ask(struct transport *transport, int server, enum request_kind kind, int array,
                struct reply *reply, struct transport_error *error)
{
    struct request request = {
        .kind = (int)kind, .array = array, .tag = transport->puts[0].request.tag};
    if (!transport_tell(transport, server, &request, error) ||
        !receive(transport, server, request.tag, reply, sizeof *reply, MPI_BYTE, error))
        return false;
    return reply->status == REPLY_DONE ||
           team_fail(error, "server %d: %s", server,
                     store_status_text((enum store_status)reply->cause));
}

static bool ask_all_between_barriers(struct transport *transport, enum request_kind kind, int array,
                                     struct transport_error *error)
{
    const struct team *team = &transport->team;
    struct reply reply;
    if (!join(transport, error))
        return false;
    /* Each server is asked by one worker. */
    for (int server = 0; server < team->config.servers; server++)
        if (server % team->config.workers == team->rank &&
            !ask(transport, server, kind, array, &reply, error))
            return false;
    return join(transport, error);
}

bool transport_delete(struct transport *transport, int array, struct transport_error *error)
{
    return transport_check_array(transport, array, error) &&
           ask_all_between_barriers(transport, REQUEST_DELETE, array, error);
}

bool transport_flush(struct transport *transport, struct transport_error *error)
{
    return ask_all_between_barriers(transport, REQUEST_FLUSH, 0, error);
}

/* Appends the numbers of one server's blocks. */
static bool append_list(struct transport *transport, int server, int array, int64_t **numbers,
                        size_t *count, struct transport_error *error)
{
    struct reply reply;
    if (!ask(transport, server, REQUEST_LIST, array, &reply, error))
        return false;
    if (reply.count == 0)
        return true;
    int64_t *longer = realloc(*numbers, (*count + (size_t)reply.count) * sizeof *longer);
    if (!longer)
        return team_fail(error, "no memory for a list of blocks");
    *numbers = longer;
    int64_t *end = longer + *count;
    *count += (size_t)reply.count;
    return receive(transport, server, transport->puts[0].request.tag, end, (int)reply.count,
                   MPI_INT64_T, error);
}

static int compare_numbers(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

bool transport_list(struct transport *transport, int array, int64_t **numbers, size_t *count,
                    struct transport_error *error)
{
    *numbers = NULL;
    *count = 0;
    bool fine = transport_check_array(transport, array, error) && join(transport, error);
    for (int server = 0; fine && server < transport->team.config.servers; server++)
        fine = append_list(transport, server, array, numbers, count, error);
    if (fine && join(transport, error)) {
        if (*count > 0)
            qsort(*numbers, *count, sizeof **numbers, compare_numbers);
        return true;
    }
    free(*numbers);
    *numbers = NULL;
    *count = 0;
    return false;
}
