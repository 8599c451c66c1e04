#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "prefetch/sip/transport_internal.h"

void puts_open(struct transport *transport)
{
    for (int i = 0; i < MOST_PUTS; i++)
        transport->puts[i].request.tag = transport->next_tag++;
    transport->failure.state = TRANSFER_DONE;
}

void puts_close(struct transport *transport)
{
    for (int i = 0; i < transport->buffer_count; i++)
        free(transport->buffers[i].data);
}

static size_t bytes_of(const struct put *put)
{
    return (size_t)put->request.elements * sizeof(double);
}

static void note_failure(struct transport *transport, const struct put *put,
                         enum transfer_state state, const struct transfer_conflict *conflict,
                         const struct transport_error *error)
{
    if (transport->failure.state != TRANSFER_DONE)
        return;
    transport->failure = (struct put_failure){.state = state,
                                              .statement = put->request.statement,
                                              .conflict = *conflict,
                                              .error = *error};
}

/* Looks once at the put that has been in flight for longest. Whether it has ended. */
static bool retire_oldest(struct transport *transport)
{
    struct put *put = &transport->puts[transport->first_put];
    struct transport_error error;
    struct transfer_conflict conflict = {0};
    int done;
    if (!team_mpi(MPI_Testall(3, put->parts, &done, MPI_STATUSES_IGNORE), "putting a block",
                  &error)) {
        note_failure(transport, put, TRANSFER_FAILED, &conflict, &error);
        return false;
    }
    if (!done)
        return false;
    enum transfer_state state =
        transport_judge(transport, &put->request, &put->reply, &conflict, &error);
    if (state != TRANSFER_DONE)
        note_failure(transport, put, state, &conflict, &error);
    transport->buffers[transport->buffer_count++] = put->buffer;
    transport->put_bytes -= bytes_of(put);
    transport->first_put = (transport->first_put + 1) % MOST_PUTS;
    transport->put_count--;
    return true;
}

/* Waits until at most so many puts and bytes are in flight. False: MPI failed or the limit passed;
 * noted. */
static bool reduce(struct transport *transport, int most, size_t most_bytes)
{
    const struct transport_config *config = &transport->team.config;
    struct patience patience = patience_begin(config->wait_limit_s, transport->team.crowded);
    while (transport->put_count > 0 &&
           (transport->put_count > most || transport->put_bytes > most_bytes)) {
        if (retire_oldest(transport)) {
            patience = patience_begin(config->wait_limit_s, transport->team.crowded);
            continue;
        }
        if (transport->failure.state == TRANSFER_FAILED)
            return false;
        if (patience_pause(&patience))
            continue;
        const struct put *put = &transport->puts[transport->first_put];
        struct transport_error error;
        team_fail(&error,
                  "server %d did not acknowledge block %lld of array %s for %g s: it has ended or "
                  "is slow; look at its messages, or raise the wait limit",
                  transport_home(put->request.number, config->servers),
                  (long long)put->request.number, config->arrays[put->request.array].name,
                  config->wait_limit_s);
        note_failure(transport, put, TRANSFER_FAILED, &(struct transfer_conflict){0}, &error);
        return false;
    }
    return true;
}

/* A copy of the data in a buffer of its own. */
static bool take_buffer(struct transport *transport, size_t elements, const double *source,
                        struct put_buffer *buffer)
{
    *buffer = (struct put_buffer){0};
    if (transport->buffer_count > 0)
        *buffer = transport->buffers[--transport->buffer_count];
    if (buffer->elements < elements) {
        free(buffer->data);
        *buffer = (struct put_buffer){malloc(elements * sizeof(double)), elements};
    }
    if (!buffer->data)
        return false;
    memcpy(buffer->data, source, elements * sizeof(double));
    return true;
}

static bool start(struct transport *transport, struct put *put, struct transport_error *error)
{
    const struct request *request = &put->request;
    struct block_id id = {request->array, request->number};
    int server = transport_rank_of(transport, id);
    MPI_Comm job = transport->team.job;
    return team_mpi(MPI_Irecv(&put->reply, sizeof put->reply, MPI_BYTE, server, request->tag, job,
                              &put->parts[2]),
                    "putting a block", error) &&
           team_mpi(MPI_Isend(request, sizeof *request, MPI_BYTE, server, TAG_REQUEST, job,
                              &put->parts[0]),
                    "putting a block", error) &&
           team_mpi(MPI_Isend(put->buffer.data, (int)request->elements, MPI_DOUBLE, server,
                              request->tag, job, &put->parts[1]),
                    "putting a block", error);
}

bool transport_put(struct transport *transport, struct block_id id, const double *source, bool add,
                   int statement, struct transport_error *error)
{
    if (!transport_check(transport, id, error))
        return false;
    size_t elements = transport_elements(transport, id), bytes = elements * sizeof(double);
    if (!reduce(transport, MOST_PUTS - 1, bytes < most_put_bytes ? most_put_bytes - bytes : 0)) {
        *error = transport->failure.error;
        return false;
    }
    struct put *put = &transport->puts[(transport->first_put + transport->put_count) % MOST_PUTS];
    if (!take_buffer(transport, elements, source, &put->buffer))
        return team_fail(error, "no memory to put a block of %zu bytes", bytes);
    put->request = (struct request){.kind = add ? REQUEST_ADD : REQUEST_PUT,
                                    .array = id.array,
                                    .number = id.number,
                                    .elements = (int64_t)elements,
                                    .epoch = transport->epoch,
                                    .statement = statement,
                                    .tag = put->request.tag};
    transport->put_count++;
    transport->put_bytes += bytes;
    transport->counters.puts++;
    transport->counters.bytes_sent += bytes;
    return start(transport, put, error);
}

static enum transfer_state report(struct transport *transport, int *statement,
                                  struct transfer_conflict *conflict, struct transport_error *error)
{
    enum transfer_state state = transport->failure.state;
    if (state == TRANSFER_DONE)
        return state;
    *statement = transport->failure.statement;
    *conflict = transport->failure.conflict;
    *error = transport->failure.error;
    transport->failure.state = TRANSFER_DONE;
    return state;
}

enum transfer_state transport_progress(struct transport *transport, int *statement,
                                       struct transfer_conflict *conflict,
                                       struct transport_error *error)
{
    int here;
    while (transport->put_count > 0 && retire_oldest(transport))
        ;
    /* Looking for a message that never comes is how MPI is given time for the gets. */
    if (transport->put_count == 0 &&
        !team_mpi(MPI_Iprobe(transport->team.rank, TAG_REQUEST, transport->team.job, &here,
                             MPI_STATUS_IGNORE),
                  "looking for messages", error))
        return TRANSFER_FAILED;
    return report(transport, statement, conflict, error);
}

enum transfer_state transport_drain(struct transport *transport, int *statement,
                                    struct transfer_conflict *conflict,
                                    struct transport_error *error)
{
    reduce(transport, 0, 0);
    return report(transport, statement, conflict, error);
}
