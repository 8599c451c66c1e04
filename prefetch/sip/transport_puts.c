#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/error.h"
#include "prefetch/sip/transport_internal.h"

void puts_open(struct transport *transport)
{
    for (int i = 0; i < PUTS_MAX; i++)
        transport->puts[i].request.tag = transport->next_tag++;
    transport->failure.report.state = TRANSFER_DONE;
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

/* `status` with this thread's sentence, or a conflict. */
static void note_failure(struct transport *transport, const struct put *put, enum dm_status status,
                         enum transfer_state state, const struct transfer_conflict *conflict)
{
    struct put_failure *failure = &transport->failure;
    if (failure->status != DM_OK || failure->report.state != TRANSFER_DONE)
        return;
    failure->status = status;
    failure->report = (struct put_report){state, put->request.statement, *conflict};
    if (status != DM_OK)
        snprintf(failure->sentence, sizeof failure->sentence, "%s", dm_message());
}

/* Looks once at the put that has been in flight for longest. Whether it has ended. */
static bool retire_oldest(struct transport *transport)
{
    struct put *put = &transport->puts[transport->first_put];
    struct transfer_conflict conflict = {0};
    enum transfer_state state = TRANSFER_DONE;
    int done;
    enum dm_status status = status_of_mpi(MPI_Testall(3, put->parts, &done, MPI_STATUSES_IGNORE));
    if (status != DM_OK) {
        note_failure(transport, put, status, state, &conflict);
        return false;
    }
    if (!done)
        return false;
    status = transport_judge(transport, &put->request, &put->reply, &state, &conflict);
    if (status != DM_OK || state != TRANSFER_DONE)
        note_failure(transport, put, status, state, &conflict);
    transport->buffers[transport->buffer_count++] = put->buffer;
    transport->put_bytes -= bytes_of(put);
    transport->first_put = (transport->first_put + 1) % PUTS_MAX;
    transport->put_count--;
    return true;
}

/* Waits until at most so many puts and bytes are in flight. False: that failed, which is noted. */
static bool reduce(struct transport *transport, int max_puts, size_t max_bytes)
{
    const struct transport_config *config = &transport->team.config;
    struct patience patience = patience_begin(config->wait_limit_s, transport->team.crowded);
    while (transport->put_count > 0 &&
           (transport->put_count > max_puts || transport->put_bytes > max_bytes)) {
        if (retire_oldest(transport)) {
            patience = patience_begin(config->wait_limit_s, transport->team.crowded);
            continue;
        }
        if (transport->failure.status != DM_OK)
            return false;
        if (patience_pause(&patience))
            continue;
        const struct put *put = &transport->puts[transport->first_put];
        enum dm_status status = dm_fail(
            DM_TIMEOUT,
            "server %d did not acknowledge block %lld of array %s for %g s: it has ended or is "
            "slow; look at its messages, or raise the wait limit",
            transport_home(put->request.number, config->servers), (long long)put->request.number,
            config->arrays[put->request.array].name, config->wait_limit_s);
        note_failure(transport, put, status, TRANSFER_DONE, &(struct transfer_conflict){0});
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

static enum dm_status start(struct transport *transport, struct put *put)
{
    const struct request *request = &put->request;
    struct block_id id = {request->array, request->number};
    int server = transport_rank_of(transport, id);
    MPI_Comm job = transport->team.job;
    TRY_MPI(MPI_Irecv(&put->reply, sizeof put->reply, MPI_BYTE, server, request->tag, job,
                      &put->parts[2]));
    TRY_MPI(
        MPI_Isend(request, sizeof *request, MPI_BYTE, server, TAG_REQUEST, job, &put->parts[0]));
    TRY_MPI(MPI_Isend(put->buffer.data, (int)request->elements, MPI_DOUBLE, server, request->tag,
                      job, &put->parts[1]));
    return DM_OK;
}

enum dm_status transport_put(struct transport *transport, struct block_id id, const double *source,
                             bool add, int statement)
{
    TRY(transport_check(transport, id));
    size_t elements = transport_elements(transport, id), bytes = elements * sizeof(double);
    if (!reduce(transport, PUTS_MAX - 1, bytes < max_put_bytes ? max_put_bytes - bytes : 0))
        return dm_fail(transport->failure.status, "%s", transport->failure.sentence);
    struct put *put = &transport->puts[(transport->first_put + transport->put_count) % PUTS_MAX];
    if (!take_buffer(transport, elements, source, &put->buffer))
        return error_no_memory(bytes);
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
    return start(transport, put);
}

/* Each failure is reported once. */
static enum dm_status report_failure(struct transport *transport, struct put_report *report)
{
    struct put_failure *failure = &transport->failure;
    enum dm_status status = failure->status;
    report->state = failure->report.state;
    if (status == DM_OK && report->state == TRANSFER_DONE)
        return DM_OK;
    *report = failure->report;
    failure->status = DM_OK;
    failure->report.state = TRANSFER_DONE;
    return status == DM_OK ? DM_OK : dm_fail(status, "%s", failure->sentence);
}

enum dm_status transport_progress(struct transport *transport, struct put_report *report)
{
    int here;
    while (transport->put_count > 0 && retire_oldest(transport))
        ;
    /* Looking for a message that never comes is how MPI is given time for the gets. */
    if (transport->put_count == 0)
        TRY_MPI(MPI_Iprobe(transport->team.rank, TAG_REQUEST, transport->team.job, &here,
                           MPI_STATUS_IGNORE));
    return report_failure(transport, report);
}

enum dm_status transport_drain(struct transport *transport, struct put_report *report)
{
    reduce(transport, 0, 0);
    return report_failure(transport, report);
}

enum dm_status transport_finish_puts(struct transport *transport)
{
    struct put_report report;
    TRY(transport_drain(transport, &report));
    if (report.state == TRANSFER_DONE)
        return DM_OK;
    return transport_refuse(transport, report.conflict.id, report.state, &report.conflict);
}
