#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"

#include "common/regions/copies_plan.h"

const char *const copies_version_names[COPIES_VERSIONS] = {"naive", "pipeline", "framework"};

static const struct copies_method *const methods[COPIES_VERSIONS] = {&copies_naive, &copies_streams,
                                                                     &copies_rings};

enum dm_status copies_check_options(const struct copies_options *options)
{
    if (options->chunk_size < 1)
        return dm_fail(DM_INVALID, "a chunk size of %ld iterations, at least 1 is needed",
                       options->chunk_size);
    if (options->streams < 1 || options->streams > COPIES_STREAMS_MAX)
        return dm_fail(DM_INVALID, "%d streams, 1 to %d are possible", options->streams,
                       COPIES_STREAMS_MAX);
    return DM_OK;
}

/* ---- memory ---- */

static enum dm_status lacks_memory(const struct copies_plan *plan, size_t needed, size_t budget)
{
    const char *version = copies_version_names[plan->version], *name = plan->region->name;
    const char *what = plan->version == COPIES_RINGS ? "at least" : "for whole arrays";
    size_t available, total;
    if (budget && budget < needed)
        return dm_fail(DM_NO_MEMORY,
                       "%s: %s needs %zu bytes of device memory %s, the budget is %zu", name,
                       version, needed, what, budget);
    TRY_CUDA(cudaMemGetInfo(&available, &total));
    return dm_fail(DM_NO_MEMORY, "%s: %s needs %zu bytes of device memory %s, %zu are free", name,
                   version, needed, what, available);
}

/* The arrays as a whole: as many slots as slices. */
static enum dm_status take_whole_arrays(struct copies_plan *plan,
                                        const struct copies_options *options)
{
    size_t needed = 0;
    bool chunked = plan->version == COPIES_STREAMS;
    plan->streams = chunked ? options->streams : 1;
    plan->schedule =
        copies_schedule_make(plan->region, chunked ? options->chunk_size : LONG_MAX, plan->streams);
    for (int a = 0; a < plan->region->array_count; a++) {
        plan->schedule.rings[a].capacity = plan->region->arrays[a].slices;
        needed += copies_buffer_bytes(&plan->region->arrays[a], plan->region->arrays[a].slices);
    }
    if (options->budget_bytes && needed > options->budget_bytes)
        return lacks_memory(plan, needed, options->budget_bytes);
    enum dm_status status = copies_buffers_allocate(plan);
    return status == DM_NO_MEMORY ? lacks_memory(plan, needed, options->budget_bytes) : status;
}

/* Rings, smaller ones as long as the device does not have the memory. */
static enum dm_status take_rings(struct copies_plan *plan, const struct copies_options *options)
{
    const struct dm_region *region = plan->region;
    size_t limit = options->budget_bytes ? options->budget_bytes : SIZE_MAX;
    long chunk_size = chunks_make(region, options->chunk_size).size;
    plan->streams = options->streams;
    while (copies_fit(region, limit, &chunk_size, &plan->streams)) {
        plan->schedule = copies_schedule_make(region, chunk_size, plan->streams);
        enum dm_status status = copies_buffers_allocate(plan);
        if (status != DM_OK && status != DM_NO_MEMORY)
            return status;
        if (status == DM_OK) {
            if (!options->budget_bytes || plan->device_bytes <= options->budget_bytes)
                return DM_OK;
            copies_buffers_release(plan);
        }
        limit = copies_ring_bytes(region, chunk_size, plan->streams) - 1;
    }
    return lacks_memory(plan, copies_minimum_bytes(region), options->budget_bytes);
}

/* ---- life of a plan ---- */

static enum dm_status open_plan(struct copies_plan *plan, const struct copies_options *options)
{
    bool rings = plan->version == COPIES_RINGS;
    TRY(rings ? take_rings(plan, options) : take_whole_arrays(plan, options));
    int count = !rings ? plan->streams : plan->streams > 1 ? 4 : 3;
    while (plan->stream_count < count) {
        TRY_CUDA(
            cudaStreamCreateWithFlags(&plan->stream[plan->stream_count], cudaStreamNonBlocking));
        plan->stream_count++;
    }
    const unsigned asleep = cudaEventBlockingSync | cudaEventDisableTiming;
    TRY_CUDA(cudaEventCreateWithFlags(&plan->finished, asleep));
    TRY_CUDA(cudaEventCreateWithFlags(&plan->nearly, asleep));
    TRY_CUDA(cudaEventCreateWithFlags(&plan->watched, cudaEventDisableTiming));
    TRY(plan->method->prepare(plan));
    return options->graph ? copies_graph_make(plan) : DM_OK;
}

enum dm_status copies_open(struct copies_plan **plan, enum copies_version version,
                           const struct dm_region *region, const struct copies_options *options)
{
    *plan = NULL;
    TRY(dm_region_check(region));
    TRY(copies_check_options(options));
    struct copies_plan *opened = calloc(1, sizeof *opened);
    if (!opened)
        return error_no_memory(sizeof *opened);
    opened->version = version;
    opened->method = methods[version];
    opened->region = region;
    opened->trace = options->trace;
    enum dm_status status = open_plan(opened, options);
    if (status == DM_OK)
        *plan = opened;
    else
        copies_close(opened);
    return status;
}

static double cpu_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum dm_status execute(struct copies_plan *plan, struct copies_report *report)
{
    double start_s = clock_now_s(), cpu_start_s = cpu_now_s();
    TRY(copies_trace_start(plan));
    TRY(plan->graph ? copies_graph_execute(plan) : plan->method->execute(plan));
    report->time_s = clock_now_s() - start_s;
    report->host_cpu_s = cpu_now_s() - cpu_start_s;
    TRY(copies_trace_finish(plan));
    return plan->method->phases ? plan->method->phases(plan) : DM_OK;
}

void copies_drain(const struct copies_plan *plan)
{
    for (int s = 0; s < plan->stream_count; s++)
        cudaStreamSynchronize(plan->stream[s]);
    cudaGetLastError();
}

enum dm_status copies_run(struct copies_plan *plan, struct copies_report *report)
{
    *report = (struct copies_report){.chunk_size = plan->schedule.chunks.size,
                                     .streams = plan->streams,
                                     .chunks = plan->schedule.chunks.count,
                                     .device_bytes = plan->device_bytes,
                                     .to_device_s = NAN,
                                     .kernel_s = NAN,
                                     .from_device_s = NAN};
    plan->report = report;
    plan->awake = false;
    enum dm_status status = execute(plan, report);
    if (status != DM_OK)
        copies_drain(plan);
    plan->report = NULL;
    return status;
}

void copies_close(struct copies_plan *plan)
{
    if (!plan)
        return;
    copies_graph_release(plan);
    plan->method->release(plan);
    copies_trace_forget(plan);
    const cudaEvent_t events[] = {plan->finished, plan->nearly, plan->watched};
    for (size_t e = 0; e < sizeof events / sizeof *events; e++)
        if (events[e])
            cudaEventDestroy(events[e]);
    for (int s = 0; s < plan->stream_count; s++)
        cudaStreamDestroy(plan->stream[s]);
    copies_buffers_release(plan);
    free(plan);
}
