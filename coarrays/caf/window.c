#include "window.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agree.h"
#include "error.h"
#include "heap.h"
#include "team.h"

int segment_rank(const struct segment *segment, int image)
{
    return segment->team->index_of[image] - 1;
}

/* ---- puts that are on their way ---- */

/* Where puts are on their way to. Each target is flushed by itself: MPI_Win_flush_all of Open MPI
 * 4.1 returns before they are complete (osc ucx). */
enum { STARTED = 64 };
static struct {
    struct segment *segment;
    int image;
} started[STARTED];
static int started_count;

enum dm_status memory_put_started(struct segment *segment, int image)
{
    for (int i = started_count - 1; i >= 0; i--)
        if (started[i].image == image && started[i].segment == segment)
            return DM_OK;
    enum dm_status status = started_count == STARTED ? memory_flush() : DM_OK;
    if (status == DM_OK) {
        started[started_count].segment = segment;
        started[started_count++].image = image;
    }
    return status;
}

enum dm_status memory_flush(void)
{
    for (; started_count > 0; started_count--)
        TRY_MPI(MPI_Win_flush(
            segment_rank(started[started_count - 1].segment, started[started_count - 1].image),
            started[started_count - 1].segment->window));
    return DM_OK;
}

bool memory_is_flushed(void)
{
    return started_count == 0;
}

/* ---- making windows ---- */

/* What a transfer by MPI within one node is compared with, LIBCAF_MPI, takes its memory from MPI
 * (thesis, 6.2), and MPI copies much faster there. One image reaches all there is by itself, and
 * some MPIs have no windows then. */
bool window_brings_memory(void)
{
    return runtime.windows && runtime.nodes == 1 && current_team->images > 1;
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

enum dm_status window_open(struct segment *segment, size_t bytes)
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

enum dm_status window_close(struct segment *segment)
{
    if (segment->window == MPI_WIN_NULL)
        return DM_OK;
    TRY_MPI(MPI_Win_unlock_all(segment->window));
    TRY_MPI(MPI_Win_free(&segment->window));
    return DM_OK;
}
