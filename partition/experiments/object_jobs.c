#include "object_jobs.h"

#include "common/harness/compare.h"

const struct column object_columns[] = {
    PARAMETER(struct object_row, step,
              "launch: what differs from the launch before; pair: which launches, in order; "
              "pointer: what is asked; chain: what is compared"),
    PARAMETER(struct object_row, devices, "devices behind the program's one"),
    METRIC(struct object_row, created, "objects that the launch created"),
    METRIC(struct object_row, expected, "of these by the rule"),
    METRIC(struct object_row, repeated, "objects created when both launches were made again"),
    METRIC(struct object_row, one_device, "launches that were not split"),
    METRIC(struct object_row, pointers, "pointers looked at"),
    METRIC(struct object_row, matching, "of these on the right device"),
    METRIC(struct object_row, sequences, "random sequences of launches"),
    METRIC(struct object_row, dropped, "older equal launches deleted from the chains"),
    METRIC(struct object_row, mismatches,
           "elements with another last writer than by the full history"),
    {0},
};

static bool open_job(struct run *run, void *task)
{
    struct object_job *job = task;
    job->row = (struct object_row){job->step, job->devices, NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE,
                                   NO_VALUE,  NO_VALUE,     NO_VALUE, NO_VALUE, NO_VALUE};
    return program_wants_variant(run, job->variant);
}

static double sample(void *task)
{
    struct object_job *job = task;
    job->seed++;
    return job->sample(job);
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    *(struct object_row *)row = ((const struct object_job *)task)->row;
}

static long count_errors(struct run *run, void *task)
{
    (void)run;
    return ((const struct object_job *)task)->errors;
}

void object_jobs_run(struct run *run, struct object_job *jobs, size_t count)
{
    static const struct comparison comparison = {.task_bytes = TASK(struct object_job),
                                                 .row_bytes = sizeof(struct object_row),
                                                 .open = open_job,
                                                 .sample = sample,
                                                 .row = fill_row,
                                                 .verify = count_errors};
    compare_tasks(run, &comparison, jobs, count);
}
