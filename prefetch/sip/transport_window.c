#include <mpi.h>

#include "prefetch/sip/conflict.h"
#include "prefetch/sip/transport_internal.h"

bool window_get(struct transport *transport, struct transfer *transfer, size_t offset,
                struct transport_error *error)
{
    int server = transport_rank_of(transport, transfer->id);
    int elements = (int)transfer->request.elements;
    MPI_Win window = transport->team.window;
    MPI_Aint at = (MPI_Aint)offset, data = at + (MPI_Aint)sizeof transfer->header;
    return team_mpi(MPI_Rget(&transfer->header, sizeof transfer->header, MPI_BYTE, server, at,
                             sizeof transfer->header, MPI_BYTE, window, &transfer->parts[0]),
                    "MPI_Rget", error) &&
           team_mpi(MPI_Rget(transfer->target, elements, MPI_DOUBLE, server, data, elements,
                             MPI_DOUBLE, window, &transfer->parts[1]),
                    "MPI_Rget", error);
}

enum transfer_state window_test(struct transport *transport, struct transfer *transfer,
                                struct transfer_conflict *conflict, struct transport_error *error)
{
    int done;
    const struct store_stamp *stamp = &transfer->header.stamp;
    struct reply reply = {.status = REPLY_DONE};
    if (!team_mpi(MPI_Testall(2, transfer->parts, &done, MPI_STATUSES_IGNORE), "MPI_Rget", error))
        return TRANSFER_FAILED;
    if (!done)
        return TRANSFER_PENDING;
    if (!transfer->header.written)
        reply.status = REPLY_MISSING;
    else if (conflict_of_get(stamp, transfer->request.epoch, transport->team.rank, &reply.worker,
                             &reply.statement))
        reply.status = REPLY_CONFLICT;
    return transport_judge(transport, &transfer->request, &reply, conflict, error);
}
