/* tasks_task.h: all tasks of a set handed out in one way: a sample of it, and what each image did.
 */
#ifndef COARRAYS_BENCH_TASKS_TASK_H
#define COARRAYS_BENCH_TASKS_TASK_H

#include "coarrays/hetero/tasks.h"
#include "coarrays/bench/tasks_work.h"

struct tasks_task {
    int variant;
    enum tasks_cost cost;
    const struct tasks_work *work;
    /* ---- */
    const struct tasks_way *way;
    void *state;
    uint64_t *input;              /* of one task; memory of scope.h */
    struct tasks_results results; /* of the last sample */
    double lambda;                /* unbalance factor of the last sample */
    int64_t requests;             /* of all images in it */
};

/* Fills the members below the line. Collective, as are all of these; `task` is a
 * struct tasks_task. */
void tasks_task_open(struct tasks_task *task, const struct tasks_way *way);
void tasks_task_close(void *task);

/* Forgets the results of the sample before. */
void tasks_task_clear(void *task);

/* This image's time until no task is left. The counter, and the thread of tasks_mpi, are ready
 * before the clock starts. */
double tasks_task_sample(void *task);

#endif
