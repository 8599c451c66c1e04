#include "tasks_counter.h"

#include <string.h>

#include "coarrays/bench/images.h"

/* A cache line of its own. */
enum { COUNTER_BYTES = 128 };

struct tasks_counter tasks_counter_open(bool in_coarray)
{
    struct tasks_counter counter = {.window = MPI_WIN_NULL};
    if (in_coarray) {
        check_caf(
            caf_allocate(&counter.coarray, COUNTER_BYTES, CAF_DATA, (void **)&counter.memory));
        return counter;
    }
    check_mpi(MPI_Win_allocate(COUNTER_BYTES, sizeof(int32_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                               &counter.memory, &counter.window));
    memset(counter.memory, 0, COUNTER_BYTES);
    check_mpi(MPI_Win_lock_all(0, counter.window));
    check_mpi(MPI_Win_sync(counter.window));
    ranks.barrier();
    return counter;
}

void tasks_counter_close(struct tasks_counter *counter)
{
    if (counter->coarray) {
        check_caf(caf_free(counter->coarray));
        return;
    }
    check_mpi(MPI_Win_unlock_all(counter->window));
    check_mpi(MPI_Win_free(&counter->window));
}

void tasks_counter_reset(const struct tasks_counter *counter)
{
    tasks_counter_add(counter, (int32_t)-tasks_counter_add(counter, 0));
}

uint32_t tasks_counter_add(const struct tasks_counter *counter, int32_t value)
{
    int32_t old;
    if (counter->coarray) {
        check_caf(caf_atomic_operation(counter->coarray, 1, 0, CAF_ADD, value, &old));
    } else {
        check_mpi(MPI_Fetch_and_op(&value, &old, MPI_INT32_T, 0, 0, MPI_SUM, counter->window));
        check_mpi(MPI_Win_flush(0, counter->window));
    }
    return (uint32_t)old;
}
