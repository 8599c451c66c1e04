/* The conduit of MPI's windows, locked for all until they are freed, with passive target. */
#include "conduit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agree.h"
#include "error.h"
#include "heap.h"
#include "messages_mpi.h"
#include "team.h"
#include "window.h"

int segment_rank(const struct segment *segment, int image)
{
    return segment->team->index_of[image] - 1;
}

/* ---- making windows ---- */

/* What a transfer by MPI within one node is compared with, LIBCAF_MPI, takes its memory from MPI
 * (thesis, 6.2), and MPI copies much faster there. One image reaches all there is by itself, and
 * some MPIs have no windows then. */
bool window_brings_memory(void)
{
    return runtime.by_mpi && runtime.nodes == 1 && current_team->images > 1;
}

/* Bytes from `part` to the next multiple of the granules' size. */
static size_t gap_before(const char *part)
{
    return (size_t)(-(uintptr_t)part % GRANULE_BYTES);
}

/* MPI aligns its memory as it likes. Parts begin at the first granule, which is at the same place
 * of all parts if all lie alike in their pages. */
static enum dm_status align_parts(struct segment *segment)
{
    bool same;
    size_t gap = gap_before(segment_own_part(segment));
    enum dm_status status = agree_same(DM_OK, gap, &same);
    if (status == DM_OK && !same)
        status =
            dm_fail(DM_UNAVAILABLE, "ALLOCATE: this MPI aligns the parts of a window differently");
    for (int place = 0; place < runtime.near_count; place++)
        if (segment->shared.part[place])
            segment->shared.part[place] = (char *)segment->shared.part[place] + gap;
    segment->displacement = gap;
    return status;
}

static enum dm_status allocate_window(struct segment *segment, size_t bytes)
{
    MPI_Info info;
    void *part;
    MPI_Aint size;
    int unit;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), near = (size_t)runtime.near_count;
    size_t whole = (bytes + GRANULE_BYTES + page - 1) / page * page;
    segment->shared.bytes = bytes;
    segment->shared.part = calloc(near, sizeof *segment->shared.part);
    TRY(agree(segment->shared.part ? DM_OK : error_no_memory(near * sizeof(void *))));
    TRY_MPI(MPI_Info_create(&info));
    TRY_MPI(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    TRY_MPI(MPI_Win_allocate_shared((MPI_Aint)whole, 1, info, current_team->all, &part,
                                    &segment->window));
    TRY_MPI(MPI_Info_free(&info));
    for (int i = 1; i <= current_team->images; i++) {
        int place = runtime.place_of[current_team->member[i]];
        TRY_MPI(MPI_Win_shared_query(segment->window, i - 1, &size, &unit,
                                     &segment->shared.part[place]));
    }
    memset(part, 0, whole);
    return DM_OK;
}

static enum dm_status create_window(struct segment *segment)
{
    TRY_MPI(MPI_Win_create(segment_own_part(segment), (MPI_Aint)segment->shared.bytes, 1,
                           MPI_INFO_NULL, current_team->all, &segment->window));
    return DM_OK;
}

static enum dm_status lock_window(MPI_Win window)
{
    int *model, found;
    TRY_MPI(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &found));
    /* Local loads and stores are only then as good as transfers. */
    if (!found || *model != MPI_WIN_UNIFIED)
        return dm_fail(DM_UNAVAILABLE,
                       "ALLOCATE: the windows of this MPI are not of the unified model");
    TRY_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, window));
    return DM_OK;
}

static enum dm_status open_window(struct segment *segment, size_t bytes)
{
    enum dm_status status =
        agree(window_brings_memory() ? allocate_window(segment, bytes) : create_window(segment));
    if (status == DM_OK && window_brings_memory())
        status = align_parts(segment);
    if (status == DM_OK)
        status = agree(lock_window(segment->window));
    if (status != DM_OK && segment->window != MPI_WIN_NULL)
        MPI_Win_free(&segment->window);
    return status;
}

static enum dm_status close_window(struct segment *segment)
{
    if (segment->window == MPI_WIN_NULL)
        return DM_OK;
    TRY_MPI(MPI_Win_unlock_all(segment->window));
    TRY_MPI(MPI_Win_free(&segment->window));
    return DM_OK;
}

/* ---- transfers ---- */

/* MPI counts with int. */
enum { PIECE_BYTES = 1 << 30 };

static MPI_Aint place_of(const struct segment *segment, size_t displacement)
{
    return (MPI_Aint)(segment->displacement + displacement);
}

static enum dm_status put(struct segment *segment, int image, size_t displacement, const char *from,
                          size_t bytes)
{
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        int piece = (int)(bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES);
        TRY_MPI(MPI_Put(from + done, piece, MPI_BYTE, segment_rank(segment, image),
                        place_of(segment, displacement + done), piece, MPI_BYTE, segment->window));
    }
    return DM_OK;
}

static enum dm_status get(struct segment *segment, int image, size_t displacement, char *to,
                          size_t bytes)
{
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        int piece = (int)(bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES);
        TRY_MPI(MPI_Get(to + done, piece, MPI_BYTE, segment_rank(segment, image),
                        place_of(segment, displacement + done), piece, MPI_BYTE, segment->window));
    }
    return DM_OK;
}

static enum dm_status flush(struct segment *segment, int image)
{
    TRY_MPI(MPI_Win_flush(segment_rank(segment, image), segment->window));
    return DM_OK;
}

static enum dm_status finish(struct segment *segment, int image, bool is_put)
{
    if (!is_put)
        return flush(segment, image);
    TRY_MPI(MPI_Win_flush_local(segment_rank(segment, image), segment->window));
    return DM_OK;
}

/* ---- words ---- */

static enum dm_status fetch_add(struct segment *segment, int image, size_t displacement,
                                int32_t add, int32_t *old)
{
    TRY_MPI(MPI_Fetch_and_op(&add, old, MPI_INT32_T, segment_rank(segment, image),
                             place_of(segment, displacement), add ? MPI_SUM : MPI_NO_OP,
                             segment->window));
    return flush(segment, image);
}

static enum dm_status compare_swap(struct segment *segment, int image, size_t displacement,
                                   int32_t compare, int32_t value, int32_t *old)
{
    TRY_MPI(MPI_Compare_and_swap(&value, &compare, old, MPI_INT32_T, segment_rank(segment, image),
                                 place_of(segment, displacement), segment->window));
    return flush(segment, image);
}

static void end(void)
{
}

const struct conduit conduit_mpi = {.name = "mpi",
                                    .start = messages_mpi_start,
                                    .end = end,
                                    .open = open_window,
                                    .close = close_window,
                                    .put = put,
                                    .get = get,
                                    .finish = finish,
                                    .flush = flush,
                                    .fetch_add = fetch_add,
                                    .compare_swap = compare_swap,
                                    .send = messages_mpi_send,
                                    .progress = messages_mpi_progress,
                                    .settle = messages_mpi_settle};
