#include "conduit.h"
#include "error.h"
#include "far.h"

/* Counts in MPI are int, so a larger section takes several calls. */
enum { DATATYPE_BYTES = 1 << 30 };

/* The elements of one side, as the memory holds them. A vector would say the same as a resized
 * inner type, but the one of Open MPI 4.1 packs bytes of stride -1 in the wrong order. */
static enum dm_status build(const struct far_section *section, const ptrdiff_t *stride,
                            MPI_Datatype *type)
{
    MPI_Datatype inner, spaced;
    TRY_MPI(MPI_Type_contiguous((int)section->element_bytes, MPI_BYTE, type));
    for (int d = 0; d < section->rank; d++) {
        inner = *type;
        TRY_MPI(MPI_Type_create_resized(inner, 0, stride[d], &spaced));
        TRY_MPI(MPI_Type_contiguous((int)section->count[d], spaced, type));
        TRY_MPI(MPI_Type_free(&spaced));
        TRY_MPI(MPI_Type_free(&inner));
    }
    TRY_MPI(MPI_Type_commit(type));
    return DM_OK;
}

static enum dm_status start(const struct far_section *section, MPI_Datatype far, MPI_Datatype near)
{
    MPI_Win window = section->coarray->segment->window;
    MPI_Aint displacement = (MPI_Aint)(section->coarray->segment->displacement +
                                       far_displacement(section->coarray, section->offset));
    int target = segment_rank(section->coarray->segment, section->image);
    if (section->is_put) {
        TRY(memory_put_started(section->coarray->segment, section->image));
        TRY_MPI(MPI_Put(section->local, 1, near, target, displacement, 1, far, window));
        TRY_MPI(MPI_Win_flush_local(target, window));
    } else {
        TRY_MPI(MPI_Get(section->local, 1, near, target, displacement, 1, far, window));
        TRY_MPI(MPI_Win_flush(target, window));
    }
    return DM_OK;
}

static enum dm_status transfer(const struct far_section *section)
{
    MPI_Datatype far, near;
    TRY(build(section, section->far, &far));
    enum dm_status status = build(section, section->near, &near);
    if (status == DM_OK) {
        status = start(section, far, near);
        MPI_Type_free(&near);
    }
    MPI_Type_free(&far);
    return status;
}

enum dm_status datatype_transfer(const struct far_section *section)
{
    struct far_section chunk;
    if (section->rank == 0 || section->element_bytes > DATATYPE_BYTES)
        return rma_elements(section, true);
    enum dm_status status = DM_OK;
    struct far_cut cut = far_cut(section, DATATYPE_BYTES);
    while (status == DM_OK && far_next(&cut, &chunk))
        status = transfer(&chunk);
    return status;
}
