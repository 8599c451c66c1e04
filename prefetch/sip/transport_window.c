#include <mpi.h>

#include "common/error.h"
#include "prefetch/sip/conflict.h"
#include "prefetch/sip/transport_internal.h"

enum dm_status window_get(struct transport *transport, struct transfer *transfer, size_t offset)
{
    int server = transport_rank_of(transport, transfer->id);
    int elements = (int)transfer->request.elements;
    MPI_Win window = transport->team.window;
    MPI_Aint at = (MPI_Aint)offset, data = at + (MPI_Aint)sizeof transfer->header;
    TRY_MPI(MPI_Rget(&transfer->header, sizeof transfer->header, MPI_BYTE, server, at,
                     sizeof transfer->header, MPI_BYTE, window, &transfer->parts[0]));
    TRY_MPI(MPI_Rget(transfer->target, elements, MPI_DOUBLE, server, data, elements, MPI_DOUBLE,
                     window, &transfer->parts[1]));
    return DM_OK;
}

enum dm_status window_test(struct transport *transport, struct transfer *transfer,
                           enum transfer_state *state, struct transfer_conflict *conflict)
{
    int done;
    const struct store_stamp *stamp = &transfer->header.stamp;
    struct reply reply = {.status = REPLY_DONE};
    *state = TRANSFER_PENDING;
    TRY_MPI(MPI_Testall(2, transfer->parts, &done, MPI_STATUSES_IGNORE));
    if (!done)
        return DM_OK;
    if (!transfer->header.written)
        reply.status = REPLY_MISSING;
    else if (conflict_of_get(stamp, transfer->request.epoch, transport->team.rank, &reply.worker,
                             &reply.statement))
        reply.status = REPLY_CONFLICT;
    return transport_judge(transport, &transfer->request, &reply, state, conflict);
}
