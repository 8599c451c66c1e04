/* pipeline.c: the public functions that execute a region with ring buffers. */
#include <datamotion/pipeline.h>

#include <stdlib.h>

#include "common/error_cuda.h"
#include "common/regions/copies.h"

#include "choice.h"
#include "parts.h"

_Static_assert((int)PIPELINE_STREAMS_MAX == (int)COPIES_STREAMS_MAX, "one limit");

/* Copies long enough for the link to reach its rate; there are two at a time. */
static const size_t link_bytes = (size_t)16 << 20;

/* On one GPU, or on several. */
struct pipeline_plan {
    struct copies_plan *copies;
    struct parts *parts;
};

enum dm_status pipeline_choose(struct pipeline_choice *choice, const struct dm_region *region,
                               size_t budget_bytes)
{
    struct link_rates link;
    size_t available, total;
    TRY(dm_region_check(region));
    TRY_CUDA(cudaMemGetInfo(&available, &total));
    TRY(link_measure(&link, available / 4 < link_bytes ? available / 4 : link_bytes));
    return choice_make(choice, region, &link, budget_bytes);
}

static enum dm_status choose_options(struct copies_options *chosen, const struct dm_region *region,
                                     const struct pipeline_options *options)
{
    struct pipeline_choice choice;
    *chosen = (struct copies_options){.chunk_size = options->chunk_size,
                                      .streams = options->streams,
                                      .budget_bytes = options->budget_bytes,
                                      .graph = options->graph};
    if (options->chunk_size != 0)
        return DM_OK;
    TRY(pipeline_choose(&choice, region, options->budget_bytes));
    chosen->chunk_size = choice.chunk_size;
    chosen->streams = choice.streams;
    return DM_OK;
}

static enum dm_status open_on_gpus(struct pipeline_plan *plan, const struct dm_region *region,
                                   const struct pipeline_options *options)
{
    struct copies_options chosen;
    if (options->gpus < 0 || options->gpus > PIPELINE_GPUS_MAX)
        return dm_fail(DM_INVALID, "%d GPUs, 1 to %d are possible, or 0 for 1", options->gpus,
                       PIPELINE_GPUS_MAX);
    if (options->gpus <= 1) {
        TRY(choose_options(&chosen, region, options));
        return copies_open(&plan->copies, COPIES_RINGS, region, &chosen);
    }
    TRY(dm_region_check(region));
    struct dm_region first = parts_region(region, options->gpus, 0);
    TRY(choose_options(&chosen, &first, options));
    return parts_open(&plan->parts, region, options->gpus, &chosen);
}

enum dm_status pipeline_open(struct pipeline_plan **plan, const struct dm_region *region,
                             const struct pipeline_options *options)
{
    *plan = calloc(1, sizeof **plan);
    if (!*plan)
        return error_no_memory(sizeof **plan);
    enum dm_status status = open_on_gpus(*plan, region, options);
    if (status != DM_OK) {
        free(*plan);
        *plan = NULL;
    }
    return status;
}

enum dm_status pipeline_run(struct pipeline_plan *plan, struct pipeline_report *report)
{
    struct copies_report taken;
    TRY(plan->parts ? parts_run(plan->parts, &taken) : copies_run(plan->copies, &taken));
    if (report)
        *report = (struct pipeline_report){.chunk_size = taken.chunk_size,
                                           .streams = taken.streams,
                                           .chunks = taken.chunks,
                                           .device_bytes = taken.device_bytes,
                                           .bytes_to_device = taken.bytes_to_device,
                                           .bytes_from_device = taken.bytes_from_device,
                                           .copies = taken.copies,
                                           .api_calls = taken.api_calls,
                                           .time_s = taken.time_s,
                                           .host_cpu_s = taken.host_cpu_s};
    return DM_OK;
}

void pipeline_close(struct pipeline_plan *plan)
{
    if (!plan)
        return;
    copies_close(plan->copies);
    parts_close(plan->parts);
    free(plan);
}

size_t pipeline_minimum_bytes(const struct dm_region *region)
{
    return copies_minimum_bytes(region);
}

size_t pipeline_ring_bytes(const struct dm_region *region, long chunk_size, int streams)
{
    return copies_ring_bytes(region, chunk_size, streams);
}
