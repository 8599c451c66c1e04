#include "fetch_add_task.h"

#include <time.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/random.h"

#include "images.h"

void fetch_add_open(struct fetch_add_task *task, bool in_coarray)
{
    check_status(tasks_counter_open(&task->counter, in_coarray));
    check_status(tasks_counter_open(&task->ended, true));
}

void fetch_add_close(void *context)
{
    struct fetch_add_task *task = context;
    tasks_counter_close(&task->ended);
    tasks_counter_close(&task->counter);
}

static bool is_contender(const struct fetch_add_task *task)
{
    return ranks.rank >= 1 && ranks.rank <= task->contenders;
}

static double contend(struct fetch_add_task *task)
{
    uint32_t number;
    double start_s = clock_now_s();
    for (int i = 0; i < task->times; i++) {
        check_status(tasks_counter_add(&task->counter, task->per_request, &number));
        task->fingerprint += random_bits(0, number);
    }
    double time_s = (clock_now_s() - start_s) / task->times;
    task->requests += (uint64_t)task->times;
    if (task->progress != TASKS_IDLE)
        check_status(tasks_counter_add(&task->ended, 1, &number));
    return time_s;
}

static void serve(struct fetch_add_task *task)
{
    check_status(tasks_progress_compute(task->progress, task->slice_s, task->ended.memory,
                                        task->samples * task->contenders));
    check_status(tasks_progress_stop(task->progress));
}

/* Images that take no part sleep: where there are more images than cores, they would take time from
 * those that do. */
static void wait_for_all(bool asleep)
{
    MPI_Request request;
    int done = 0;
    check_mpi(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    while (asleep && !done) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
    check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

double fetch_add_sample(void *context)
{
    struct fetch_add_task *task = context;
    double time_s = 0;
    task->samples++;
    if (ranks.rank == 0)
        check_status(tasks_progress_start(task->progress));
    ranks.barrier();
    if (ranks.rank == 0)
        serve(task);
    else if (is_contender(task))
        time_s = contend(task);
    wait_for_all(ranks.rank > task->contenders);
    return time_s;
}

/* Each image makes a part of the fingerprint that is expected. */
long fetch_add_errors(const struct fetch_add_task *task)
{
    uint64_t requests = (uint64_t)images_sum((long)task->requests);
    uint64_t step = (uint64_t)task->per_request;
    uint64_t missing = -task->fingerprint;
    uint32_t next;
    for (uint64_t i = (uint64_t)ranks.rank; i < requests; i += (uint64_t)ranks.count)
        missing += random_bits(0, (uint32_t)(i * step));
    check_status(tasks_counter_add(&task->counter, 0, &next));
    bool wrong_counter = next != (uint32_t)(requests * step);
    return (images_sum((long)missing) != 0) + (images_sum(wrong_counter) != 0);
}
