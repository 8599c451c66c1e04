#include <stdlib.h>
#include <mpi.h>

#include "common/error.h"
#include "prefetch/sip/transport_internal.h"

static enum dm_status meet(struct transport *transport)
{
    MPI_Request request;
    TRY_MPI(MPI_Ibarrier(transport->team.workers, &request));
    TRY(team_wait(&transport->team, 1, &request, "the other workers"));
    transport->epoch++;
    if (transport->team.has_window)
        TRY_MPI(MPI_Win_sync(transport->team.window));
    return DM_OK;
}

enum dm_status transport_barrier(struct transport *transport, struct put_report *report)
{
    TRY(transport_drain(transport, report));
    return report->state == TRANSFER_DONE ? meet(transport) : DM_OK;
}

enum dm_status transport_sum(struct transport *transport, double x, double *sum)
{
    MPI_Request request;
    TRY_MPI(MPI_Iallreduce(&x, sum, 1, MPI_DOUBLE, MPI_SUM, transport->team.workers, &request));
    return team_wait(&transport->team, 1, &request, "the other workers");
}

/* ---- what the servers are asked to do with a whole array ---- */

static enum dm_status join(struct transport *transport)
{
    TRY(transport_finish_puts(transport));
    return meet(transport);
}

static enum dm_status receive(struct transport *transport, int server, int tag, void *data,
                              int count, MPI_Datatype type)
{
    MPI_Request received;
    TRY_MPI(MPI_Irecv(data, count, type, transport->team.config.workers + server, tag,
                      transport->team.job, &received));
    return transport_wait_for_server(transport, server, &received);
}

/* A request and its reply. No put is in flight, so the tag of a put is free. */
static enum dm_status ask(struct transport *transport, int server, enum request_kind kind,
                          int array, struct reply *reply)
{
    struct request request = {
        .kind = (int)kind, .array = array, .tag = transport->puts[0].request.tag};
    TRY(transport_tell(transport, server, &request));
    TRY(receive(transport, server, request.tag, reply, sizeof *reply, MPI_BYTE));
    if (reply->status == REPLY_DONE)
        return DM_OK;
    return dm_fail(DM_FAILED, "server %d: %s", server,
                   store_outcome_text((enum store_outcome)reply->cause));
}

static enum dm_status ask_all_between_barriers(struct transport *transport, enum request_kind kind,
                                               int array)
{
    const struct team *team = &transport->team;
    struct reply reply;
    TRY(join(transport));
    /* Each server is asked by one worker. */
    for (int server = 0; server < team->config.servers; server++)
        if (server % team->config.workers == team->rank)
            TRY(ask(transport, server, kind, array, &reply));
    return join(transport);
}

enum dm_status transport_delete(struct transport *transport, int array)
{
    TRY(transport_check_array(transport, array));
    return ask_all_between_barriers(transport, REQUEST_DELETE, array);
}

enum dm_status transport_flush(struct transport *transport)
{
    return ask_all_between_barriers(transport, REQUEST_FLUSH, 0);
}

/* Appends the numbers of one server's blocks. */
static enum dm_status append_list(struct transport *transport, int server, int array,
                                  int64_t **numbers, size_t *count)
{
    struct reply reply;
    TRY(ask(transport, server, REQUEST_LIST, array, &reply));
    if (reply.count == 0)
        return DM_OK;
    size_t bytes = (*count + (size_t)reply.count) * sizeof **numbers;
    int64_t *longer = realloc(*numbers, bytes);
    if (!longer)
        return error_no_memory(bytes);
    *numbers = longer;
    int64_t *end = longer + *count;
    *count += (size_t)reply.count;
    return receive(transport, server, transport->puts[0].request.tag, end, (int)reply.count,
                   MPI_INT64_T);
}

static int compare_numbers(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static enum dm_status append_lists(struct transport *transport, int array, int64_t **numbers,
                                   size_t *count)
{
    TRY(join(transport));
    for (int server = 0; server < transport->team.config.servers; server++)
        TRY(append_list(transport, server, array, numbers, count));
    return join(transport);
}

enum dm_status transport_list(struct transport *transport, int array, int64_t **numbers,
                              size_t *count)
{
    *numbers = NULL;
    *count = 0;
    TRY(transport_check_array(transport, array));
    enum dm_status status = append_lists(transport, array, numbers, count);
    if (status == DM_OK && *count > 0)
        qsort(*numbers, *count, sizeof **numbers, compare_numbers);
    if (status != DM_OK) {
        free(*numbers);
        *numbers = NULL;
        *count = 0;
    }
    return status;
}
