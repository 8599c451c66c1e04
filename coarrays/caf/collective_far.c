/* Collectives of images on several nodes are MPI's. An image that stops would leave them hanging:
 * so all come together first, which tells whether somebody has stopped, and whoever came cannot
 * stop before the collective is done. */
#include "collective_internal.h"
#include "error.h"

/* Bytes of one MPI call: its counts are of type int. */
static const size_t PIECE_BYTES = (size_t)1 << 30;

int far_broadcast(char *data, size_t bytes, int source_image)
{
    int code = collective_come_together();
    if (code)
        return code;
    while (bytes > 0) {
        size_t piece = bytes < PIECE_BYTES ? bytes : PIECE_BYTES;
        try_mpi(MPI_Bcast(data, (int)piece, MPI_BYTE, source_image - 1, runtime.all));
        data += piece;
        bytes -= piece;
    }
    return CAF_OK;
}

static int reduce_pieces(const struct reduction *reduction, MPI_Datatype type, MPI_Op operation)
{
    size_t most = PIECE_BYTES / reduction->element_bytes;
    size_t left = reduction->count;
    char *data = reduction->data;
    int root = reduction->result_image - 1;
    if (most < 1)
        most = 1;
    while (left > 0) {
        int piece = (int)(left < most ? left : most);
        if (root < 0)
            try_mpi(MPI_Allreduce(MPI_IN_PLACE, data, piece, type, operation, runtime.all));
        else if (runtime.image - 1 == root)
            try_mpi(MPI_Reduce(MPI_IN_PLACE, data, piece, type, operation, root, runtime.all));
        else
            try_mpi(MPI_Reduce(data, NULL, piece, type, operation, root, runtime.all));
        data += (size_t)piece * reduction->element_bytes;
        left -= (size_t)piece;
    }
    return CAF_OK;
}

/* MPI gives its functions no context. */
static const struct reduction *running;

static void combine_running(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    running->combine(in, inout, (size_t)*count, running->context);
}

/* MPI keeps the order of the ranks when an operation does not commute. */
static int reduce_own(const struct reduction *reduction)
{
    MPI_Datatype type;
    MPI_Op operation;
    try_mpi(MPI_Type_contiguous((int)reduction->element_bytes, MPI_BYTE, &type));
    try_mpi(MPI_Type_commit(&type));
    try_mpi(MPI_Op_create(combine_running, 0, &operation));
    running = reduction;
    int code = reduce_pieces(reduction, type, operation);
    try_mpi(MPI_Op_free(&operation));
    try_mpi(MPI_Type_free(&type));
    return code;
}

int far_reduce(const struct reduction *reduction)
{
    int code = collective_come_together();
    if (code)
        return code;
    return reduction->operation == MPI_OP_NULL
               ? reduce_own(reduction)
               : reduce_pieces(reduction, reduction->type, reduction->operation);
}
