#include "tasks_progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/random.h"

const char *const tasks_progress_names[] = {
    [TASKS_IDLE] = "idle", [TASKS_MANUAL] = "manual", [TASKS_THREAD] = "thread", NULL};

static struct {
    pthread_t thread;
    atomic_bool stop;
    enum dm_status status;
} poller;

bool tasks_threads_may_call_mpi(void)
{
    int provided;
    return MPI_Query_thread(&provided) == MPI_SUCCESS && provided == MPI_THREAD_MULTIPLE;
}

/* No message is ever sent to this communicator. */
enum dm_status tasks_progress_probe(void)
{
    int found;
    return status_of_mpi(
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE));
}

static void *poll(void *context)
{
    (void)context;
    while (poller.status == DM_OK && !atomic_load_explicit(&poller.stop, memory_order_relaxed))
        poller.status = tasks_progress_probe();
    return NULL;
}

enum dm_status tasks_progress_start(enum tasks_progress mode)
{
    atomic_store(&poller.stop, false);
    poller.status = DM_OK;
    if (mode == TASKS_THREAD && pthread_create(&poller.thread, NULL, poll, NULL) != 0)
        return dm_fail(DM_FAILED, "no thread can be started to probe MPI for progress");
    return DM_OK;
}

enum dm_status tasks_progress_stop(enum tasks_progress mode)
{
    atomic_store(&poller.stop, true);
    if (mode == TASKS_THREAD)
        pthread_join(poller.thread, NULL);
    if (poller.status != DM_OK)
        return dm_fail(poller.status, "the thread that probed MPI for progress failed");
    return DM_OK;
}

/* Arithmetic whose result the next call begins with, so that the compiler keeps it. */
static void compute(double seconds)
{
    static volatile uint64_t result;
    uint64_t sum = result, number = 0;
    double start_s = clock_now_s();
    do {
        for (int i = 0; i < 256; i++)
            sum += random_bits(sum, number++);
    } while (clock_now_s() - start_s < seconds);
    result = sum;
}

enum dm_status tasks_progress_compute(enum tasks_progress mode, double slice_s, const int32_t *word,
                                      int32_t enough)
{
    while (mode != TASKS_IDLE && __atomic_load_n(word, __ATOMIC_ACQUIRE) < enough) {
        compute(slice_s);
        if (mode == TASKS_MANUAL)
            TRY(tasks_progress_probe());
    }
    return DM_OK;
}
