/* parts.c: parts of a loop on several GPUs.
 *
 *     iterations     0 .......... | .......... | .......... end        parts of equal size
 *     GPU            current        the next one ...
 *
 * A part is a region of its own, with the same arrays and its share of the iterations: what lies in
 * the windows of two parts is copied in to both GPUs, what is copied out belongs to one. In an
 * outer loop the parts meet after each round, when all results of the round are in host memory,
 * from which the next round's input comes. */
#include "parts.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"

struct part {
    struct parts *all;
    int number, device;
    struct dm_region region;
    struct copies_plan *copies;
    struct copies_report report;
    pthread_t thread;
    enum dm_status status; /* of the last run */
    char message[1024];
};

struct parts {
    const struct dm_region *region;
    int count;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int arrived; /* parts that have ended the round */
    long round;  /* that they are in */
    bool failed; /* one has; nobody waits any more */
    struct part part[];
};

/* ---- where parts meet ---- */

/* After a round of a part, on its thread. The first part's is the caller's, and calls the caller's
 * `between` when all are here. */
static void meet(const struct dm_region *region, long round, void *context)
{
    struct part *part = context;
    struct parts *all = part->all;
    (void)region;
    pthread_mutex_lock(&all->mutex);
    all->arrived++;
    pthread_cond_broadcast(&all->changed);
    if (part->number == 0) {
        while (all->arrived < all->count && !all->failed)
            pthread_cond_wait(&all->changed, &all->mutex);
        if (all->region->between && !all->failed)
            all->region->between(all->region, round, all->region->between_context);
        all->arrived = 0;
        all->round++;
        pthread_cond_broadcast(&all->changed);
    }
    while (all->round == round && !all->failed)
        pthread_cond_wait(&all->changed, &all->mutex);
    pthread_mutex_unlock(&all->mutex);
}

static void give_up(struct parts *all)
{
    pthread_mutex_lock(&all->mutex);
    all->failed = true;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->mutex);
}

/* ---- the parts ---- */

int parts_count(const struct dm_region *region, int gpus)
{
    long iterations = region->end - region->begin;
    return iterations < gpus ? (int)iterations : gpus;
}

struct dm_region parts_region(const struct dm_region *region, int gpus, int number)
{
    struct dm_region part = *region;
    long iterations = region->end - region->begin, count = parts_count(region, gpus);
    part.begin = region->begin + iterations * number / count;
    part.end = region->begin + iterations * (number + 1) / count;
    return part;
}

double parts_bound_s(const struct link_rates *links, const struct dm_region *region, int gpus,
                     double kernel_s, long chunk_size)
{
    double bound_s = 0, iterations = (double)(region->end - region->begin);
    if (parts_count(region, gpus) < gpus)
        return NAN;
    for (int p = 0; p < gpus; p++) {
        const struct dm_region part = parts_region(region, gpus, p);
        double share = (double)(part.end - part.begin) / iterations;
        bound_s = fmax(bound_s, link_bound_s(&links[p], &part, share * kernel_s, chunk_size));
    }
    return bound_s;
}

/* ---- open and close ---- */

static enum dm_status check(const struct dm_region *region, int gpus,
                            const struct copies_options *options)
{
    int current, count;
    TRY_CUDA(cudaGetDevice(&current));
    TRY_CUDA(cudaGetDeviceCount(&count));
    if (current + gpus > count)
        return dm_fail(DM_INVALID, "%d GPUs from number %d on: there are %d in all", gpus, current,
                       count);
    if (region->ordered)
        return dm_fail(DM_INVALID,
                       "%s: iterations need results of earlier ones: they cannot be divided among "
                       "%d GPUs",
                       region->name, gpus);
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].split == DM_REGION_WHOLE &&
            region->arrays[a].direction & DM_REGION_FROM)
            return dm_fail(DM_INVALID,
                           "%s: array %s is copied out as a whole, of which each of %d GPUs would "
                           "have another one",
                           region->name, region->arrays[a].name, gpus);
    if (options->graph && region->rounds > 1)
        return dm_fail(DM_INVALID,
                       "%s: a graph has all of its %ld rounds, after each of which %d GPUs meet",
                       region->name, region->rounds, gpus);
    return DM_OK;
}

static enum dm_status open_part(struct parts *all, int number, int device,
                                const struct copies_options *options)
{
    struct part *part = &all->part[number];
    part->all = all;
    part->number = number;
    part->device = device;
    part->region = parts_region(all->region, all->count, number);
    if (part->region.rounds > 1) {
        part->region.between = meet;
        part->region.between_context = part;
    }
    TRY_CUDA(cudaSetDevice(device));
    enum dm_status status = copies_open(&part->copies, COPIES_RINGS, &part->region, options);
    return status == DM_OK ? DM_OK : error_within(status, "GPU %d", device);
}

static enum dm_status open_all(struct parts *all, const struct copies_options *options)
{
    int current;
    enum dm_status status = DM_OK;
    TRY_CUDA(cudaGetDevice(&current));
    for (int p = 0; p < all->count && status == DM_OK; p++)
        status = open_part(all, p, current + p, options);
    cudaSetDevice(current);
    return status;
}

enum dm_status parts_open(struct parts **parts, const struct dm_region *region, int gpus,
                          const struct copies_options *options)
{
    *parts = NULL;
    TRY(dm_region_check(region));
    TRY(check(region, gpus, options));
    int count = parts_count(region, gpus);
    size_t bytes = sizeof **parts + (size_t)count * sizeof(struct part);
    struct parts *all = calloc(1, bytes);
    if (!all)
        return error_no_memory(bytes);
    all->region = region;
    all->count = count;
    pthread_mutex_init(&all->mutex, NULL);
    pthread_cond_init(&all->changed, NULL);
    enum dm_status status = open_all(all, options);
    if (status == DM_OK)
        *parts = all;
    else
        parts_close(all);
    return status;
}

void parts_close(struct parts *parts)
{
    if (!parts)
        return;
    for (int p = 0; p < parts->count; p++)
        copies_close(parts->part[p].copies);
    pthread_cond_destroy(&parts->changed);
    pthread_mutex_destroy(&parts->mutex);
    free(parts);
}

/* ---- run ---- */

static void run_part(struct part *part)
{
    part->status = copies_run(part->copies, &part->report);
    if (part->status == DM_OK)
        return;
    snprintf(part->message, sizeof part->message, "%s", dm_message());
    give_up(part->all);
}

static void *run_on_thread(void *context)
{
    struct part *part = context;
    part->status = status_of_cuda(cudaSetDevice(part->device));
    if (part->status == DM_OK) {
        run_part(part);
    } else {
        snprintf(part->message, sizeof part->message, "%s", dm_message());
        give_up(part->all);
    }
    return NULL;
}

/* Of all parts that were started. A part that could not be is one that failed. */
static enum dm_status run_all(struct parts *all)
{
    int started = 1;
    while (started < all->count && pthread_create(&all->part[started].thread, NULL, run_on_thread,
                                                  &all->part[started]) == 0)
        started++;
    if (started < all->count) {
        snprintf(all->part[started].message, sizeof all->part[started].message,
                 "no thread could be started for it");
        all->part[started].status = DM_FAILED;
        give_up(all);
    }
    run_part(&all->part[0]);
    for (int p = 1; p < started; p++)
        pthread_join(all->part[p].thread, NULL);
    for (int p = 0; p < all->count; p++)
        if (all->part[p].status != DM_OK)
            return dm_fail(all->part[p].status, "GPU %d: %s", all->part[p].device,
                           all->part[p].message);
    return DM_OK;
}

static void add(struct copies_report *sum, const struct copies_report *report)
{
    sum->chunks += report->chunks;
    sum->device_bytes += report->device_bytes;
    sum->bytes_to_device += report->bytes_to_device;
    sum->bytes_from_device += report->bytes_from_device;
    sum->copies += report->copies;
    sum->api_calls += report->api_calls;
    sum->host_cpu_s += report->host_cpu_s;
}

enum dm_status parts_run(struct parts *parts, struct copies_report *report)
{
    double start_s = clock_now_s();
    parts->arrived = 0;
    parts->round = 0;
    parts->failed = false;
    for (int p = 0; p < parts->count; p++)
        parts->part[p].status = DM_OK;
    TRY(run_all(parts));
    *report = parts->part[0].report;
    report->time_s = clock_now_s() - start_s;
    for (int p = 1; p < parts->count; p++)
        add(report, &parts->part[p].report);
    return DM_OK;
}
