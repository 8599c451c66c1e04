#include "window.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agree.h"
#include "error.h"
#include "heap.h"

/* ---- puts that are on their way ---- */

/* Where puts are on their way to. Each target is flushed by itself: MPI_Win_flush_all of Open MPI
 * 4.1 returns before they are complete (osc ucx). */
enum { STARTED = 64 };
static struct {
    struct segment *segment;
    int image;
} started[STARTED];
static int started_count;

int memory_put_started(struct segment *segment, int image)
{
    for (int i = started_count - 1; i >= 0; i--)
        if (started[i].image == image && started[i].segment == segment)
            return CAF_OK;
    int code = started_count == STARTED ? memory_flush() : CAF_OK;
    if (!code) {
        started[started_count].segment = segment;
        started[started_count++].image = image;
    }
    return code;
}

int memory_flush(void)
{
    for (; started_count > 0; started_count--)
        try_mpi(MPI_Win_flush(started[started_count - 1].image - 1,
                              started[started_count - 1].segment->window));
    return CAF_OK;
}

bool memory_is_flushed(void)
{
    return started_count == 0;
}

/* ---- making windows ---- */

/* What a transfer by MPI within one node is compared with, LIBCAF_MPI, takes its memory from MPI
 * (S62), and MPI copies much faster there. One image reaches all there is by itself, and some MPIs
 * have no windows then. */
bool window_brings_memory(void)
{
    return runtime.windows && runtime.nodes == 1 && runtime.images > 1;
}

/* Bytes from `part` to the next multiple of the granules' size. */
static size_t gap_before(const char *part)
{
    return (size_t)(-(uintptr_t)part % GRANULE_BYTES);
}

/* MPI aligns its memory as it likes. Parts begin at the first granule, which is at the same place
 * of all parts if all lie alike in their pages. */
static int align_parts(struct segment *segment)
{
    bool same;
    size_t gap = gap_before(segment_own_part(segment));
    int code = agree_same(CAF_OK, gap, &same);
    if (!code && !same)
        code = caf_error(CAF_MPI, "ALLOCATE: this MPI aligns the parts of a window differently");
    for (int place = 0; place < runtime.near_count; place++)
        segment->shared.part[place] = (char *)segment->shared.part[place] + gap;
    segment->displacement = gap;
    return code;
}

static int allocate_window(struct segment *segment, size_t bytes)
{
    MPI_Info info;
    void *part;
    MPI_Aint size;
    int unit;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (bytes + GRANULE_BYTES + page - 1) / page * page;
    segment->shared.bytes = bytes;
    segment->shared.part = calloc((size_t)runtime.near_count, sizeof *segment->shared.part);
    if (!segment->shared.part)
        caf_error_stop(1, "there is no memory for the table of a window's parts");
    try_mpi(MPI_Info_create(&info));
    try_mpi(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    try_mpi(
        MPI_Win_allocate_shared((MPI_Aint)whole, 1, info, runtime.all, &part, &segment->window));
    try_mpi(MPI_Info_free(&info));
    for (int place = 0; place < runtime.near_count; place++)
        try_mpi(MPI_Win_shared_query(segment->window, runtime.near[place] - 1, &size, &unit,
                                     &segment->shared.part[place]));
    memset(part, 0, whole);
    return CAF_OK;
}

static int create_window(struct segment *segment)
{
    try_mpi(MPI_Win_create(segment_own_part(segment), (MPI_Aint)segment->shared.bytes, 1,
                           MPI_INFO_NULL, runtime.all, &segment->window));
    return CAF_OK;
}

static int lock_window(MPI_Win window)
{
    int *model, found;
    try_mpi(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    try_mpi(MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &found));
    /* Local loads and stores are only then as good as transfers. */
    if (!found || *model != MPI_WIN_UNIFIED)
        return caf_error(CAF_MPI, "ALLOCATE: the windows of this MPI are not of the unified model");
    try_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window));
    return CAF_OK;
}

int window_open(struct segment *segment, size_t bytes)
{
    int code =
        agree(window_brings_memory() ? allocate_window(segment, bytes) : create_window(segment));
    if (!code && window_brings_memory())
        code = align_parts(segment);
    if (!code)
        code = agree(lock_window(segment->window));
    if (code && segment->window != MPI_WIN_NULL)
        MPI_Win_free(&segment->window);
    return code;
}

int window_close(struct segment *segment)
{
    if (segment->window == MPI_WIN_NULL)
        return CAF_OK;
    try_mpi(MPI_Win_unlock_all(segment->window));
    try_mpi(MPI_Win_free(&segment->window));
    return CAF_OK;
}
