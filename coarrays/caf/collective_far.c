/* Long collectives of images on several nodes are MPI's where it also carries the rest. An image
 * that stops would leave them hanging: so all come together first, which tells whether somebody has
 * stopped, and whoever came cannot stop before the collective is done. */
#include "collective_internal.h"
#include "error.h"
#include "team.h"

/* Up to so many bytes a collective goes without MPI (collective_short.c). Of longer ones the sync
 * all is a small part, and MPI reduces them with fewer bytes on the way. */
enum { SHORT_BYTES = 16 * 1024 };

/* Bytes of one MPI call: its counts are of type int. */
static const size_t PIECE_BYTES = (size_t)1 << 30;

enum dm_status far_broadcast(char *data, size_t bytes, int source_image)
{
    if (bytes <= SHORT_BYTES)
        return short_broadcast(data, bytes, source_image);
    TRY(collective_come_together());
    while (bytes > 0) {
        size_t piece = bytes < PIECE_BYTES ? bytes : PIECE_BYTES;
        TRY_MPI(MPI_Bcast(data, (int)piece, MPI_BYTE, source_image - 1, current_team->all));
        data += piece;
        bytes -= piece;
    }
    return DM_OK;
}

static enum dm_status reduce_pieces(const struct reduction *reduction, MPI_Datatype type,
                                    MPI_Op operation)
{
    size_t limit = PIECE_BYTES / reduction->element_bytes;
    size_t left = reduction->count;
    char *data = reduction->data;
    int root = reduction->result_image - 1;
    if (limit < 1)
        limit = 1;
    while (left > 0) {
        int piece = (int)(left < limit ? left : limit);
        if (root < 0)
            TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, data, piece, type, operation, current_team->all));
        else if (current_team->index - 1 == root)
            TRY_MPI(
                MPI_Reduce(MPI_IN_PLACE, data, piece, type, operation, root, current_team->all));
        else
            TRY_MPI(MPI_Reduce(data, NULL, piece, type, operation, root, current_team->all));
        data += (size_t)piece * reduction->element_bytes;
        left -= (size_t)piece;
    }
    return DM_OK;
}

/* MPI gives its functions no context. */
static const struct reduction *running;

static void combine_running(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    running->combine(in, inout, (size_t)*count, running->context);
}

/* MPI keeps the order of the ranks when an operation does not commute. */
static enum dm_status reduce_own(const struct reduction *reduction)
{
    MPI_Datatype type;
    MPI_Op operation;
    TRY_MPI(MPI_Type_contiguous((int)reduction->element_bytes, MPI_BYTE, &type));
    TRY_MPI(MPI_Type_commit(&type));
    TRY_MPI(MPI_Op_create(combine_running, 0, &operation));
    running = reduction;
    enum dm_status status = reduce_pieces(reduction, type, operation);
    TRY_MPI(MPI_Op_free(&operation));
    TRY_MPI(MPI_Type_free(&type));
    return status;
}

enum dm_status far_reduce(const struct reduction *reduction)
{
    if (reduction->count <= SHORT_BYTES / reduction->element_bytes)
        return short_reduce(reduction);
    TRY(collective_come_together());
    return reduction->operation == MPI_OP_NULL
               ? reduce_own(reduction)
               : reduce_pieces(reduction, reduction->type, reduction->operation);
}
