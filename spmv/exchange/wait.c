#include "wait.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/clock.h"

/* Looking again at once, then giving the core away, until these times have passed; then sleeping.
 * Giving away costs little where nobody wants the core, and much is gained where ranks share it. */
static const double look_s = 2e-6, yield_s = 2e-3;
static const struct timespec nap = {.tv_nsec = 20000};

static void pause_after(double waited_s)
{
    if (waited_s < look_s)
        return;
    if (waited_s < yield_s)
        sched_yield();
    else
        nanosleep(&nap, NULL);
}

/* The last look: DM_OK if all requests are done by now. */
static enum dm_status give_up(MPI_Request *requests, const int *peers, int count, double limit_s,
                              const char *what)
{
    int open = 0, done = 1;
    while (open < count) {
        TRY_MPI(MPI_Test(&requests[open], &done, MPI_STATUS_IGNORE));
        if (!done)
            break;
        open++;
    }
    if (open == count)
        return DM_OK;
    if (!peers)
        return dm_fail(
            DM_TIMEOUT,
            "waited %g s for %s by all ranks: one of them has ended, is stopped or takes "
            "no part in it",
            limit_s, what);
    return dm_fail(
        DM_TIMEOUT,
        "waited %g s for %s of rank %d: that rank has ended, is stopped or takes no part "
        "in it, or the wait limit is too short",
        limit_s, what, peers[open]);
}

enum dm_status spmv_wait(MPI_Request *requests, const int *peers, int count, double limit_s,
                         const char *what)
{
    double start_s = clock_now_s();
    for (;;) {
        int done;
        TRY_MPI(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE));
        if (done)
            return DM_OK;
        double waited_s = clock_now_s() - start_s;
        if (waited_s > limit_s)
            return give_up(requests, peers, count, limit_s, what);
        pause_after(waited_s);
    }
}

/* What the ranks tell one another; `failure` is that of the first that failed. */
struct agreement {
    int mine, first; /* my rank if I failed, else the number of ranks; the smallest of all */
    struct {
        int status;
        char sentence[256];
    } failure;
};

static enum dm_status agree(struct agreement *agreement, enum dm_status mine, MPI_Comm communicator)
{
    MPI_Request request;
    int rank, rank_count;
    TRY_MPI(MPI_Comm_rank(communicator, &rank));
    TRY_MPI(MPI_Comm_size(communicator, &rank_count));
    agreement->mine = mine == DM_OK ? rank_count : rank;
    agreement->failure.status = mine;
    snprintf(agreement->failure.sentence, sizeof agreement->failure.sentence, "%s", dm_message());
    TRY_MPI(MPI_Iallreduce(&agreement->mine, &agreement->first, 1, MPI_INT, MPI_MIN, communicator,
                           &request));
    TRY(spmv_wait(&request, NULL, 1, SPMV_SETUP_LIMIT_S, "an agreement"));
    if (agreement->first == rank_count)
        return DM_OK;
    TRY_MPI(MPI_Ibcast(&agreement->failure, sizeof agreement->failure, MPI_CHAR, agreement->first,
                       communicator, &request));
    return spmv_wait(&request, NULL, 1, SPMV_SETUP_LIMIT_S, "the reason of a failure");
}

enum dm_status spmv_all_agree(enum dm_status mine, MPI_Comm communicator)
{
    struct agreement *agreement = calloc(1, sizeof *agreement);
    if (!agreement)
        return error_no_memory(sizeof *agreement);
    TRY(agree(agreement, mine, communicator)); /* if not, MPI may still use the memory */
    enum dm_status status = (enum dm_status)agreement->failure.status;
    int first = agreement->first, rank_count;
    MPI_Comm_size(communicator, &rank_count);
    if (first < rank_count)
        dm_fail(status, "rank %d: %s", first, agreement->failure.sentence);
    free(agreement);
    return first < rank_count ? status : DM_OK;
}
