#include <stdio.h>
#include <stdlib.h>
#include <mpi.h>

#include "common/error.h"
#include "prefetch/sip/transport_internal.h"

int transport_home(int64_t block, int servers)
{
    return (int)(block % servers);
}

enum dm_status transport_open(struct transport **transport, const struct transport_config *config)
{
    struct transport *opened = calloc(1, sizeof *opened);
    *transport = NULL;
    if (!opened)
        return error_no_memory(sizeof *opened);
    opened->next_tag = TAG_FIRST;
    puts_open(opened);
    enum dm_status status = team_open(&opened->team, config);
    if (status == DM_OK)
        *transport = opened;
    else
        free(opened);
    return status;
}

enum dm_status transport_tell(struct transport *transport, int server, struct request *request)
{
    MPI_Request sent;
    int rank = transport->team.config.workers + server;
    request->epoch = transport->epoch;
    TRY_MPI(MPI_Isend(request, sizeof *request, MPI_BYTE, rank, TAG_REQUEST, transport->team.job,
                      &sent));
    return transport_wait_for_server(transport, server, &sent);
}

enum dm_status transport_wait_for_server(struct transport *transport, int server,
                                         MPI_Request *request)
{
    char whom[32];
    snprintf(whom, sizeof whom, "server %d", server);
    return team_wait(&transport->team, 1, request, whom);
}

/* Gets that nobody waited for, for example prefetched blocks that were not needed. */
static enum dm_status finish_gets(struct transport *transport)
{
    enum transfer_state state;
    struct transfer_conflict conflict;
    for (struct transfer *transfer = transport->all_transfers; transfer; transfer = transfer->all)
        if (transfer->active)
            TRY(transport_wait(transport, transfer, &state, &conflict));
    return DM_OK;
}

/* After an error nothing is freed: MPI may still write to what it was given. */
enum dm_status transport_close(struct transport *transport)
{
    struct request request = {.kind = REQUEST_CLOSE};
    TRY(finish_gets(transport));
    TRY(transport_finish_puts(transport));
    for (int server = 0; server < transport->team.config.servers; server++)
        TRY(transport_tell(transport, server, &request));
    TRY(team_close(&transport->team));
    for (struct transfer *transfer = transport->all_transfers, *next; transfer; transfer = next) {
        next = transfer->all;
        free(transfer);
    }
    puts_close(transport);
    free(transport);
    return DM_OK;
}

enum dm_status transport_check_array(const struct transport *transport, int array)
{
    const struct transport_config *config = &transport->team.config;
    if (array >= 0 && array < config->array_count && config->arrays[array].remote)
        return DM_OK;
    return dm_fail(DM_INVALID, "array %d is not distributed or served", array);
}

enum dm_status transport_check(const struct transport *transport, struct block_id id)
{
    const struct transport_config *config = &transport->team.config;
    TRY(transport_check_array(transport, id.array));
    if (id.number < 0 || id.number >= config->arrays[id.array].blocks)
        return dm_fail(DM_INVALID, "array %s has no block %lld", config->arrays[id.array].name,
                       (long long)id.number);
    return DM_OK;
}

enum dm_status transport_refuse(const struct transport *transport, struct block_id id,
                                enum transfer_state state, const struct transfer_conflict *conflict)
{
    const char *name = transport->team.config.arrays[id.array].name;
    if (state == TRANSFER_MISSING)
        return dm_fail(DM_INVALID, "block %lld of array %s was never put", (long long)id.number,
                       name);
    return dm_fail(DM_INVALID,
                   "worker %d put block %lld of array %s since the last barrier, at statement %d: "
                   "put a barrier between",
                   conflict->worker, (long long)id.number, name, conflict->statement);
}

static enum dm_status status_of(enum store_outcome cause)
{
    return cause == STORE_NO_MEMORY    ? DM_NO_MEMORY
           : cause == STORE_WRONG_SIZE ? DM_INVALID
                                       : DM_FAILED;
}

enum dm_status transport_judge(const struct transport *transport, const struct request *request,
                               const struct reply *reply, enum transfer_state *state,
                               struct transfer_conflict *conflict)
{
    const struct transport_config *config = &transport->team.config;
    enum store_outcome cause = (enum store_outcome)reply->cause;
    switch ((enum reply_kind)reply->status) {
    case REPLY_DONE:
        *state = TRANSFER_DONE;
        return DM_OK;
    case REPLY_MISSING:
        *state = TRANSFER_MISSING;
        return DM_OK;
    case REPLY_CONFLICT:
        *conflict = (struct transfer_conflict){
            reply->worker, reply->statement, {request->array, request->number}};
        *state = TRANSFER_CONFLICT;
        return DM_OK;
    case REPLY_FAILED:
        break;
    }
    return dm_fail(status_of(cause), "server %d cannot keep block %lld of array %s: %s",
                   transport_home(request->number, config->servers), (long long)request->number,
                   config->arrays[request->array].name, store_outcome_text(cause));
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

enum dm_status transport_get(struct transport *transport, struct block_id id, double *target,
                             int statement, struct transfer **started)
{
    size_t offset;
    TRY(transport_check(transport, id));
    struct transfer *transfer = take_transfer(transport);
    if (!transfer)
        return error_no_memory(sizeof *transfer);
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
    *started = transfer;
    return transfer->in_window ? window_get(transport, transfer, offset)
                               : message_get(transport, transfer);
}

enum dm_status transport_test(struct transport *transport, struct transfer *transfer,
                              enum transfer_state *state, struct transfer_conflict *conflict)
{
    enum dm_status status = transfer->in_window
                                ? window_test(transport, transfer, state, conflict)
                                : message_test(transport, transfer, state, conflict);
    if (status == DM_OK && *state == TRANSFER_PENDING)
        return DM_OK;
    if (status == DM_OK && *state == TRANSFER_DONE) {
        transport->counters.bytes_received += transfer->request.elements * sizeof(double);
        *(transfer->in_window ? &transport->counters.window_gets
                              : &transport->counters.message_gets) += 1;
    }
    give_back(transport, transfer);
    return status;
}

enum dm_status transport_wait(struct transport *transport, struct transfer *transfer,
                              enum transfer_state *state, struct transfer_conflict *conflict)
{
    const struct team *team = &transport->team;
    struct patience patience = patience_begin(team->config.wait_limit_s, team->crowded);
    do {
        TRY(transport_test(transport, transfer, state, conflict));
        if (*state != TRANSFER_PENDING)
            return DM_OK;
    } while (patience_pause(&patience));
    return dm_fail(DM_TIMEOUT,
                   "block %lld of array %s did not come from server %d for %g s: it has ended or "
                   "is slow; look at its messages, or raise the wait limit",
                   (long long)transfer->id.number, team->config.arrays[transfer->id.array].name,
                   transport_home(transfer->id.number, team->config.servers),
                   team->config.wait_limit_s);
}

void transport_counters(const struct transport *transport, struct transport_counters *counters)
{
    *counters = transport->counters;
}
