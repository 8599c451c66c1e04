#include "tasks_counter.h"

#include <string.h>

#include "common/error.h"

/* A cache line of its own. */
enum { COUNTER_BYTES = 128 };

static enum dm_status open_window(struct tasks_counter *counter)
{
    TRY_MPI(MPI_Win_allocate(COUNTER_BYTES, sizeof(int32_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                             &counter->memory, &counter->window));
    memset(counter->memory, 0, COUNTER_BYTES);
    TRY_MPI(MPI_Win_lock_all(0, counter->window));
    TRY_MPI(MPI_Win_sync(counter->window));
    return status_of_mpi(MPI_Barrier(MPI_COMM_WORLD));
}

enum dm_status tasks_counter_open(struct tasks_counter *counter, bool in_coarray)
{
    *counter = (struct tasks_counter){.window = MPI_WIN_NULL};
    if (!in_coarray)
        return open_window(counter);
    return caf_allocate(&counter->coarray, COUNTER_BYTES, CAF_DATA, (void **)&counter->memory);
}

void tasks_counter_close(struct tasks_counter *counter)
{
    if (counter->coarray) {
        caf_free(counter->coarray);
    } else if (counter->memory) {
        MPI_Win_unlock_all(counter->window);
        MPI_Win_free(&counter->window);
    }
}

enum dm_status tasks_counter_reset(const struct tasks_counter *counter)
{
    uint32_t value, old;
    TRY(tasks_counter_add(counter, 0, &value));
    return tasks_counter_add(counter, (int32_t)-value, &old);
}

/* Out of line: taking the address of `value` would cost the counter in a coarray a nanosecond. */
static __attribute__((noinline)) enum dm_status add_in_window(const struct tasks_counter *counter,
                                                              int32_t value, uint32_t *old)
{
    TRY_MPI(MPI_Fetch_and_op(&value, old, MPI_INT32_T, 0, 0, MPI_SUM, counter->window));
    return status_of_mpi(MPI_Win_flush(0, counter->window));
}

enum dm_status tasks_counter_add(const struct tasks_counter *counter, int32_t value, uint32_t *old)
{
    if (!counter->coarray)
        return add_in_window(counter, value, old);
    return caf_atomic_operation(counter->coarray, 1, 0, CAF_ADD, value, (int32_t *)old);
}
