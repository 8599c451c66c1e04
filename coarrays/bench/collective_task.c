#include "collective_task.h"

#include <mpi.h>

#include <datamotion/coarrays.h>

#include "common/clock.h"
#include "common/harness/scope.h"

#include "batch.h"
#include "images.h"

static void barrier(const struct collective_task *task)
{
    if (task->variant == COLLECTIVE_CAF)
        check_status(caf_sync_all());
    else
        check_mpi(MPI_Barrier(MPI_COMM_WORLD));
}

static void operate(struct collective_task *task)
{
    if (task->operation == COLLECTIVE_BARRIER)
        barrier(task);
    else if (task->variant == COLLECTIVE_CAF && task->operation == COLLECTIVE_SUM)
        check_status(caf_sum(task->values, task->count, CAF_DOUBLE, 0));
    else if (task->variant == COLLECTIVE_CAF)
        check_status(caf_broadcast(task->values, task->count * sizeof *task->values, 1));
    else if (task->operation == COLLECTIVE_SUM)
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, task->values, (int)task->count, MPI_DOUBLE, MPI_SUM,
                                MPI_COMM_WORLD));
    else
        check_mpi(MPI_Bcast(task->values, (int)task->count, MPI_DOUBLE, 0, MPI_COMM_WORLD));
}

double collective_sample(void *context)
{
    struct collective_task *task = context;
    double start_s = clock_now_s();
    for (int i = 0; i < task->times; i++)
        operate(task);
    return (clock_now_s() - start_s) / task->times;
}

/* Zeros, so that sums of sums stay finite. */
static void clear(struct collective_task *task)
{
    for (size_t i = 0; i < task->count; i++)
        task->values[i] = 0;
}

void collective_open(struct collective_task *task)
{
    task->values = scope_random(MEMORY_PAGEABLE, task->count * sizeof *task->values, 1);
    clear(task);
    batch_calibrate(collective_sample, task, &task->times);
}

/* What image `image` has as element i: whole numbers, whose sums are exact. */
static double value_of(int image, size_t i)
{
    return (double)(image * 1000 + (int)(i % 977));
}

static double result_of(const struct collective_task *task, size_t i)
{
    double sum = 0;
    if (task->operation == COLLECTIVE_BROADCAST)
        return value_of(1, i);
    for (int image = 1; image <= ranks.count; image++)
        sum += value_of(image, i);
    return sum;
}

static long left_too_early(struct collective_task *task)
{
    double came_s = clock_now_s();
    operate(task);
    double left_s = clock_now_s(), last_s = ranks.max(came_s);
    return images_sum(images_nodes() == 1 && left_s < last_s);
}

long collective_errors(struct collective_task *task)
{
    long wrong = 0;
    if (task->operation == COLLECTIVE_BARRIER)
        return left_too_early(task);
    for (size_t i = 0; i < task->count; i++)
        task->values[i] = value_of(ranks.rank + 1, i);
    operate(task);
    for (size_t i = 0; i < task->count; i++)
        wrong += task->values[i] != result_of(task, i);
    clear(task);
    return images_sum(wrong);
}
