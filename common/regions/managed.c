#include "managed.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "common/memory.h"
#include "common/migration.h"

#include "copies_plan.h"
#include "managed_limit.h"
#include "managed_plan.h"

enum { PAGE_BYTES = 4096 };

/* ---- open and close ---- */

static enum dm_status check_memory(const struct dm_region *region)
{
    for (int a = 0; a < region->array_count; a++) {
        struct cudaPointerAttributes attributes;
        if (region->arrays[a].direction == DM_REGION_SCRATCH)
            continue;
        TRY_CUDA(cudaPointerGetAttributes(&attributes, region->arrays[a].host));
        if (attributes.type != cudaMemoryTypeManaged)
            return dm_fail(DM_INVALID, "%s: array %s is not managed memory", region->name,
                           region->arrays[a].name);
    }
    return DM_OK;
}

static enum dm_status make_streams(struct managed_plan *plan)
{
    for (int s = 0; s < plan->streams + plan->ahead; s++)
        TRY_CUDA(cudaStreamCreateWithFlags(&plan->stream[s], cudaStreamNonBlocking));
    for (int s = 0; s < plan->streams; s++) {
        TRY_CUDA(cudaEventCreateWithFlags(&plan->arrived[s], cudaEventDisableTiming));
        TRY_CUDA(cudaEventCreateWithFlags(&plan->computed[s], cudaEventDisableTiming));
    }
    return DM_OK;
}

static enum dm_status make_marks(struct managed_plan *plan)
{
    if (!plan->config.phases)
        return DM_OK;
    plan->mark_count = plan->region->rounds * plan->chunks.count * MANAGED_MARKS;
    return copies_events_create(&plan->marks, plan->mark_count, true);
}

/* Scratch arrays are managed, too, so that they may be more than the device holds. */
static enum dm_status make_scratch(struct managed_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (array->direction == DM_REGION_SCRATCH)
            TRY(memory_obtain(MEMORY_MANAGED, (size_t)array->slices * dm_region_slice_size(array),
                              &plan->scratch[a]));
    }
    return DM_OK;
}

static enum dm_status fill_plan(struct managed_plan *plan)
{
    TRY_CUDA(cudaGetDevice(&plan->device));
    TRY(make_streams(plan));
    TRY(make_marks(plan));
    return make_scratch(plan);
}

enum dm_status managed_plan_open(struct managed_plan **plan, const struct dm_region *region,
                                 const struct managed_config *config)
{
    *plan = NULL;
    TRY(dm_region_check(region));
    TRY(copies_check_options(
        &(struct copies_options){.chunk_size = config->chunk_size, .streams = config->streams}));
    if (config->phases && (config->streams > 1 || config->ahead))
        return dm_fail(DM_INVALID, "%s: phases are those of one stream", region->name);
    TRY(check_memory(region));
    TRY(managed_check_limit(dm_region_footprint(region), config->oversubscribe));
    struct managed_plan *opened = malloc(sizeof *opened);
    if (!opened)
        return error_no_memory(sizeof *opened);
    *opened = (struct managed_plan){.region = region,
                                    .config = *config,
                                    .chunks = chunks_make(region, config->chunk_size),
                                    .ahead = config->ahead,
                                    .streams = config->streams};
    const enum dm_status status = fill_plan(opened);
    if (status != DM_OK) {
        managed_plan_close(opened);
        return status;
    }
    *plan = opened;
    return DM_OK;
}

void managed_plan_close(struct managed_plan *plan)
{
    if (!plan)
        return;
    for (int s = 0; s < plan->streams + plan->ahead; s++)
        if (plan->stream[s])
            cudaStreamDestroy(plan->stream[s]);
    for (int s = 0; s < plan->streams; s++) {
        if (plan->arrived[s])
            cudaEventDestroy(plan->arrived[s]);
        if (plan->computed[s])
            cudaEventDestroy(plan->computed[s]);
    }
    copies_events_release(plan->marks, plan->mark_count);
    for (int a = 0; a < plan->region->array_count; a++)
        memory_give_back(MEMORY_MANAGED, plan->scratch[a]);
    free(plan);
}

/* ---- chunks ---- */

static enum dm_status record(struct managed_plan *plan, cudaEvent_t event, int s)
{
    MANAGED_CALL(plan, cudaEventRecord(event, plan->stream[s]));
    return DM_OK;
}

static enum dm_status wait_for(struct managed_plan *plan, cudaEvent_t event, int s)
{
    MANAGED_CALL(plan, cudaStreamWaitEvent(plan->stream[s], event, 0));
    return DM_OK;
}

/* What precedes the chunk's kernels. A chunk waits for the prefetches of all chunks before it: some
 * of their slices are also its own, and pages that one discards hold results of the next. */
static enum dm_status prepare_chunk(struct managed_plan *plan, long chunk, int s, int previous)
{
    const struct managed_config *config = &plan->config;
    int stream = plan->ahead ? plan->streams : s;

    if (config->prefetch & MANAGED_GPU_PREFETCH)
        TRY(managed_prefetch_inputs(plan, chunk, stream));
    if (config->place)
        TRY(managed_place_results(plan, chunk, stream));
    if (plan->ahead) {
        TRY(record(plan, plan->arrived[s], stream));
        return wait_for(plan, plan->arrived[s], s);
    }
    if (plan->streams == 1 || !((config->prefetch & MANAGED_GPU_PREFETCH) || config->place))
        return DM_OK;
    if (chunk > 0)
        TRY(wait_for(plan, plan->arrived[previous], s));
    return record(plan, plan->arrived[s], s);
}

static enum dm_status launch_chunk(struct managed_plan *plan, long chunk, int s, int previous)
{
    const struct dm_region *region = plan->region;
    struct chunk_range iterations = chunk_iterations(&plan->chunks, chunk);
    struct dm_slices views[DM_REGION_ARRAYS];

    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        bool scratch = array->direction == DM_REGION_SCRATCH,
             columns = array->split == DM_REGION_COLUMNS;
        size_t pitch = scratch ? (size_t)array->slices * array->slice_bytes : array->pitch_bytes;
        views[a] = dm_region_whole_view(array, scratch ? plan->scratch[a] : plan->host[a],
                                        columns ? pitch : 0);
    }
    if (plan->chunks.chained && plan->streams > 1 && chunk > 0)
        TRY(wait_for(plan, plan->computed[previous], s));
    MANAGED_CALL(plan,
                 region->launch(region, views, iterations.first, iterations.end, plan->stream[s]));
    return plan->streams > 1 ? record(plan, plan->computed[s], s) : DM_OK;
}

static enum dm_status mark(struct managed_plan *plan)
{
    if (plan->marks)
        MANAGED_CALL(plan, cudaEventRecord(plan->marks[plan->marked++], plan->stream[0]));
    return DM_OK;
}

static enum dm_status enqueue_round(struct managed_plan *plan)
{
    for (long chunk = 0; chunk < plan->chunks.count; chunk++) {
        int s = (int)(chunk % plan->streams);
        int previous = (int)((chunk + plan->streams - 1) % plan->streams);
        TRY(mark(plan));
        TRY(prepare_chunk(plan, chunk, s, previous));
        TRY(mark(plan));
        TRY(launch_chunk(plan, chunk, s, previous));
        TRY(mark(plan));
        if (plan->config.prefetch & MANAGED_CPU_PREFETCH)
            TRY(managed_prefetch_results(plan, chunk, s));
        TRY(mark(plan));
    }
    return DM_OK;
}

/* ---- rounds ---- */

/* No stream starts the next round before all have finished this one; the host goes on. */
static enum dm_status join_streams(struct managed_plan *plan)
{
    int all = plan->streams + plan->ahead;

    if (all == 1)
        return DM_OK;
    for (int s = 0; s < plan->streams; s++)
        TRY(record(plan, plan->computed[s], s));
    for (int s = 0; s < all; s++)
        for (int other = 0; other < plan->streams; other++)
            if (other != s)
                TRY(wait_for(plan, plan->computed[other], s));
    return DM_OK;
}

static enum dm_status wait_for_streams(struct managed_plan *plan)
{
    for (int s = 0; s < plan->streams + plan->ahead; s++)
        MANAGED_CALL(plan, cudaStreamSynchronize(plan->stream[s]));
    return DM_OK;
}

/* One element per page of each result of the last round. */
static void touch_results(const struct managed_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        const volatile char *bytes = plan->host[a];
        if (array->direction & DM_REGION_FROM)
            for (size_t i = 0; i < managed_host_bytes(array); i += PAGE_BYTES)
                (void)bytes[i];
    }
}

static void call_between(struct managed_plan *plan, long round)
{
    const double start_s = clock_now_s();

    plan->region->between(plan->region, round, plan->region->between_context);
    plan->report->between_s += clock_now_s() - start_s;
}

static enum dm_status execute(struct managed_plan *plan)
{
    const struct dm_region *region = plan->region;

    for (long round = 0; round < region->rounds; round++) {
        for (int a = 0; a < region->array_count; a++)
            plan->host[a] = dm_region_host(region, a, round);
        TRY(enqueue_round(plan));
        if (round + 1 == region->rounds)
            continue;
        if (region->between) {
            TRY(wait_for_streams(plan));
            call_between(plan, round);
        } else {
            TRY(join_streams(plan));
        }
    }
    TRY(wait_for_streams(plan));
    const double start_s = clock_now_s();
    touch_results(plan);
    plan->report->read_s = clock_now_s() - start_s;
    return DM_OK;
}

static double cpu_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum dm_status sum_phases(const struct managed_plan *plan, struct copies_report *report)
{
    double *const phases[MANAGED_MARKS - 1] = {&report->to_device_s, &report->kernel_s,
                                               &report->from_device_s};

    for (int phase = 0; phase < MANAGED_MARKS - 1; phase++)
        *phases[phase] = plan->marks ? 0 : NAN;
    for (long first = 0; first < plan->mark_count; first += MANAGED_MARKS)
        for (int phase = 0; phase < MANAGED_MARKS - 1; phase++) {
            double seconds;
            TRY(copies_seconds_between(plan->marks[first + phase], plan->marks[first + phase + 1],
                                       &seconds));
            *phases[phase] += seconds;
        }
    return DM_OK;
}

enum dm_status managed_plan_run(struct managed_plan *plan, struct copies_report *report)
{
    *report = (struct copies_report){
        .chunk_size = plan->chunks.size, .streams = plan->streams, .chunks = plan->chunks.count};
    plan->report = report;
    plan->marked = 0;
    double start_s = clock_now_s(), cpu_start_s = cpu_now_s();
    const enum dm_status status = execute(plan);
    report->time_s = clock_now_s() - start_s;
    report->host_cpu_s = cpu_now_s() - cpu_start_s;
    plan->report = NULL;
    TRY(status);
    return sum_phases(plan, report);
}

enum dm_status managed_to_host(const struct dm_region *region)
{
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].host)
            TRY_CUDA(gpu_prefetch_async(region->arrays[a].host,
                                        managed_host_bytes(&region->arrays[a]), cudaCpuDeviceId,
                                        0));
    return status_of_cuda(cudaDeviceSynchronize());
}
