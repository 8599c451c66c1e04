#include <mpi.h>

#include "prefetch/sip/transport_internal.h"

bool message_get(struct transport *transport, struct transfer *transfer,
                 struct transport_error *error)
{
    struct request *request = &transfer->request;
    int server = transport_rank_of(transport, transfer->id);
    MPI_Comm job = transport->team.job;
    return team_mpi(MPI_Irecv(transfer->target, (int)request->elements, MPI_DOUBLE, server,
                              request->tag, job, &transfer->parts[1]),
                    "receiving a block", error) &&
           team_mpi(MPI_Isend(request, sizeof *request, MPI_BYTE, server, TAG_REQUEST, job,
                              &transfer->parts[0]),
                    "asking for a block", error);
}

/* The answer was empty: why, is in a message behind it. */
static enum transfer_state ask_why(struct transport *transport, struct transfer *transfer,
                                   struct transport_error *error)
{
    transfer->refused = true;
    int code = MPI_Irecv(&transfer->reply, sizeof transfer->reply, MPI_BYTE,
                         transport_rank_of(transport, transfer->id), transfer->request.tag,
                         transport->team.job, &transfer->parts[1]);
    return team_mpi(code, "receiving a reply", error) ? TRANSFER_PENDING : TRANSFER_FAILED;
}

enum transfer_state message_test(struct transport *transport, struct transfer *transfer,
                                 struct transfer_conflict *conflict, struct transport_error *error)
{
    int done, elements;
    MPI_Status statuses[2];
    if (!team_mpi(MPI_Testall(2, transfer->parts, &done, statuses), "receiving a block", error))
        return TRANSFER_FAILED;
    if (!done)
        return TRANSFER_PENDING;
    if (transfer->refused)
        return transport_judge(transport, &transfer->request, &transfer->reply, conflict, error);
    if (!team_mpi(MPI_Get_count(&statuses[1], MPI_DOUBLE, &elements), "receiving a block", error))
        return TRANSFER_FAILED;
    return elements > 0 ? TRANSFER_DONE : ask_why(transport, transfer, error);
}
