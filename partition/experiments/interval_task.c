#include "interval_task.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "partition/intervals.h"

enum { CALLS = 1000 }; /* timed together: a look-up takes less than a microsecond */

static struct access_query query_of(const struct interval_task *task)
{
    const struct interval_case *launch = task->launch;
    return (struct access_query){launch->kernel, launch->scalars, &launch->shape,
                                 launch->split,  launch->devices, PARTITION_BOXES};
}

static double sample_cached(void *context)
{
    const struct interval_task *task = context;
    struct access_query query = query_of(task);
    const void *volatile found = NULL;
    double start_s = clock_now_s();
    for (int i = 0; i < CALLS; i++)
        found = access_cache_find(&task->cache, &query);
    double time_s = (clock_now_s() - start_s) / CALLS;
    if (found != task->sets)
        fail("the cache does not find what was kept in it");
    return time_s;
}

static void note_linear(struct interval_task *task, double linear_s)
{
    double *grown = realloc(task->linear_s, (task->samples + 1) * sizeof *grown);
    check_errno(grown != NULL);
    task->linear_s = grown;
    task->linear_s[task->samples++] = linear_s;
}

static double sample_method(void *context)
{
    struct interval_task *task = context;
    struct partition_times times = {0};
    double start_s = clock_now_s();
    interval_case_compute(task->launch, task->argument, task->write,
                          (enum partition_access)task->way, task->sets, &times);
    double time_s = clock_now_s() - start_s;
    note_linear(task, times.linear_s);
    return time_s;
}

/* So that a sample does not find the memory of the one before. */
static void forget(void *context)
{
    struct interval_task *task = context;
    for (int d = 0; d < task->launch->devices; d++)
        partition_intervals_free(&task->sets[d]);
}

void interval_task_open(struct interval_task *task, const struct interval_case *launch,
                        size_t argument, bool write, int way)
{
    *task =
        (struct interval_task){.launch = launch, .argument = argument, .write = write, .way = way};
    if (way != INTERVAL_CACHED)
        return;
    struct access_query query = query_of(task);
    interval_case_compute(launch, argument, write, PARTITION_BOXES, task->sets, NULL);
    check_status(access_cache_add(&task->cache, &query, task->sets));
}

struct subject interval_task_subject(struct interval_task *task, const char *variant)
{
    bool cached = task->way == INTERVAL_CACHED;
    return (struct subject){.variant = variant,
                            .sample = cached ? sample_cached : sample_method,
                            .before = cached ? NULL : forget,
                            .context = task};
}

void interval_task_close(struct interval_task *task)
{
    access_cache_free(&task->cache, NULL);
    forget(task);
    free(task->linear_s);
}

long interval_task_errors(const struct interval_task *task)
{
    enum partition_access other = task->way == PARTITION_ROWS ? PARTITION_BOXES : PARTITION_ROWS;
    struct partition_intervals expected[PARTITION_MAX_DEVICES] = {0};
    long errors = 0;
    interval_case_compute(task->launch, task->argument, task->write, other, expected, NULL);
    for (int d = 0; d < task->launch->devices; d++) {
        errors += !intervals_equal(&expected[d], &task->sets[d]);
        partition_intervals_free(&expected[d]);
    }
    return errors;
}
