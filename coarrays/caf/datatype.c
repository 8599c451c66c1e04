#include "error.h"
#include "far.h"

/* Counts in MPI are int, so a larger section takes several calls. */
enum { DATATYPE_BYTES = 1 << 30 };

/* The elements of one side, as the memory holds them. A vector would say the same as a resized
 * inner type, but the one of Open MPI 4.1 packs bytes of stride -1 in the wrong order. */
static int build(const struct far_section *section, const ptrdiff_t *stride, MPI_Datatype *type)
{
    MPI_Datatype inner, spaced;
    try_mpi(MPI_Type_contiguous((int)section->element_bytes, MPI_BYTE, type));
    for (int d = 0; d < section->rank; d++) {
        inner = *type;
        try_mpi(MPI_Type_create_resized(inner, 0, stride[d], &spaced));
        try_mpi(MPI_Type_contiguous((int)section->count[d], spaced, type));
        try_mpi(MPI_Type_free(&spaced));
        try_mpi(MPI_Type_free(&inner));
    }
    try_mpi(MPI_Type_commit(type));
    return CAF_OK;
}

static int start(const struct far_section *section, MPI_Datatype far, MPI_Datatype near)
{
    MPI_Win window = section->coarray->segment->window;
    MPI_Aint displacement = far_displacement(section->coarray, section->offset);
    int target = section->image - 1;
    if (section->is_put) {
        int code = memory_put_started(section->coarray->segment, section->image);
        if (code)
            return code;
        try_mpi(MPI_Put(section->local, 1, near, target, displacement, 1, far, window));
        try_mpi(MPI_Win_flush_local(target, window));
    } else {
        try_mpi(MPI_Get(section->local, 1, near, target, displacement, 1, far, window));
        try_mpi(MPI_Win_flush(target, window));
    }
    return CAF_OK;
}

static int transfer(const struct far_section *section)
{
    MPI_Datatype far, near;
    int code = build(section, section->far, &far);
    if (code)
        return code;
    code = build(section, section->near, &near);
    if (!code) {
        code = start(section, far, near);
        MPI_Type_free(&near);
    }
    MPI_Type_free(&far);
    return code;
}

int datatype_transfer(const struct far_section *section)
{
    struct far_section chunk;
    if (section->rank == 0 || section->element_bytes > DATATYPE_BYTES)
        return rma_elements(section, true);
    int code = CAF_OK;
    struct far_cut cut = far_cut(section, DATATYPE_BYTES);
    while (!code && far_next(&cut, &chunk))
        code = transfer(&chunk);
    return code;
}
