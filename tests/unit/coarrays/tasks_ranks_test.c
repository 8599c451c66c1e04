/* Started with mpirun by coarrays_tasks.bats, with one image and with several: the thread that
 * hands out tasks fails in MPI, and its image is told at once. What fails is this file's MPI_Send,
 * in front of MPI's own. */
#include <stdatomic.h>

#include "caf_ranks_test.h"

#include "coarrays/hetero/tasks.h"

enum { TASKS = 5, TOLD_WITHIN_S = 20 };

static uint64_t no_input;
static _Atomic int replies_left = INT32_MAX;

/* Replies have contents, requests have none. */
int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (count > 0 && atomic_fetch_sub(&replies_left, 1) <= 0)
        return MPI_ERR_OTHER;
    return PMPI_Send(data, count, type, to, tag, comm);
}

static void all_tasks_are_handed_out(void *state, int *drawn)
{
    for (int task = 0; task >= 0; *drawn += task >= 0)
        expect_ok(tasks_mpi.next(state, &no_input, &task));
    expect_ok(tasks_mpi.finish(state));
}

static void a_boss_without_failure(void)
{
    void *state;
    int drawn = 0, all;
    expect_ok(tasks_mpi.create(&state, TASKS, NULL, 0));
    expect_ok(tasks_mpi.start(state));
    all_tasks_are_handed_out(state, &drawn);
    MPI_Allreduce(&drawn, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(all == TASKS);
    tasks_mpi.destroy(state);
}

/* Image 1 alone asks, so that no other waits for a reply. */
static void a_boss_that_fails(void)
{
    void *state;
    int task = -1;
    expect_ok(tasks_mpi.create(&state, TASKS, NULL, 0));
    atomic_store(&replies_left, 2);
    expect_ok(tasks_mpi.start(state));
    if (caf_this_image() == 1) {
        expect(tasks_mpi.next(state, &no_input, &task) == DM_OK && task == 0);
        expect(tasks_mpi.next(state, &no_input, &task) == DM_OK && task == 1);
        double start = now_s();
        expect_error(tasks_mpi.next(state, &no_input, &task), DM_FAILED, "MPI_Send");
        expect_error(tasks_mpi.next(state, &no_input, &task), DM_FAILED, "MPI_Send");
        expect(now_s() - start < TOLD_WITHIN_S);
        expect_error(tasks_mpi.finish(state), DM_FAILED, "MPI_Send");
    }
    atomic_store(&replies_left, INT32_MAX);
    MPI_Barrier(MPI_COMM_WORLD);
    tasks_mpi.destroy(state);
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(a_boss_without_failure), STEP(a_boss_that_fails), {0}};
    int provided;
    alarm(HANGS_AFTER_S);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    expect(provided == MPI_THREAD_MULTIPLE);
    program_start(&argc, &argv);
    run_steps(steps);
    expect_ok(caf_end());
    MPI_Finalize();
    return test_failures + test_failed_checks > 0;
}
