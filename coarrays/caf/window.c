/* Puts that are on their way, whatever carries them. */
#include "window.h"

#include "conduit.h"
#include "error.h"

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
        TRY(conduit->flush(started[started_count - 1].segment, started[started_count - 1].image));
    return DM_OK;
}

bool memory_is_flushed(void)
{
    return started_count == 0;
}
