#include "tasks_work.h"

#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "coarrays/hetero/tasks.h"
#include "common/harness/exit.h"
#include "common/random.h"

#include "images.h"

static uint64_t *make_input(const struct tasks_work *work)
{
    size_t words = (size_t)work->tasks * work->words;
    uint64_t *input = allocate_or_fail(words, sizeof *input);
    random_fill_bytes(input, words * sizeof *input, work->seed);
    return input;
}

struct tasks_work tasks_work_make(uint64_t seed, int tasks, size_t input_bytes)
{
    struct tasks_work work = {
        .seed = seed, .tasks = tasks, .words = input_bytes / sizeof(uint64_t)};
    work.iterations = allocate_or_fail((size_t)tasks, sizeof *work.iterations);
    if (ranks.rank == 0)
        work.input = make_input(&work);
    return work;
}

void tasks_work_free(struct tasks_work *work)
{
    free(work->iterations);
    free(work->input);
}

struct tasks_results tasks_results_make(const struct tasks_work *work)
{
    size_t tasks = (size_t)work->tasks;
    return (struct tasks_results){allocate_or_fail(tasks, sizeof(uint64_t)),
                                  allocate_or_fail(tasks, sizeof(int))};
}

void tasks_results_clear(const struct tasks_work *work, struct tasks_results *results)
{
    memset(results->values, 0, (size_t)work->tasks * sizeof *results->values);
    memset(results->times_done, 0, (size_t)work->tasks * sizeof *results->times_done);
}

void tasks_results_free(struct tasks_results *results)
{
    free(results->values);
    free(results->times_done);
}

void tasks_work_do(const struct tasks_work *work, int task, const uint64_t *input,
                   struct tasks_results *results)
{
    results->values[task] =
        tasks_compute(work->seed, task, work->iterations[task], input, work->words, work->threads);
    results->times_done[task]++;
}

long tasks_results_wrong(const struct tasks_work *work, struct tasks_results *results)
{
    long wrong = 0;
    uint64_t *input = make_input(work);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, results->values, work->tasks, MPI_UINT64_T, MPI_SUM,
                            MPI_COMM_WORLD));
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, results->times_done, work->tasks, MPI_INT, MPI_SUM,
                            MPI_COMM_WORLD));
    for (int i = ranks.rank; i < work->tasks; i += ranks.count) {
        uint64_t right = tasks_compute(work->seed, i, work->iterations[i],
                                       input + (size_t)i * work->words, work->words, 1);
        wrong += results->times_done[i] != 1 || results->values[i] != right;
    }
    free(input);
    return images_sum(wrong);
}
