#include "rows.h"

#include <math.h>
#include <stdlib.h>

#include <datamotion/pipeline.h>

#include "common/error.h"
#include "common/harness/program.h"
#include "common/regions/device_memory.h"

#include "parts.h"

/* ---- the method ---- */

/* One of the two. */
struct plan {
    struct copies_plan *copies;
    struct pipeline_plan *several;
};

static enum dm_status open_plan(struct plan *plan, const struct dm_region *region,
                                const struct execution *execution)
{
    const struct copies_options *options = &execution->options;
    if (!execution->gpus)
        return copies_open(&plan->copies, execution->version, region, options);
    const struct pipeline_options several = {.chunk_size = options->chunk_size,
                                             .streams = options->streams,
                                             .budget_bytes = options->budget_bytes,
                                             .gpus = execution->gpus};
    return pipeline_open(&plan->several, region, &several);
}

static enum dm_status open_version(const struct dm_region *region, const void *options,
                                   void **opened)
{
    struct plan *plan = allocate_or_fail(1, sizeof *plan);
    *plan = (struct plan){NULL, NULL};
    const enum dm_status status = open_plan(plan, region, options);
    if (status != DM_OK)
        free(plan);
    *opened = status == DM_OK ? plan : NULL;
    return status;
}

static enum dm_status run_several(struct pipeline_plan *plan, struct copies_report *report)
{
    struct pipeline_report several;
    TRY(pipeline_run(plan, &several));
    *report = (struct copies_report){.chunk_size = several.chunk_size,
                                     .streams = several.streams,
                                     .chunks = several.chunks,
                                     .device_bytes = several.device_bytes,
                                     .bytes_to_device = several.bytes_to_device,
                                     .bytes_from_device = several.bytes_from_device,
                                     .copies = several.copies,
                                     .api_calls = several.api_calls,
                                     .time_s = several.time_s,
                                     .host_cpu_s = several.host_cpu_s,
                                     .to_device_s = NAN,
                                     .kernel_s = NAN,
                                     .from_device_s = NAN};
    return DM_OK;
}

static enum dm_status run_version(void *opened, void *report, double *time_s)
{
    const struct plan *plan = opened;
    const enum dm_status status =
        plan->copies ? copies_run(plan->copies, report) : run_several(plan->several, report);
    *time_s = ((struct copies_report *)report)->time_s;
    return status;
}

static void close_version(void *opened)
{
    struct plan *plan = opened;
    copies_close(plan->copies);
    pipeline_close(plan->several);
    free(plan);
}

const struct bench_method rows_method = {.open = open_version,
                                         .run = run_version,
                                         .close = close_version,
                                         .report_bytes = sizeof(struct copies_report)};

void rows_start(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    device_memory_start();
}

double rows_kernel_minimum(const struct bench_configuration *configuration, double kernel_s)
{
    for (size_t i = 0; i < configuration->subject.count; i++) {
        const struct copies_report *report = bench_report(configuration, i);
        kernel_s =
            fmin(kernel_s, report->kernel_s / (double)configuration->benchmark->region.rounds);
    }
    return kernel_s;
}

/* ---- rows ---- */

struct row {
    const char *benchmark, *dataset;
    size_t size;
    int64_t rounds, streams, chunk_size, chunks, devices, block_x, block_y;
    const char *outcome;
    int64_t streams_used, chunk_size_used, device_bytes, used_bytes;
    size_t footprint_bytes;
    int64_t bytes_to_device, bytes_from_device, copies, api_calls;
    double host_cpu_s, to_device_s, kernel_s, from_device_s, bound_s, bound_share;
    double bandwidth_to_device_gbs, links_ratio;
};

const struct column rows_columns[] = {
    PARAMETER(struct row, benchmark, "the workload"),
    PARAMETER(struct row, dataset, "its data set, as named on the command line"),
    PARAMETER(struct row, size, "the data set's size, in the workload's own measure"),
    PARAMETER(struct row, rounds, "repetitions of the loop in one run"),
    PARAMETER(struct row, streams, "streams requested; empty: chosen by measurements"),
    PARAMETER(struct row, chunk_size, "iterations per chunk requested; as streams"),
    PARAMETER(struct row, chunks, "chunks that follow from chunk_size; as streams"),
    PARAMETER(struct row, devices, "GPUs that share the loop, of several"),
    PARAMETER(struct row, block_x, "threads of a block along x; empty: the workload's"),
    PARAMETER(struct row, block_y, "threads of a block along y; empty: the workload's"),
    METRIC(struct row, outcome,
           "ok; does not fit: the budget of device memory; refused: see stderr"),
    METRIC(struct row, streams_used, "streams after fitting into the budget"),
    METRIC(struct row, chunk_size_used, "iterations per chunk after fitting"),
    METRIC(struct row, device_bytes, "device memory allocated for the region"),
    METRIC(struct row, used_bytes, "device memory in use meanwhile, CUDA's context included"),
    METRIC(struct row, footprint_bytes, "bytes of all arrays as a whole"),
    METRIC(struct row, bytes_to_device, "bytes copied in"),
    METRIC(struct row, bytes_from_device, "bytes copied out"),
    METRIC(struct row, copies, "copy calls"),
    METRIC(struct row, api_calls, "calls of the CUDA runtime"),
    METRIC(struct row, host_cpu_s, "CPU time of the calling thread"),
    METRIC(struct row, to_device_s, "time of the copies in, of naive"),
    METRIC(struct row, kernel_s, "time of the kernels, of naive"),
    METRIC(struct row, from_device_s, "time of the copies out, of naive"),
    METRIC(
        struct row, bound_s,
        "no execution in chunks of that size can take less, with the measured rates of the link "
        "and the minimum of the measured times of the kernels; of naive: chunks of 1; of several "
        "GPUs: the longest of their parts, with the rates of their links when all are busy"),
    METRIC(struct row, bound_share, "bound_s / time_s"),
    METRIC(struct row, bandwidth_to_device_gbs,
           "bytes_to_device / to_device_s of naive, / time_s of the others, in 10^9 byte/s"),
    METRIC(struct row, links_ratio,
           "of several GPUs: what their links carry together in both directions / what as many "
           "would carry that are alone"),
    {0},
};

static int64_t extent(unsigned threads)
{
    return threads ? (int64_t)threads : NO_VALUE;
}

/* The parameters; the metrics are empty. */
static struct row row_of(const struct bench_configuration *configuration, const char *dataset)
{
    const struct benchmark *benchmark = configuration->benchmark;
    const struct dm_region *region = &benchmark->region;
    const struct execution *execution = configuration->options;
    const struct copies_options *options = &execution->options;
    long iterations = region->end - region->begin;
    bool naive = execution->version == COPIES_NAIVE;
    long chunk = naive || options->chunk_size > iterations ? iterations : options->chunk_size;
    return (struct row){
        .benchmark = benchmark->kind->name,
        .dataset = dataset,
        .size = benchmark->size,
        .rounds = region->rounds,
        .streams = execution->chosen ? NO_VALUE
                   : naive           ? 1
                                     : options->streams,
        .chunk_size = execution->chosen ? NO_VALUE : chunk,
        .chunks = execution->chosen ? NO_VALUE : (iterations + chunk - 1) / chunk,
        .devices = execution->gpus ? execution->gpus : NO_VALUE,
        .block_x = extent(region->block.x),
        .block_y = extent(region->block.y),
        .footprint_bytes = dm_region_footprint(region),
        .streams_used = NO_VALUE,
        .chunk_size_used = NO_VALUE,
        .device_bytes = NO_VALUE,
        .used_bytes = NO_VALUE,
        .bytes_to_device = NO_VALUE,
        .bytes_from_device = NO_VALUE,
        .copies = NO_VALUE,
        .api_calls = NO_VALUE,
        .host_cpu_s = NAN,
        .to_device_s = NAN,
        .kernel_s = NAN,
        .from_device_s = NAN,
        .bound_s = NAN,
        .bound_share = NAN,
        .bandwidth_to_device_gbs = NAN,
        .links_ratio = NAN,
    };
}

static void set_report(struct row *row, const struct bench_configuration *configuration,
                       const struct copies_report *report)
{
    const double to_device_s = isnan(report->to_device_s) ? report->time_s : report->to_device_s;
    row->outcome = "ok";
    row->streams_used = report->streams;
    row->chunk_size_used = report->chunk_size;
    row->device_bytes = (int64_t)report->device_bytes;
    if (configuration->used_known)
        row->used_bytes = (int64_t)configuration->used_bytes;
    row->bytes_to_device = (int64_t)report->bytes_to_device;
    row->bytes_from_device = (int64_t)report->bytes_from_device;
    row->copies = report->copies;
    row->api_calls = report->api_calls;
    row->host_cpu_s = report->host_cpu_s;
    row->to_device_s = report->to_device_s;
    row->kernel_s = report->kernel_s;
    row->from_device_s = report->from_device_s;
    row->bandwidth_to_device_gbs = 1e-9 * (double)report->bytes_to_device / to_device_s;
}

static double bound_of(const struct bench_configuration *configuration,
                       const struct copies_report *report, const struct link_rates *link,
                       double kernel_s)
{
    const struct dm_region *region = &configuration->benchmark->region;
    const struct execution *execution = configuration->options;
    const long chunk = execution->version == COPIES_NAIVE ? 1 : report->chunk_size;
    const double round_s =
        execution->links ? parts_bound_s(execution->links, region, execution->gpus, kernel_s, chunk)
                         : link_bound_s(link, region, kernel_s, chunk);
    return (double)region->rounds * round_s;
}

double rows_links_ratio(const struct link_rates *links, int gpus, const struct link_rates *alone)
{
    double together = 0;
    for (int g = 0; g < gpus; g++)
        together += links[g].both;
    return together / (gpus * alone->both);
}

void rows_record(struct run *run, const struct bench_configuration *configuration,
                 const char *dataset, const struct link_rates *link, double kernel_s)
{
    const struct execution *execution = configuration->options;
    struct row row = row_of(configuration, dataset);
    if (execution->links)
        row.links_ratio = rows_links_ratio(execution->links, execution->gpus, link);
    if (configuration->reason) {
        program_note(run, "%s", configuration->reason);
        row.outcome = row.devices > 1 ? "refused" : "does not fit";
        record_row(run, configuration->variant, 0, &row, NAN, 0);
    }
    for (size_t i = 0; i < configuration->subject.count; i++) {
        const struct copies_report *report = bench_report(configuration, i);
        const double time_s = configuration->subject.times_s[i];
        set_report(&row, configuration, report);
        row.bound_s = bound_of(configuration, report, link, kernel_s);
        row.bound_share = row.bound_s / time_s;
        record_row(run, configuration->variant, (int)i, &row, time_s, configuration->errors);
    }
}
