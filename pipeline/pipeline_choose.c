#include "pipeline_choose.h"

#include <math.h>

#include "common/harness/exit.h"

#include "pipeline_model.h"
#include "common/regions/copies_plan.h"

/* ---- samples ---- */

static double seconds_between(cudaEvent_t start, cudaEvent_t end)
{
    float milliseconds;
    check_cuda(cudaEventSynchronize(end));
    check_cuda(cudaEventElapsedTime(&milliseconds, start, end));
    return 1e-3 * milliseconds;
}

/* Host memory of arrays split by columns, copied to their place on the device. Results, too: a
 * copy out is taken to need the time of a copy in, as results must not be written here. */
static void copy_columns(const struct copies_plan *plan, enum dm_region_direction direction)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        struct chunk_range slices = chunk_window(&plan->schedule.chunks, array, 0);
        if (array->split != DM_REGION_COLUMNS || !(array->direction & direction))
            continue;
        size_t width = (size_t)(chunk_iterations(&plan->schedule.chunks, 0).end -
                                chunk_iterations(&plan->schedule.chunks, 0).first) *
                       array->slice_bytes;
        check_cuda(cudaMemcpy2DAsync(
            plan->buffers[a].device, plan->buffers[a].pitch_bytes,
            (const char *)array->host + (size_t)slices.first * array->slice_bytes,
            array->pitch_bytes, width, array->rows, cudaMemcpyHostToDevice, plan->stream[0]));
    }
}

struct stopwatch {
    cudaEvent_t start, end;
};

static double time_columns(const struct copies_plan *plan, const struct stopwatch *watch,
                           enum dm_region_direction direction)
{
    check_cuda(cudaEventRecord(watch->start, plan->stream[0]));
    copy_columns(plan, direction);
    check_cuda(cudaEventRecord(watch->end, plan->stream[0]));
    return seconds_between(watch->start, watch->end);
}

/* The kernels of the chunks that are on the device, twice each, on streams as in a run: small ones
 * of two chunks run side by side if they may. Time per chunk. */
static double time_kernels(struct copies_plan *plan, const struct stopwatch *watch)
{
    enum { TIMES = 2 };
    int streams = plan->schedule.chunks.chained ? 1 : plan->streams;
    check_cuda(cudaEventRecord(watch->start, plan->stream[0]));
    for (int s = 1; s < streams; s++)
        check_cuda(cudaStreamWaitEvent(plan->stream[s], watch->start, 0));
    for (int i = 0; i < TIMES * plan->streams; i++) {
        struct copies_task task = copies_task(plan, i % plan->streams);
        task.stream = i % streams;
        check_status(copies_issue_kernels(plan, &task));
    }
    for (int s = 1; s < streams; s++) {
        check_cuda(cudaEventRecord(watch->end, plan->stream[s]));
        check_cuda(cudaStreamWaitEvent(plan->stream[0], watch->end, 0));
    }
    check_cuda(cudaEventRecord(watch->end, plan->stream[0]));
    return seconds_between(watch->start, watch->end) / (TIMES * plan->streams);
}

/* The first chunks of a plan, by themselves: the shorter of two times, as a kernel's first launch
 * also loads it. */
static struct pipeline_sample measure_chunk(struct copies_plan *plan)
{
    struct copies_report report = {0};
    struct stopwatch watch;
    struct pipeline_sample sample = {plan->schedule.chunks.size, INFINITY, INFINITY, INFINITY};
    plan->report = &report;
    check_cuda(cudaEventCreate(&watch.start));
    check_cuda(cudaEventCreate(&watch.end));
    for (int i = 0; i < 2; i++) {
        sample.columns_out_s =
            fmin(sample.columns_out_s, time_columns(plan, &watch, DM_REGION_FROM));
        sample.columns_in_s = fmin(sample.columns_in_s, time_columns(plan, &watch, DM_REGION_TO));
    }
    for (int i = 0; i < plan->streams; i++) {
        struct copies_task task = copies_task(plan, i);
        task.stream = 0;
        check_status(copies_issue_copies(plan, &task, COPIES_IN));
    }
    for (int i = 0; i < 2; i++)
        sample.kernel_s = fmin(sample.kernel_s, time_kernels(plan, &watch));
    check_cuda(cudaEventDestroy(watch.start));
    check_cuda(cudaEventDestroy(watch.end));
    plan->report = NULL;
    return sample;
}

/* Chunks of 1, 4, 16, ... iterations, up to a quarter of the loop, as long as they fit. */
static bool take_samples(struct pipeline_model *model, size_t budget, const char **complaint)
{
    struct dm_region once = *model->region;
    long iterations = once.end - once.begin;
    once.rounds = 1;
    once.between = NULL;
    for (long size = 1; model->count < PIPELINE_SAMPLES; size *= 4) {
        if (size > 1 && size > iterations / 4)
            break;
        struct copies_options options = {size, size < iterations ? 2 : 1, budget, NULL};
        struct copies_plan *plan;
        if (copies_open(&plan, COPIES_RINGS, &once, &options) != DM_OK) {
            *complaint = dm_message();
            return false;
        }
        bool full = plan->schedule.chunks.size == size;
        if (full)
            model->samples[model->count++] = measure_chunk(plan);
        copies_close(plan);
        if (!full)
            break;
    }
    return true;
}

/* ---- the choice ---- */

enum { STREAMS_MOST = 8 };

/* More memory must be worth it. */
static const double least_gain = 1e-3;

static long next_chunk_size(long size)
{
    return size + (size < 4 ? 1 : size / 4);
}

/* Looks at all numbers of streams and at chunk sizes by steps of a quarter, as far as they fit;
 * fewer streams and smaller chunks, which take less memory, first. */
static struct pipeline_choice best_within(const struct pipeline_model *model, size_t bytes)
{
    struct pipeline_choice best = {.predicted_s = INFINITY};
    long iterations = model->region->end - model->region->begin;
    for (int streams = 1; streams <= STREAMS_MOST; streams++)
        for (long size = 1; size <= iterations; size = next_chunk_size(size)) {
            if (copies_ring_bytes(model->region, size, streams) > bytes)
                break;
            double predicted_s = pipeline_model_round_s(model, size, streams);
            if (predicted_s < (1 - least_gain) * best.predicted_s)
                best = (struct pipeline_choice){size, streams, 0, predicted_s};
        }
    best.kernel_s = pipeline_model_kernel_s(model, best.chunk_size);
    return best;
}

/* What is free, but no less than the sample of one iteration had. */
static size_t available_bytes(const struct dm_region *region, size_t budget)
{
    size_t available, total, least = copies_minimum_bytes(region);
    if (budget)
        return budget;
    check_cuda(cudaMemGetInfo(&available, &total));
    return available > least ? available : least;
}

bool pipeline_choose(const struct dm_region *region, const struct link_rates *link,
                     const struct copies_options *options, struct pipeline_choice *choice,
                     const char **complaint)
{
    struct pipeline_model model = {.region = region, .link = link};
    if (!take_samples(&model, options->budget_bytes, complaint))
        return false;
    *choice = best_within(&model, available_bytes(region, options->budget_bytes));
    return true;
}
