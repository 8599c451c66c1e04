#include "pricing.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"

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
        TRY(pricing_progress_now());
    }
    return DM_OK;
}

/* ---- requests ---- */

enum dm_status pricing_open(struct pricing_job *job)
{
    size_t count = (size_t)(job->left > 0 ? job->left : 1);
    size_t bytes = count * (sizeof *job->request + sizeof *job->request_sums);
    job->request = malloc(bytes);
    if (!job->request)
        return error_no_memory(bytes);
    job->request_sums = (struct asian_sums *)(job->request + count);
    if (job->way == PRICING_BOSS)
        return tasks_mpi.create(&job->boss, job->left, NULL, 0);
    return tasks_counter_open(&job->counter, true);
}

void pricing_close(struct pricing_job *job)
{
    if (job->way == PRICING_BOSS)
        tasks_mpi.destroy(job->boss);
    else
        tasks_counter_close(&job->counter);
    free(job->request);
}

enum dm_status pricing_reset(struct pricing_job *job)
{
    size_t count = (size_t)job->portfolio->count;
    memset(job->priced, 0, count * sizeof *job->priced);
    job->account = (struct pricing_account){0};
    TRY(pricing_sizes_start(&job->sizes));
    if (job->way == PRICING_BOSS)
        TRY(tasks_mpi.start(job->boss));
    else if (caf_this_image() == 1)
        TRY(tasks_counter_reset(&job->counter));
    return caf_sync_all();
}

/* What images request beyond the end may bring the counter beyond 2^31. */
static enum dm_status take_from_counter(struct pricing_job *job, int count, int *first)
{
    uint32_t number;
    TRY(tasks_counter_add(&job->counter, count, &number));
    *first = number < (uint32_t)job->left ? (int)number : -1;
    return DM_OK;
}

/* *first is the index of the first of `count` options that now are this image's, or -1: none is
 * left. */
static enum dm_status take(struct pricing_job *job, int count, int *first)
{
    uint64_t no_input;
    double start_s = clock_now_s();
    if (job->way == PRICING_BOSS)
        TRY(tasks_mpi.next(job->boss, &no_input, first));
    else
        TRY(take_from_counter(job, count, first));
    job->account.communication_s += clock_now_s() - start_s;
    job->account.requests++;
    return DM_OK;
}

/* ---- a run ---- */

static enum dm_status keep_results(struct pricing_job *job, int first, int count)
{
    for (int i = 0; i < count; i++) {
        int option = job->list[first + i];
        job->sums[option] = job->request_sums[i];
        job->priced[option]++;
        if (job->log)
            TRY(pricing_log_append(job->log, option, &job->sums[option]));
    }
    return DM_OK;
}

/* One option per thread leaves threads without work if there are fewer options. */
static enum dm_status price(struct pricing_job *job, int first, int count)
{
    bool many = job->sizes.many > 0 && count >= job->device.threads;
    /* What has been priced is logged at once, so that little is lost when a run is killed. */
    int part = many || job->device.gpu ? count : 1;
    for (int i = 0; i < count; i += part) {
        for (int k = 0; k < part; k++)
            job->request[k] = job->portfolio->options[job->list[first + i + k]];
        TRY(pricing_compute(&job->device, &job->portfolio->simulation, job->request, part, many,
                            job->request_sums));
        TRY(keep_results(job, first + i, part));
    }
    return DM_OK;
}

static enum dm_status work(struct pricing_job *job)
{
    for (;;) {
        int wanted = pricing_sizes_next(&job->sizes), first;
        TRY(take(job, wanted, &first));
        if (first < 0)
            return DM_OK;
        int count = wanted < job->left - first ? wanted : job->left - first;
        pricing_sizes_taken(&job->sizes, first, count);
        double start_s = clock_now_s();
        TRY(price(job, first, count));
        TRY(pricing_sizes_priced(&job->sizes, count, clock_now_s() - start_s,
                                 &job->account.communication_s));
    }
}

enum dm_status pricing_run(struct pricing_job *job)
{
    double start_s = clock_now_s();
    TRY(work(job));
    double ready_s = clock_now_s();
    TRY(caf_sync_all());
    job->account.busy_s = ready_s - start_s;
    job->account.wait_s = clock_now_s() - ready_s;
    return job->way == PRICING_BOSS ? tasks_mpi.finish(job->boss) : DM_OK;
}
