#include <stdio.h>
#include <stdlib.h>
#include <mpi.h>

#include "prefetch/sip/transport_internal.h"

int transport_home(int64_t block, int servers)
{
    return (int)(block % servers);
}

struct transport *transport_open(const struct transport_config *config,
                                 struct transport_error *error)
{
    struct transport *transport = calloc(1, sizeof *transport);
    if (!transport) {
        team_fail(error, "no memory for the transport");
        return NULL;
    }
    transport->next_tag = TAG_FIRST;
    puts_open(transport);
    if (team_open(&transport->team, config, error))
        return transport;
    free(transport);
    return NULL;
}

bool transport_tell(struct transport *transport, int server, struct request *request,
                    struct transport_error *error)
{
    MPI_Request sent;
    int rank = transport->team.config.workers + server;
    request->epoch = transport->epoch;
    int code = MPI_Isend(request, sizeof *request, MPI_BYTE, rank, TAG_REQUEST, transport->team.job,
                         &sent);
    return team_mpi(code, "sending a request", error) &&
           transport_wait_for_server(transport, server, &sent, error);
}

bool transport_wait_for_server(struct transport *transport, int server, MPI_Request *request,
                               struct transport_error *error)
{
    char whom[32];
    snprintf(whom, sizeof whom, "server %d", server);
    return team_wait(&transport->team, 1, request, whom, error);
}

/* Gets that nobody waited for, for example prefetched blocks that were not needed. */
static bool finish_gets(struct transport *transport, struct transport_error *error)
{
    for (struct transfer *transfer = transport->all_transfers; transfer; transfer = transfer->all)
        if (transfer->active && transport_wait(transport, transfer, NULL, error) == TRANSFER_FAILED)
            return false;
    return true;
}

static bool finish_puts(struct transport *transport, struct transport_error *error)
{
    int statement;
    struct transfer_conflict conflict;
    return transport_drain(transport, &statement, &conflict, error) == TRANSFER_DONE;
}

bool transport_close(struct transport *transport, struct transport_error *error)
{
    struct request request = {.kind = REQUEST_CLOSE};
    bool fine = finish_gets(transport, error) && finish_puts(transport, error);
    for (int server = 0; fine && server < transport->team.config.servers; server++)
        fine = transport_tell(transport, server, &request, error);
    fine = fine && team_close(&transport->team, error);
    if (!fine)
        return false; /* MPI may still write to what it was given */
    for (struct transfer *transfer = transport->all_transfers, *next; transfer; transfer = next) {
        next = transfer->all;
        free(transfer);
    }
    puts_close(transport);
    free(transport);
    return true;
}

bool transport_check_array(const struct transport *transport, int array,
                           struct transport_error *error)
{
    const struct transport_config *config = &transport->team.config;
    return (array >= 0 && array < config->array_count && config->arrays[array].remote) ||
           team_fail(error, "array %d is not distributed or served", array);
}

bool transport_check(const struct transport *transport, struct block_id id,
                     struct transport_error *error)
{
    const struct transport_config *config = &transport->team.config;
    if (!transport_check_array(transport, id.array, error))
        return false;
    if (id.number < 0 || id.number >= config->arrays[id.array].blocks)
        return team_fail(error, "array %s has no block %lld", config->arrays[id.array].name,
                         (long long)id.number);
    return true;
}

enum transfer_state transport_judge(const struct transport *transport,
                                    const struct request *request, const struct reply *reply,
                                    struct transfer_conflict *conflict,
                                    struct transport_error *error)
{
    const struct transport_config *config = &transport->team.config;
    const char *name = config->arrays[request->array].name;
    long long number = request->number;
    switch ((enum reply_status)reply->status) {
    case REPLY_DONE:
        return TRANSFER_DONE;
    case REPLY_MISSING:
        team_fail(error, "block %lld of array %s was never put", number, name);
        return TRANSFER_MISSING;
    case REPLY_CONFLICT:
        *conflict = (struct transfer_conflict){
            reply->worker, reply->statement, {request->array, request->number}};
        team_fail(error,
                  "worker %d put block %lld of array %s since the last barrier, at statement %d: "
                  "put a barrier between",
                  reply->worker, number, name, reply->statement);
        return TRANSFER_CONFLICT;
    case REPLY_FAILED:
        break;
    }
    team_fail(error, "server %d cannot keep block %lld of array %s: %s",
              transport_home(request->number, config->servers), number, name,
              store_status_text((enum store_status)reply->cause));
    return TRANSFER_FAILED;
}

/* ---- gets ---- */

static struct transfer *take_transfer(struct transport *transport)
{
    struct transfer *transfer = transport->free_transfers;
    if (transfer) {
        transport->free_transfers = transfer->next;
        return transfer;
    }
    transfer = calloc(1, sizeof *transfer);
    if (!transfer)
        return NULL;
    transfer->request.tag = transport->next_tag++;
    transfer->all = transport->all_transfers;
    transport->all_transfers = transfer;
    return transfer;
}

static void give_back(struct transport *transport, struct transfer *transfer)
{
    transfer->active = false;
    transfer->next = transport->free_transfers;
    transport->free_transfers = transfer;
}

struct transfer *transport_get(struct transport *transport, struct block_id id, double *target,
                               int statement, struct transport_error *error)
{
    if (!transport_check(transport, id, error))
        return NULL;
    struct transfer *transfer = take_transfer(transport);
    if (!transfer) {
        team_fail(error, "no memory for another get");
        return NULL;
    }
    size_t offset;
    transfer->id = id;
    transfer->target = target;
    transfer->active = true;
    transfer->refused = false;
    transfer->in_window =
        transport->team.has_window && window_layout_find(&transport->team.layout, id, &offset);
    transfer->request = (struct request){.kind = REQUEST_GET,
                                         .array = id.array,
                                         .number = id.number,
                                         .elements = (int64_t)transport_elements(transport, id),
                                         .epoch = transport->epoch,
                                         .statement = statement,
                                         .tag = transfer->request.tag};
    bool started = transfer->in_window ? window_get(transport, transfer, offset, error)
                                       : message_get(transport, transfer, error);
    return started ? transfer : NULL;
}

static enum transfer_state look(struct transport *transport, struct transfer *transfer,
                                struct transfer_conflict *conflict, struct transport_error *error)
{
    enum transfer_state state = transfer->in_window
                                    ? window_test(transport, transfer, conflict, error)
                                    : message_test(transport, transfer, conflict, error);
    if (state == TRANSFER_DONE) {
        transport->counters.bytes_received += transfer->request.elements * sizeof(double);
        *(transfer->in_window ? &transport->counters.window_gets
                              : &transport->counters.message_gets) += 1;
    }
    if (state != TRANSFER_PENDING)
        give_back(transport, transfer);
    return state;
}

enum transfer_state transport_test(struct transport *transport, struct transfer *transfer,
                                   struct transfer_conflict *conflict,
                                   struct transport_error *error)
{
    struct transfer_conflict no_conflict;
    struct transport_error no_error;
    return look(transport, transfer, conflict ? conflict : &no_conflict, error ? error : &no_error);
}

enum transfer_state transport_wait(struct transport *transport, struct transfer *transfer,
                                   struct transfer_conflict *conflict,
                                   struct transport_error *error)
{
    struct transport_error no_error;
    const struct team *team = &transport->team;
    struct patience patience = patience_begin(team->config.wait_limit_s, team->crowded);
    for (;;) {
        enum transfer_state state = transport_test(transport, transfer, conflict, error);
        if (state != TRANSFER_PENDING)
            return state;
        if (patience_pause(&patience))
            continue;
        team_fail(error ? error : &no_error,
                  "block %lld of array %s did not come from server %d for %g s: it has ended or is "
                  "slow; look at its messages, or raise the wait limit",
                  (long long)transfer->id.number, team->config.arrays[transfer->id.array].name,
                  transport_home(transfer->id.number, team->config.servers),
                  team->config.wait_limit_s);
        return TRANSFER_FAILED;
    }
}

void transport_counters(const struct transport *transport, struct transport_counters *counters)
{
    *counters = transport->counters;
}
