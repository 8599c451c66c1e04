#include "spmv_wait.h"

#include <sched.h>
#include <time.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/harness/ranks.h"

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

/* The first request that is not done. */
static int first_open(MPI_Request *requests, int count)
{
    int done = 1, i = 0;
    while (i < count) {
        check_mpi(MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE));
        if (!done)
            break;
        i++;
    }
    return i;
}

static void give_up(MPI_Request *requests, const int *peers, int count, double limit_s,
                    const char *what)
{
    int open = first_open(requests, count);
    if (open == count)
        return;
    if (!peers)
        fail("rank %d waited %g s for %s by all ranks: one of them has ended, is stopped or takes "
             "no part in it",
             ranks.rank, limit_s, what);
    fail("rank %d waited %g s for %s of rank %d: that rank has ended, is stopped or takes no part "
         "in it, or the wait limit is too short",
         ranks.rank, limit_s, what, peers[open]);
}

void spmv_wait(MPI_Request *requests, const int *peers, int count, double limit_s, const char *what)
{
    double start_s = clock_now_s();
    for (;;) {
        int done;
        check_mpi(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE));
        if (done)
            return;
        double waited_s = clock_now_s() - start_s;
        if (waited_s > limit_s) {
            give_up(requests, peers, count, limit_s, what);
            return;
        }
        pause_after(waited_s);
    }
}

bool spmv_all_agree(bool yes, MPI_Comm communicator, struct sparse_error *error)
{
    MPI_Request request;
    struct sparse_error sentence;
    int rank, rank_count, first;
    check_mpi(MPI_Comm_rank(communicator, &rank));
    check_mpi(MPI_Comm_size(communicator, &rank_count));
    int mine = yes ? rank_count : rank;
    check_mpi(MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, communicator, &request));
    spmv_wait(&request, NULL, 1, SPMV_SETUP_LIMIT_S, "an agreement");
    if (first == rank_count)
        return true;
    if (first == rank)
        sentence = *error;
    check_mpi(
        MPI_Ibcast(sentence.text, sizeof sentence.text, MPI_CHAR, first, communicator, &request));
    spmv_wait(&request, NULL, 1, SPMV_SETUP_LIMIT_S, "the reason of a refusal");
    return sparse_refuse(error, "rank %d: %.230s", first, sentence.text);
}
