#include "unified.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/gpu.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/regions/copies.h"

#include "unified_capacity.h"
#include "unified_plan.h"

enum { PAGE_BYTES = 4096 };

/* ---- open and close ---- */

static const char *memory_complaint(const struct dm_region *region)
{
    static _Thread_local char complaint[160];

    for (int a = 0; a < region->array_count; a++) {
        struct cudaPointerAttributes attributes;
        if (region->arrays[a].direction == DM_REGION_SCRATCH)
            continue;
        check_cuda(cudaPointerGetAttributes(&attributes, region->arrays[a].host));
        if (attributes.type != cudaMemoryTypeManaged) {
            snprintf(complaint, sizeof complaint, "%s: array %s is not managed memory",
                     region->name, region->arrays[a].name);
            return complaint;
        }
    }
    return NULL;
}

static void make_streams(struct unified_plan *plan)
{
    for (int s = 0; s < plan->streams + plan->ahead; s++)
        check_cuda(cudaStreamCreateWithFlags(&plan->stream[s], cudaStreamNonBlocking));
    for (int s = 0; s < plan->streams; s++) {
        check_cuda(cudaEventCreateWithFlags(&plan->arrived[s], cudaEventDisableTiming));
        check_cuda(cudaEventCreateWithFlags(&plan->computed[s], cudaEventDisableTiming));
    }
}

/* Scratch arrays are managed, too, so that they may be more than the device holds. */
static void make_scratch(struct unified_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        if (array->direction == DM_REGION_SCRATCH)
            plan->scratch[a] = memory_allocate(MEMORY_MANAGED,
                                               (size_t)array->slices * dm_region_slice_size(array));
    }
}

struct unified_plan *unified_open(enum unified_hints hints, const struct dm_region *region,
                                  const struct copies_options *options, bool oversubscribe,
                                  const char **complaint)
{
    *complaint = dm_region_check(region) != DM_OK ? dm_message() : NULL;
    if (!*complaint)
        *complaint = copies_check_options(options) != DM_OK ? dm_message() : NULL;
    if (!*complaint)
        *complaint = memory_complaint(region);
    if (!*complaint)
        *complaint = unified_capacity_complaint(dm_region_footprint(region), oversubscribe);
    if (*complaint)
        return NULL;
    struct unified_plan *plan = allocate_or_fail(1, sizeof *plan);
    *plan = (struct unified_plan){.region = region,
                                  .hints = hints,
                                  .chunks = chunks_make(region, options->chunk_size),

                                  .ahead = (hints & UNIFIED_MAP_RESULTS) &&
                                           (hints & UNIFIED_GPU_PREFETCH),
                                  .streams = options->streams};
    check_cuda(cudaGetDevice(&plan->device));
    make_streams(plan);
    make_scratch(plan);
    return plan;
}

void unified_close(struct unified_plan *plan)
{
    if (!plan)
        return;
    for (int s = 0; s < plan->streams + plan->ahead; s++)
        check_cuda(cudaStreamDestroy(plan->stream[s]));
    for (int s = 0; s < plan->streams; s++) {
        check_cuda(cudaEventDestroy(plan->arrived[s]));
        check_cuda(cudaEventDestroy(plan->computed[s]));
    }
    for (int a = 0; a < plan->region->array_count; a++)
        if (plan->scratch[a])
            memory_release(MEMORY_MANAGED, plan->scratch[a]);
    free(plan);
}

/* ---- chunks ---- */

static void record(struct unified_plan *plan, cudaEvent_t event, int s)
{
    unified_call(plan, cudaEventRecord(event, plan->stream[s]));
}

static void wait_for(struct unified_plan *plan, cudaEvent_t event, int s)
{
    unified_call(plan, cudaStreamWaitEvent(plan->stream[s], event, 0));
}

/* Hints that precede the chunk's kernels. A chunk waits for those of all chunks before it: some of
 * their slices are also its own, and pages that one discards hold results of the next. */
static void prepare_chunk(struct unified_plan *plan, long chunk, int s, int previous)
{
    int stream = plan->ahead ? plan->streams : s;

    if (plan->hints & UNIFIED_GPU_PREFETCH)
        unified_prefetch_inputs(plan, chunk, stream);
    if (plan->hints & UNIFIED_PLACE_RESULTS)
        unified_place_results(plan, chunk, stream);
    if (plan->ahead) {
        record(plan, plan->arrived[s], stream);
        wait_for(plan, plan->arrived[s], s);
        return;
    }
    if (plan->streams == 1 || !(plan->hints & (UNIFIED_GPU_PREFETCH | UNIFIED_PLACE_RESULTS)))
        return;
    if (chunk > 0)
        wait_for(plan, plan->arrived[previous], s);
    record(plan, plan->arrived[s], s);
}

static void launch_chunk(struct unified_plan *plan, long chunk, int s, int previous)
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
        wait_for(plan, plan->computed[previous], s);
    unified_call(plan,
                 region->launch(region, views, iterations.first, iterations.end, plan->stream[s]));
    if (plan->streams > 1)
        record(plan, plan->computed[s], s);
}

static void enqueue_round(struct unified_plan *plan)
{
    for (long chunk = 0; chunk < plan->chunks.count; chunk++) {
        int s = (int)(chunk % plan->streams);
        int previous = (int)((chunk + plan->streams - 1) % plan->streams);
        prepare_chunk(plan, chunk, s, previous);
        launch_chunk(plan, chunk, s, previous);
        if (plan->hints & UNIFIED_CPU_PREFETCH)
            unified_prefetch_results(plan, chunk, s);
    }
}

/* ---- rounds ---- */

/* No stream starts the next round before all have finished this one; the host goes on. */
static void join_streams(struct unified_plan *plan)
{
    int all = plan->streams + plan->ahead;

    if (all == 1)
        return;
    for (int s = 0; s < plan->streams; s++)
        record(plan, plan->computed[s], s);
    for (int s = 0; s < all; s++)
        for (int other = 0; other < plan->streams; other++)
            if (other != s)
                wait_for(plan, plan->computed[other], s);
}

static void wait_for_streams(struct unified_plan *plan)
{
    for (int s = 0; s < plan->streams + plan->ahead; s++)
        unified_call(plan, cudaStreamSynchronize(plan->stream[s]));
}

/* One element per page of each result of the last round. */
static void touch_results(const struct unified_plan *plan)
{
    for (int a = 0; a < plan->region->array_count; a++) {
        const struct dm_region_array *array = &plan->region->arrays[a];
        const volatile char *bytes = plan->host[a];
        if (array->direction & DM_REGION_FROM)
            for (size_t i = 0; i < unified_host_bytes(array); i += PAGE_BYTES)
                (void)bytes[i];
    }
}

static void execute(struct unified_plan *plan)
{
    const struct dm_region *region = plan->region;

    for (long round = 0; round < region->rounds; round++) {
        for (int a = 0; a < region->array_count; a++)
            plan->host[a] = dm_region_host(region, a, round);
        enqueue_round(plan);
        if (round + 1 == region->rounds)
            continue;
        if (region->between) {
            wait_for_streams(plan);
            region->between(region, round, region->between_context);
        } else {
            join_streams(plan);
        }
    }
    wait_for_streams(plan);
    touch_results(plan);
}

static double cpu_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What must have moved, less a tenth for pages at the edges of windows that no kernel touches. */
static size_t least_bytes(const struct unified_plan *plan, enum dm_region_direction direction)
{
    size_t bytes = dm_region_bytes(plan->region, direction);

    for (int a = 0; a < plan->region->array_count; a++)
        if (unified_is_mapped(plan, a))
            return 0;
    return bytes - bytes / 10;
}

void unified_run(struct unified_plan *plan, struct copies_report *report,
                 enum unified_counted counted, struct unified_traffic *traffic)
{
    *report = (struct copies_report){.chunk_size = plan->chunks.size,
                                     .streams = plan->streams,
                                     .chunks = plan->chunks.count,
                                     .to_device_s = NAN,
                                     .kernel_s = NAN,
                                     .from_device_s = NAN};
    plan->report = report;
    unified_map(plan);
    if (traffic)
        unified_counters_begin(counted);
    double start_s = clock_now_s(), cpu_start_s = cpu_now_s();
    execute(plan);
    report->time_s = clock_now_s() - start_s;
    report->host_cpu_s = cpu_now_s() - cpu_start_s;
    if (traffic) {
        unified_counters_end(traffic);
        unified_counters_require(traffic, least_bytes(plan, DM_REGION_TO),
                                 least_bytes(plan, DM_REGION_FROM));
    }
    unified_unmap(plan);
    plan->report = NULL;
}

void unified_to_host(const struct dm_region *region)
{
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].host)
            check_cuda(gpu_prefetch_async(region->arrays[a].host,
                                          unified_host_bytes(&region->arrays[a]), cudaCpuDeviceId,
                                          0));
    check_cuda(cudaDeviceSynchronize());
}
