#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/exit.h"

#include "pipeline_plan.h"

const char *const pipeline_version_names[PIPELINE_VERSIONS] = {"naive", "pipeline", "framework"};

static const struct pipeline_method *const methods[PIPELINE_VERSIONS] = {
    &pipeline_naive, &pipeline_streams, &pipeline_framework};

static _Thread_local char text[300];

static const char *say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

const char *pipeline_options_complaint(const struct pipeline_options *options)
{
    if (options->chunk_size < 1)
        return say("a chunk size of %ld iterations, at least 1 is needed", options->chunk_size);
    if (options->streams < 1 || options->streams > PIPELINE_STREAMS_MAX)
        return say("%d streams, 1 to %d are possible", options->streams, PIPELINE_STREAMS_MAX);
    return NULL;
}

/* ---- memory ---- */

static size_t free_bytes(void)
{
    size_t available, total;
    check_cuda(cudaMemGetInfo(&available, &total));
    return available;
}

static const char *memory_complaint(const struct pipeline_plan *plan, size_t needed, size_t budget)
{
    const char *version = pipeline_version_names[plan->version];
    const char *what = plan->version == PIPELINE_FRAMEWORK ? "at least" : "for whole arrays";
    if (budget && budget < needed)
        return say("%s: %s needs %zu bytes of device memory %s, the budget is %zu",
                   plan->region->name, version, needed, what, budget);
    return say("%s: %s needs %zu bytes of device memory %s, %zu are free", plan->region->name,
               version, needed, what, free_bytes());
}

/* The arrays as a whole: as many slots as slices. */
static bool take_whole_arrays(struct pipeline_plan *plan, const struct pipeline_options *options,
                              const char **complaint)
{
    size_t needed = 0;
    bool chunked = plan->version == PIPELINE_STREAMS;
    plan->streams = chunked ? options->streams : 1;
    plan->schedule = pipeline_schedule_make(plan->region, chunked ? options->chunk_size : LONG_MAX,
                                            plan->streams);
    for (int a = 0; a < plan->region->array_count; a++) {
        plan->schedule.rings[a].capacity = plan->region->arrays[a].slices;
        needed += pipeline_buffer_bytes(&plan->region->arrays[a], plan->region->arrays[a].slices);
    }
    if ((!options->budget_bytes || needed <= options->budget_bytes) &&
        pipeline_buffers_allocate(plan))
        return true;
    *complaint = memory_complaint(plan, needed, options->budget_bytes);
    return false;
}

/* Rings, smaller ones as long as the device has not got the memory. */
static bool take_rings(struct pipeline_plan *plan, const struct pipeline_options *options,
                       const char **complaint)
{
    const struct dm_region *region = plan->region;
    size_t limit = options->budget_bytes ? options->budget_bytes : SIZE_MAX;
    long chunk_size = chunks_make(region, options->chunk_size).size;
    plan->streams = options->streams;
    while (pipeline_fit(region, limit, &chunk_size, &plan->streams)) {
        plan->schedule = pipeline_schedule_make(region, chunk_size, plan->streams);
        if (pipeline_buffers_allocate(plan)) {
            if (!options->budget_bytes || plan->device_bytes <= options->budget_bytes)
                return true;
            pipeline_buffers_release(plan);
        }
        limit = pipeline_ring_bytes(region, chunk_size, plan->streams) - 1;
    }
    *complaint = memory_complaint(plan, pipeline_least_bytes(region), options->budget_bytes);
    return false;
}

/* ---- life of a plan ---- */

struct pipeline_plan *pipeline_open(enum pipeline_version version, const struct dm_region *region,
                                    const struct pipeline_options *options, const char **complaint)
{
    *complaint = dm_region_check(region) != DM_OK ? dm_message() : NULL;
    if (!*complaint)
        *complaint = pipeline_options_complaint(options);
    if (*complaint)
        return NULL;
    struct pipeline_plan *plan = allocate_or_fail(1, sizeof *plan);
    plan->version = version;
    plan->method = methods[version];
    plan->region = region;
    plan->trace = options->trace;
    if (!(version == PIPELINE_FRAMEWORK ? take_rings(plan, options, complaint)
                                        : take_whole_arrays(plan, options, complaint))) {
        free(plan);
        return NULL;
    }
    plan->stream_count = version != PIPELINE_FRAMEWORK ? plan->streams : plan->streams > 1 ? 4 : 3;
    for (int s = 0; s < plan->stream_count; s++)
        check_cuda(cudaStreamCreateWithFlags(&plan->stream[s], cudaStreamNonBlocking));
    check_cuda(
        cudaEventCreateWithFlags(&plan->finished, cudaEventBlockingSync | cudaEventDisableTiming));
    plan->method->prepare(plan);
    return plan;
}

static double cpu_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void pipeline_run(struct pipeline_plan *plan, struct pipeline_report *report)
{
    *report = (struct pipeline_report){.chunk_size = plan->schedule.chunks.size,
                                       .streams = plan->streams,
                                       .chunks = plan->schedule.chunks.count,
                                       .device_bytes = plan->device_bytes,
                                       .to_device_s = NAN,
                                       .kernel_s = NAN,
                                       .from_device_s = NAN};
    plan->report = report;
    double start_s = clock_now_s(), cpu_start_s = cpu_now_s();
    pipeline_trace_start(plan);
    plan->method->execute(plan);
    report->time_s = clock_now_s() - start_s;
    report->host_cpu_s = cpu_now_s() - cpu_start_s;
    pipeline_trace_finish(plan);
    if (plan->method->phases)
        plan->method->phases(plan);
    plan->report = NULL;
}

void pipeline_close(struct pipeline_plan *plan)
{
    if (!plan)
        return;
    plan->method->release(plan);
    pipeline_trace_forget(plan);
    check_cuda(cudaEventDestroy(plan->finished));
    for (int s = 0; s < plan->stream_count; s++)
        check_cuda(cudaStreamDestroy(plan->stream[s]));
    pipeline_buffers_release(plan);
    free(plan);
}
