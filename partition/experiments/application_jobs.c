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
    if (job->way == APPLICATION_BY_HAND)
        return stencil_by_hand(&work->input, job->mode.devices, &outcome->result, &outcome->bytes,
                               &outcome->times);
    return work->application->run(&work->input, &outcome->result, &outcome->bytes, &outcome->times);
}

static struct outcome execute_or_fail(const struct application_job *job)
{
    struct outcome outcome = {0};
    struct partition_settings settings = job->way == APPLICATION_PARTITIONED
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
        .way = APPLICATION_ORIGINAL, .work = work, .mode.devices = 1};
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

static struct application_sample *new_sample(struct application_job *job)
{
    if (job->count == job->capacity) {
        job->capacity = job->capacity ? 2 * job->capacity : 16;
        job->samples = realloc(job->samples, job->capacity * sizeof *job->samples);
        if (!job->samples)
            fail("no host memory for %zu samples: choose fewer with -n", job->capacity);
    }
    job->samples[job->count] = (struct application_sample){0};
    return &job->samples[job->count++];
}

double application_job_sample(void *context)
{
    struct application_job *job = context;
    struct application_sample *sample = new_sample(job);
    partition_statistics_reset();
    struct outcome outcome = execute_or_fail(job);
    sample->times = outcome.times;
    if (job->way == APPLICATION_PARTITIONED) {
        partition_statistics(&sample->statistics);
        snprintf(job->note, sizeof job->note, "%s", partition_last_reason());
    }
    if (job->check)
        compare(job->work, &outcome, sample);
    free(outcome.result);
    return sample->times.total_s;
}

void application_job_free(struct application_job *job)
{
    free(job->samples);
}

bool application_job_may_differ(const struct application_job *job)
{
    if (job->way != APPLICATION_PARTITIONED)
        return false;
    return strcmp(job->mode.resolution, "none") == 0 ||
           (strcmp(job->mode.resolution, "last-writer") == 0 &&
            strcmp(job->work->application->name, "refine") == 0);
}
