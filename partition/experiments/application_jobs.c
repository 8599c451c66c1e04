#include "application_jobs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "partition/experiments/apps/stencil_by_hand.h"

/* A result of one run. */
struct outcome {
    void *result;
    size_t bytes;
    struct application_times times;
};

static int execute(const struct application_job *job, struct outcome *outcome)
{
    const struct application_work *work = job->work;
    if (job->variant == APPLICATION_BY_HAND)
        return stencil_by_hand(&work->input, job->mode.devices, &outcome->result, &outcome->bytes,
                               &outcome->times);
    return work->application->run(&work->input, &outcome->result, &outcome->bytes, &outcome->times);
}

static struct outcome execute_or_fail(const struct application_job *job)
{
    struct outcome outcome = {0};
    struct partition_settings settings = job->variant == APPLICATION_PARTITIONED
                                             ? application_mode_settings(&job->mode)
                                             : application_mode_off();
    check_status(partition_configure(&settings));
    int error = execute(job, &outcome);
    if (error)
        fail("%s, n = %lld, on %d devices: the CUDA driver's error %d, see above",
             job->work->application->name, (long long)job->work->input.n, job->mode.devices, error);
    return outcome;
}

void application_work_open(struct application_work *work)
{
    struct application_job original = {
        .variant = APPLICATION_ORIGINAL, .work = work, .mode.devices = 1};
    struct outcome outcome = execute_or_fail(&original);
    work->result = outcome.result;
    work->result_bytes = outcome.bytes;
}

void application_work_close(struct application_work *work)
{
    free(work->result);
}

/* NaN against a number is an infinite difference. */
static double relative_difference(uint32_t left, uint32_t right)
{
    float a, b;
    memcpy(&a, &left, sizeof a);
    memcpy(&b, &right, sizeof b);
    double difference = fabs((double)a - b) / fmax(fabs((double)b), FLT_MIN);
    return isnan(difference) ? INFINITY : difference;
}

static void compare(const struct application_work *work, const struct outcome *outcome,
                    struct application_sample *sample)
{
    if (outcome->bytes != work->result_bytes)
        fail("%s: a result of %zu bytes instead of %zu", work->application->name, outcome->bytes,
             work->result_bytes);
    if (memcmp(outcome->result, work->result, outcome->bytes) == 0)
        return;
    const uint32_t *words = outcome->result, *expected = work->result;
    for (size_t i = 0; i < outcome->bytes / sizeof *words; i++)
        if (words[i] != expected[i]) {
            sample->different++;
            sample->difference =
                fmax(sample->difference, relative_difference(words[i], expected[i]));
        }
}

/* Whether other results than the original's are what the mode is there to show. */
static bool may_differ(const struct application_job *job)
{
    if (job->variant != APPLICATION_PARTITIONED)
        return false;
    return strcmp(job->mode.resolution, "none") == 0 ||
           (strcmp(job->mode.resolution, "last-writer") == 0 &&
            strcmp(job->work->application->name, "refine") == 0);
}

double application_job_sample(void *task)
{
    struct application_job *job = task;
    struct application_sample *sample = &job->last;
    *sample = (struct application_sample){0};
    partition_statistics_reset();
    struct outcome outcome = execute_or_fail(job);
    sample->times = outcome.times;
    if (job->variant == APPLICATION_PARTITIONED) {
        partition_statistics(&sample->statistics);
        snprintf(job->note, sizeof job->note, "%s", partition_last_reason());
    }
    if (job->check)
        compare(job->work, &outcome, sample);
    if (!may_differ(job) && sample->different > job->errors)
        job->errors = (long)sample->different;
    free(outcome.result);
    return sample->times.total_s;
}
