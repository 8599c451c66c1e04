#include "object_jobs.h"

#include <stdlib.h>

#include "common/harness/exit.h"

const struct column object_columns[] = {
    [OBJECT_STEP] = {"step", COLUMN_PARAMETER,
                     "launch: what differs from the launch before; pair: which launches, in order; "
                     "pointer: what is asked; chain: what is compared"},
    [OBJECT_DEVICES] = {"devices", COLUMN_PARAMETER, "devices behind the program's one"},
    [OBJECT_CREATED] = {"created", COLUMN_METRIC, "objects that the launch created"},
    [OBJECT_EXPECTED] = {"expected", COLUMN_METRIC, "of these by the rule"},
    [OBJECT_REPEATED] = {"repeated", COLUMN_METRIC,
                         "objects created when both launches were made again"},
    [OBJECT_ONE_DEVICE] = {"one_device", COLUMN_METRIC, "launches that were not split"},
    [OBJECT_POINTERS] = {"pointers", COLUMN_METRIC, "pointers looked at"},
    [OBJECT_MATCHING] = {"matching", COLUMN_METRIC, "of these on the right device"},
    [OBJECT_SEQUENCES] = {"sequences", COLUMN_METRIC, "random sequences of launches"},
    [OBJECT_DROPPED] = {"dropped", COLUMN_METRIC, "older equal launches deleted from the chains"},
    [OBJECT_MISMATCHES] = {"mismatches", COLUMN_METRIC,
                           "elements with another last writer than by the full history"},
    [OBJECT_COLUMNS] = {0},
};

static struct object_row *new_row(struct object_job *job)
{
    if (job->count == job->capacity) {
        job->capacity = job->capacity ? 2 * job->capacity : 16;
        job->rows = realloc(job->rows, job->capacity * sizeof *job->rows);
        if (!job->rows)
            fail("no host memory for %zu rows: choose fewer with -n", job->capacity);
    }
    struct object_row *row = &job->rows[job->count++];
    *row = (struct object_row){.errors = 0};
    row->values[OBJECT_STEP] = text(job->step);
    row->values[OBJECT_DEVICES] = integer(job->devices);
    return row;
}

static double sample(void *context)
{
    struct object_job *job = context;
    struct object_row *row = new_row(job);
    job->seed++;
    job->sample(job, row);
    return row->time_s;
}

/* The last rows of a job are those that were measured; before them comes the warm-up. */
static void record(struct run *run, const struct object_job *job, const struct subject *subject)
{
    const struct object_row *rows = job->rows + job->count - subject->count;
    for (size_t i = 0; i < subject->count; i++)
        record_values(run, job->variant, (int)i, rows[i].values, subject->times_s[i],
                      rows[i].errors);
}

void object_jobs_run(struct run *run, struct object_job *jobs, size_t count)
{
    struct subject *subjects = allocate_or_fail(count + 1, sizeof *subjects);
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++)
        if (program_wants(run, jobs[i].variant))
            subjects[wanted++] =
                (struct subject){.variant = jobs[i].variant, .sample = sample, .context = &jobs[i]};
    if (wanted)
        measure(run, subjects, wanted);
    for (size_t i = 0; i < wanted; i++) {
        struct object_job *job = subjects[i].context;
        record(run, job, &subjects[i]);
        free(job->rows);
    }
    measure_free(subjects, wanted);
    free(subjects);
}
