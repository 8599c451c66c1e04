#include "pricing.h"

#include <stdlib.h>
#include <string.h>

#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/error.h"
#include "common/harness/exit.h"

#include "pricing_progress.h"
#include "tasks.h"

enum dm_status pricing_compute(const struct pricing_device *device,
                               const struct asian_simulation *simulation,
                               const struct asian_option *options, int count, bool many,
                               struct asian_sums *sums)
{
    if (device->gpu)
        return asian_device_mt(device->gpu, options, (size_t)count, sums);
    if (many) {
        asian_host_mo(simulation, options, (size_t)count, device->threads, sums);
        return DM_OK;
    }
    for (int i = 0; i < count; i++) {
        TRY(asian_host_mt(simulation, &options[i], 1, device->threads, &sums[i], NULL));
        pricing_progress_now();
    }
    return DM_OK;
}

/* ---- requests ---- */

void pricing_open(struct pricing_job *job)
{
    size_t count = (size_t)(job->left > 0 ? job->left : 1);
    job->request = allocate_or_fail(count, sizeof *job->request);
    job->request_sums = allocate_or_fail(count, sizeof *job->request_sums);
    if (job->way == PRICING_BOSS)
        job->boss = tasks_mpi.create(job->left, NULL, 0);
    else
        check_status(tasks_counter_open(&job->counter, true));
}

void pricing_close(struct pricing_job *job)
{
    if (job->way == PRICING_BOSS)
        tasks_mpi.destroy(job->boss);
    else
        tasks_counter_close(&job->counter);
    free(job->request);
    free(job->request_sums);
}

void pricing_reset(struct pricing_job *job)
{
    size_t count = (size_t)job->portfolio->count;
    memset(job->priced, 0, count * sizeof *job->priced);
    job->account = (struct pricing_account){0};
    pricing_sizes_start(&job->sizes);
    if (job->way == PRICING_BOSS)
        tasks_mpi.start(job->boss);
    else if (caf_this_image() == 1)
        check_status(tasks_counter_reset(&job->counter));
    check_caf(caf_sync_all());
}

static int take_from_boss(struct pricing_job *job)
{
    uint64_t no_input;
    return tasks_mpi.next(job->boss, &no_input);
}

/* Requests beyond the end may take the counter beyond 2^31. */
static int take_from_counter(struct pricing_job *job, int count)
{
    uint32_t first;
    check_status(tasks_counter_add(&job->counter, count, &first));
    return first < (uint32_t)job->left ? (int)first : -1;
}

/* Index of the first of `count` options that now are this image's, or -1: none is left. */
static int take(struct pricing_job *job, int count)
{
    double start_s = clock_now_s();
    int first = job->way == PRICING_BOSS ? take_from_boss(job) : take_from_counter(job, count);
    job->account.communication_s += clock_now_s() - start_s;
    job->account.requests++;
    return first;
}

/* ---- a run ---- */

static void keep_results(struct pricing_job *job, int first, int count)
{
    for (int i = 0; i < count; i++) {
        int option = job->list[first + i];
        job->sums[option] = job->request_sums[i];
        job->priced[option]++;
        if (job->log)
            check_status(pricing_log_append(job->log, option, &job->sums[option]));
    }
}

/* One option per thread leaves threads without work if there are fewer options. */
static void price(struct pricing_job *job, int first, int count)
{
    bool many = job->sizes.many > 0 && count >= job->device.threads;
    /* What has been priced is logged at once, so that little is lost when a run is killed. */
    int part = many || job->device.gpu ? count : 1;
    for (int i = 0; i < count; i += part) {
        for (int k = 0; k < part; k++)
            job->request[k] = job->portfolio->options[job->list[first + i + k]];
        check_status(pricing_compute(&job->device, &job->portfolio->simulation, job->request, part,
                                     many, job->request_sums));
        keep_results(job, first + i, part);
    }
}

static void work(struct pricing_job *job)
{
    for (;;) {
        int wanted = pricing_sizes_next(&job->sizes);
        int first = take(job, wanted);
        if (first < 0)
            return;
        int count = wanted < job->left - first ? wanted : job->left - first;
        pricing_sizes_taken(&job->sizes, first, count);
        double start_s = clock_now_s();
        price(job, first, count);
        job->account.communication_s +=
            pricing_sizes_priced(&job->sizes, count, clock_now_s() - start_s);
    }
}

void pricing_run(struct pricing_job *job)
{
    double start_s = clock_now_s();
    work(job);
    double ready_s = clock_now_s();
    check_caf(caf_sync_all());
    job->account.busy_s = ready_s - start_s;
    job->account.wait_s = clock_now_s() - ready_s;
    if (job->way == PRICING_BOSS)
        tasks_mpi.finish(job->boss);
}
