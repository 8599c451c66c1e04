#include "pricing_progress.h"

#include <mpi.h>
#include <stddef.h>

#include "ranks.h"
#include "tasks_progress.h"

const char *const pricing_progress_names[] = {
    [PRICING_MANUAL] = "manual", [PRICING_THREAD] = "thread", [PRICING_NONE] = "none", NULL};

static enum pricing_progress current = PRICING_NONE;

void pricing_progress_start(enum pricing_progress progress)
{
    current = progress;
    if (progress == PRICING_THREAD)
        tasks_progress_start(TASKS_THREAD);
}

void pricing_progress_stop(void)
{
    if (current == PRICING_THREAD)
        tasks_progress_stop(TASKS_THREAD);
    current = PRICING_NONE;
}

/* No message is ever sent to this communicator: asking for one only lets MPI work. */
void pricing_progress_now(void)
{
    int found;
    if (current == PRICING_MANUAL)
        check_mpi(
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE));
}
