/* bench_rows.c: the rows of bench_versions.h. */
#include <math.h>

#include "common/harness/device.h"
#include "common/harness/program.h"

#include "bench_versions.h"

struct row {
    const char *benchmark, *dataset;
    size_t size;
    int64_t streams, chunks, blocks, blocks_per_sm, copy_in_blocks, copy_out_blocks, threads;
    int64_t vector_bits;
    const char *layout;
    int64_t task_size, budget_bytes, engine_bytes;
    const char *link, *outcome, *in, *out;
    int64_t engine_tasks;
    int64_t device_bytes, used_bytes;
    size_t footprint_bytes;
    int64_t launches, copies;
    double host_cpu_s, free_share, bound_s, bound_share, kernel_s, predicted_s;
};

const struct column version_columns[] = {
    PARAMETER(struct row, benchmark, "the workload"),
    PARAMETER(struct row, dataset, "its data set, as named on the command line"),
    PARAMETER(struct row, size, "the data set's size, in the workload's own measure"),
    PARAMETER(struct row, streams, "chunks in flight, of sync, async and um"),
    PARAMETER(struct row, chunks, "launches in which the loop is executed; of blp: tasks"),
    PARAMETER(struct row, blocks, "blocks of the persistent kernel"),
    PARAMETER(struct row, blocks_per_sm, "the same per multiprocessor"),
    PARAMETER(struct row, copy_in_blocks, "those that copy to the device; empty: any block"),
    PARAMETER(struct row, copy_out_blocks, "those that copy to the host; empty: any block"),
    PARAMETER(struct row, threads, "threads of a block; empty: the workload's choice"),
    PARAMETER(struct row, vector_bits, "bits of a load or store of copy blocks"),
    PARAMETER(struct row, layout, "what a copy block moves: per-array or interleaved"),
    PARAMETER(struct row, task_size, "iterations of a task of the persistent kernel"),
    PARAMETER(struct row, budget_bytes, "device memory that may be used; empty: all that is there"),
    PARAMETER(struct row, engine_bytes,
              "that copy engines of blp copy at once; empty: its choice, or no engines"),
    PARAMETER(struct row, link, "between host and device: host memory, PCIe, NVLink-C2C"),
    METRIC(struct row, outcome,
           "ok; does not fit: the budget or the device's memory; refused: see stderr"),
    METRIC(struct row, in, "who copies to the device with blp: blocks, engine"),
    METRIC(struct row, out, "who copies to the host with blp"),
    METRIC(struct row, engine_tasks, "tasks that copy engines of blp copy at once"),
    METRIC(struct row, device_bytes,
           "device memory allocated for the region; empty: the driver's choice"),
    METRIC(struct row, used_bytes,
           "device memory in use meanwhile, CUDA's context included; of um the maximum in a run"),
    METRIC(struct row, footprint_bytes, "bytes of all arrays as a whole"),
    METRIC(struct row, launches, "kernel launches of a run, of the persistent kernel"),
    METRIC(struct row, copies, "copy calls of the host in a run; of um: prefetch calls"),
    METRIC(struct row, host_cpu_s, "CPU time of the calling thread in a run"),
    METRIC(struct row, free_share,
           "share of a core that a computing loop beside the calling thread got; with "
           "--beside-a-loop, from runs that are not timed"),
    METRIC(struct row, bound_s,
           "no execution in chunks of that size can take less, with the measured rates of the link "
           "and kernel_s; of sync: chunks of 1"),
    METRIC(struct row, bound_share, "bound_s / time_s"),
    METRIC(struct row, kernel_s, "time of the ordinary kernels, without copies"),
    METRIC(struct row, predicted_s,
           "time that the library expected by its rates, of versions that may have engines"),
    {0},
};

static bool is_persistent(const struct version_execution *execution)
{
    return execution->version >= VERSION_BLP;
}

static bool is_managed(const struct version_execution *execution)
{
    return execution->version == VERSION_UM || execution->version == VERSION_UM_PREFETCH;
}

static const char *link_name(int device)
{
#if defined(SOFTGPU)
    (void)device;
    return "host memory";
#else
    if (gpu_attribute(cudaDevAttrIntegrated, device))
        return "link";
    return gpu_attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables, device) ? "NVLink-C2C"
                                                                                    : "PCIe";
#endif
}

static size_t budget_of(const struct version_execution *execution)
{
    return is_persistent(execution) ? execution->blp.budget_bytes
           : is_managed(execution)  ? execution->capacity_bytes
                                    : execution->chunks.budget_bytes;
}

static int64_t positive(size_t number)
{
    return number ? (int64_t)number : NO_VALUE;
}

/* What the options say; the rest is empty, as in the row of a configuration that could not be
 * executed. */
static struct row row_of(const struct run *run, const struct bench_configuration *configuration,
                         const char *dataset)
{
    const struct version_execution *execution = configuration->options;
    const struct dm_region *region = &configuration->benchmark->region;
    struct row row = {.benchmark = configuration->benchmark->kind->name,
                      .dataset = dataset,
                      .size = configuration->benchmark->size,
                      .streams = NO_VALUE,
                      .chunks = NO_VALUE,
                      .blocks = NO_VALUE,
                      .blocks_per_sm = NO_VALUE,
                      .copy_in_blocks = NO_VALUE,
                      .copy_out_blocks = NO_VALUE,
                      .threads = NO_VALUE,
                      .vector_bits = NO_VALUE,
                      .task_size = NO_VALUE,
                      .engine_tasks = NO_VALUE,
                      .engine_bytes = NO_VALUE,
                      .budget_bytes = positive(budget_of(execution)),
                      .link = link_name(run->settings.device),
                      .device_bytes = NO_VALUE,
                      .used_bytes = NO_VALUE,
                      .footprint_bytes = dm_region_footprint(region),
                      .launches = NO_VALUE,
                      .copies = NO_VALUE,
                      .host_cpu_s = NAN,
                      .free_share = NAN,
                      .bound_s = NAN,
                      .bound_share = NAN,
                      .kernel_s = NAN,
                      .predicted_s = NAN};
    if (is_persistent(execution)) {
        row.blocks_per_sm = positive((size_t)execution->blocks_per_sm);
        row.engine_bytes = positive(execution->blp.engine_bytes);
        row.layout = execution->blp.layout == BLP_INTERLEAVED ? "interleaved" : "per-array";
        return row;
    }
    const long iterations = region->end - region->begin, size = execution->chunks.chunk_size;
    row.streams = execution->chunks.streams;
    row.chunks = (iterations + size - 1) / size;
    row.threads = positive((size_t)region->block.x * region->block.y * region->block.z);
    return row;
}

static void set_persistent(struct row *row, int device, const struct blp_report *report)
{
    const int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount, device);
    row->chunks = report->tasks;
    row->blocks = report->blocks;
    row->blocks_per_sm = (report->blocks + multiprocessors - 1) / multiprocessors;
    row->copy_in_blocks = positive((size_t)report->copy_in_blocks);
    row->copy_out_blocks = positive((size_t)report->copy_out_blocks);
    row->threads = report->threads;
    row->vector_bits = report->vector_bits;
    row->task_size = report->task_size;
    row->in = report->in == BLP_ENGINE ? "engine" : "blocks";
    row->out = report->out == BLP_ENGINE ? "engine" : "blocks";
    row->engine_tasks = positive((size_t)report->engine_tasks);
    row->device_bytes = (int64_t)report->device_bytes;
    row->launches = report->launches;
    row->copies = report->copies;
    row->host_cpu_s = report->host_cpu_s;
    row->predicted_s = report->predicted_s > 0.0 ? report->predicted_s : NAN;
}

static void set_report(struct row *row, int device, const struct bench_configuration *configuration,
                       const struct version_report *report)
{
    const struct version_execution *execution = configuration->options;
    row->outcome = "ok";
    if (configuration->used_known)
        row->used_bytes = (int64_t)(configuration->used_bytes + report->managed_bytes);
    row->free_share = report->free_share;
    if (is_persistent(execution)) {
        set_persistent(row, device, &report->blp);
        return;
    }
    if (!is_managed(execution))
        row->device_bytes = (int64_t)report->copies.device_bytes;
    row->copies = report->copies.copies;
    row->host_cpu_s = report->copies.host_cpu_s;
}

static void set_bound(struct row *row, const struct bench_configuration *configuration,
                      const struct version_report *report, const struct version_limits *limits,
                      double time_s)
{
    const struct version_execution *execution = configuration->options;
    const struct dm_region *region = &configuration->benchmark->region;
    const long chunk = is_persistent(execution)             ? report->blp.task_size
                       : execution->version == VERSION_SYNC ? 1
                                                            : report->copies.chunk_size;
    row->kernel_s = limits->kernel_s;
    row->bound_s =
        (double)region->rounds * link_bound_s(&limits->link, region, limits->kernel_s, chunk);
    row->bound_share = row->bound_s / time_s;
}

static void record_refusal(struct run *run, const struct bench_configuration *configuration,
                           struct row row)
{
    const struct version_execution *execution = configuration->options;
    const bool memory = !is_persistent(execution) || execution->blp.budget_bytes;
    program_note(run, "%s of %s %s: %s", configuration->variant, row.benchmark, row.dataset,
                 configuration->reason);
    row.outcome = memory ? "does not fit" : "refused";
    record_row(run, configuration->variant, 0, &row, NAN, 0);
}

static const struct blp_report *persistent_report(const struct bench_configuration *configuration)
{
    const struct version_execution *execution = configuration->options;
    if (!is_persistent(execution) || !configuration->subject.count)
        return NULL;
    return &((const struct version_report *)bench_report(configuration, 0))->blp;
}

bool version_is_repeated(const struct bench_configuration *configurations, size_t number)
{
    const struct blp_report *report = persistent_report(&configurations[number]);
    for (size_t i = 0; report && i < number; i++) {
        const struct blp_report *other = persistent_report(&configurations[i]);
        if (other && configurations[i].variant == configurations[number].variant &&
            other->blocks == report->blocks && other->copy_in_blocks == report->copy_in_blocks &&
            other->copy_out_blocks == report->copy_out_blocks &&
            other->threads == report->threads && other->task_size == report->task_size &&
            other->engine_tasks == report->engine_tasks &&
            budget_of(configurations[i].options) == budget_of(configurations[number].options))
            return true;
    }
    return false;
}

void record_version(struct run *run, const struct bench_configuration *configuration,
                    const char *dataset, const struct version_limits *limits)
{
    struct row row = row_of(run, configuration, dataset);
    if (configuration->reason)
        record_refusal(run, configuration, row);
    for (size_t i = 0; i < configuration->subject.count; i++) {
        const struct version_report *report = bench_report(configuration, i);
        const double time_s = configuration->subject.times_s[i];
        set_report(&row, run->settings.device, configuration, report);
        set_bound(&row, configuration, report, limits, time_s);
        record_row(run, configuration->variant, (int)i, &row, time_s, configuration->errors);
    }
}
