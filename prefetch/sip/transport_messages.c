#include <mpi.h>

#include "common/error.h"
#include "prefetch/sip/transport_internal.h"

enum dm_status message_get(struct transport *transport, struct transfer *transfer)
{
    struct request *request = &transfer->request;
    int server = transport_rank_of(transport, transfer->id);
    MPI_Comm job = transport->team.job;
    TRY_MPI(MPI_Irecv(transfer->target, (int)request->elements, MPI_DOUBLE, server, request->tag,
                      job, &transfer->parts[1]));
    TRY_MPI(MPI_Isend(request, sizeof *request, MPI_BYTE, server, TAG_REQUEST, job,
                      &transfer->parts[0]));
    return DM_OK;
}

/* The block was empty; a second message says why. */
static enum dm_status ask_why(struct transport *transport, struct transfer *transfer)
{
    transfer->refused = true;
    TRY_MPI(MPI_Irecv(&transfer->reply, sizeof transfer->reply, MPI_BYTE,
                      transport_rank_of(transport, transfer->id), transfer->request.tag,
                      transport->team.job, &transfer->parts[1]));
    return DM_OK;
}

enum dm_status message_test(struct transport *transport, struct transfer *transfer,
                            enum transfer_state *state, struct transfer_conflict *conflict)
{
    int done, elements;
    MPI_Status statuses[2];
    *state = TRANSFER_PENDING;
    TRY_MPI(MPI_Testall(2, transfer->parts, &done, statuses));
    if (!done)
        return DM_OK;
    if (transfer->refused)
        return transport_judge(transport, &transfer->request, &transfer->reply, state, conflict);
    TRY_MPI(MPI_Get_count(&statuses[1], MPI_DOUBLE, &elements));
    if (elements == 0)
        return ask_why(transport, transfer);
    *state = TRANSFER_DONE;
    return DM_OK;
}
