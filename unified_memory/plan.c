#include "plan.h"

#include <stdlib.h>

#include "common/error_cuda.h"

#include "place.h"

_Static_assert((int)UNIFIED_STREAMS_MAX == (int)COPIES_STREAMS_MAX &&
                   (int)UNIFIED_BOTH == (int)MANAGED_BOTH,
               "a plan executes as regions/managed.h does");

enum dm_status unified_open(struct unified_plan **plan, const struct dm_region *region,
                            const struct unified_config *config)
{
    *plan = NULL;
    struct unified_plan *opened = calloc(1, sizeof *opened);
    if (!opened)
        return error_no_memory(sizeof *opened);
    opened->region = region;
    opened->mapped = config->hints & UNIFIED_MAP_RESULTS ? mapped_arrays(region) : 0;
    const struct managed_config managed = {
        .prefetch = (enum managed_prefetch)(config->hints & UNIFIED_BOTH),
        .chunk_size = config->chunk_size,
        .streams = config->streams,
        .oversubscribe = config->oversubscribe,
        .fixed = opened->mapped,
        .phases = config->phases,
        .ahead = (config->hints & UNIFIED_MAP_RESULTS) && (config->hints & UNIFIED_GPU_PREFETCH) &&
                 !config->phases,
        .place = config->hints & UNIFIED_PLACE_RESULTS ? place_pages : NULL};
    enum dm_status status = managed_plan_open(&opened->managed, region, &managed);
    if (status == DM_OK)
        status = status_of_cuda(cudaGetDevice(&opened->device));
    if (status != DM_OK) {
        unified_close(opened);
        return status;
    }
    *plan = opened;
    return DM_OK;
}

void unified_close(struct unified_plan *plan)
{
    if (!plan)
        return;
    managed_plan_close(plan->managed);
    free(plan);
}

static enum dm_status execute(struct unified_plan *plan, struct unified_report *report)
{
    struct copies_report managed;

    TRY(managed_plan_run(plan->managed, &managed));
    *report = (struct unified_report){.chunk_size = managed.chunk_size,
                                      .chunks = managed.chunks,
                                      .streams = managed.streams,
                                      .prefetches = managed.copies,
                                      .prefetched_to_device = managed.bytes_to_device,
                                      .prefetched_to_host = managed.bytes_from_device,
                                      .api_calls = managed.api_calls,
                                      .time_s = managed.time_s,
                                      .host_cpu_s = managed.host_cpu_s,
                                      .to_device_s = managed.to_device_s,
                                      .kernel_s = managed.kernel_s,
                                      .from_device_s = managed.from_device_s,
                                      .between_s = managed.between_s,
                                      .read_s = managed.read_s};
    return DM_OK;
}

/* What must have moved, less a tenth for pages at the edges of windows that no kernel touches. */
static size_t bytes_at_least(const struct unified_plan *plan, enum dm_region_direction direction)
{
    size_t bytes = dm_region_bytes(plan->region, direction);

    return plan->mapped ? 0 : bytes - bytes / 10;
}

void require_bytes(struct unified_traffic *traffic, size_t to_device, size_t from_device)
{
    if (traffic->bytes_to_device < to_device || traffic->bytes_from_device < from_device)
        traffic->known = false;
}

static enum dm_status execute_counted(struct unified_plan *plan, struct unified_report *report,
                                      enum unified_counted counted, struct unified_traffic *traffic)
{
    TRY(unified_count_start(counted));
    const enum dm_status status = execute(plan, report);
    if (status != DM_OK)
        return status;
    TRY(unified_count_stop(traffic));
    require_bytes(traffic, bytes_at_least(plan, DM_REGION_TO),
                  bytes_at_least(plan, DM_REGION_FROM));
    return DM_OK;
}

enum dm_status unified_run(struct unified_plan *plan, struct unified_report *report,
                           enum unified_counted counted, struct unified_traffic *traffic)
{
    TRY(map_arrays(plan));
    TRY(traffic ? execute_counted(plan, report, counted, traffic) : execute(plan, report));
    return unmap_arrays(plan);
}

enum dm_status unified_to_host(const struct dm_region *region)
{
    return managed_to_host(region);
}
