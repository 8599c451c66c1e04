#include "tasks_task.h"

#include <stdlib.h>
#include <mpi.h>

#include "common/clock.h"
#include "common/harness/scope.h"

#include "images.h"

void tasks_task_open(struct tasks_task *task, const struct tasks_way *way)
{
    const struct tasks_work *work = task->work;
    task->way = way;
    check_status(way->create(&task->state, work->tasks, work->input, work->words));
    task->input = scope_allocate(MEMORY_PAGEABLE, work->words * sizeof(uint64_t));
    task->results = tasks_results_make(work);
}

void tasks_task_close(void *context)
{
    struct tasks_task *task = context;
    task->way->destroy(task->state);
    tasks_results_free(&task->results);
}

void tasks_task_clear(void *context)
{
    struct tasks_task *task = context;
    tasks_results_clear(task->work, &task->results);
}

static void collect(struct tasks_task *task, int done)
{
    int *all = allocate_or_fail((size_t)ranks.count, sizeof *all);
    check_mpi(MPI_Allgather(&done, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
    task->lambda = tasks_unbalance(all, ranks.count);
    task->requests = images_sum(done + 1);
    free(all);
}

double tasks_task_sample(void *context)
{
    struct tasks_task *task = context;
    int done = 0, number;
    check_status(task->way->start(task->state));
    double start_s = clock_now_s();
    check_status(task->way->next(task->state, task->input, &number));
    for (; number >= 0; done++) {
        tasks_work_do(task->work, number, task->input, &task->results);
        check_status(task->way->next(task->state, task->input, &number));
    }
    double time_s = clock_now_s() - start_s;
    check_status(task->way->finish(task->state));
    collect(task, done);
    return time_s;
}
