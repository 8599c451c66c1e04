#include <math.h>

#include "common/harness/program.h"

#include "bench_versions.h"

enum {
    BENCHMARK,
    DATASET,
    SIZE,
    STREAMS,
    CHUNKS,
    BLOCKS,
    BLOCKS_PER_SM,
    COPY_IN_BLOCKS,
    COPY_OUT_BLOCKS,
    THREADS,
    VECTOR_BITS,
    LAYOUT,
    TASK_SIZE,
    BUDGET_BYTES,
    LINK,
    OUTCOME,
    DEVICE_BYTES,
    USED_BYTES,
    FOOTPRINT_BYTES,
    LAUNCHES,
    COPIES,
    HOST_CPU_S,
    FREE_SHARE,
    BOUND_S,
    BOUND_SHARE,
    KERNEL_S,
    COLUMNS
};

const struct column blp_bench_columns[COLUMNS + 1] = {
    [BENCHMARK] = {"benchmark", COLUMN_PARAMETER, "the workload"},
    [DATASET] = {"dataset", COLUMN_PARAMETER, "its data set, as named on the command line"},
    [SIZE] = {"size", COLUMN_PARAMETER, "the data set's size, in the workload's own measure"},
    [STREAMS] = {"streams", COLUMN_PARAMETER, "chunks in flight, of sync, async and um"},
    [CHUNKS] = {"chunks", COLUMN_PARAMETER,
                "launches in which the loop is executed; of blp: tasks"},
    [BLOCKS] = {"blocks", COLUMN_PARAMETER, "blocks of the persistent kernel"},
    [BLOCKS_PER_SM] = {"blocks_per_sm", COLUMN_PARAMETER, "the same per multiprocessor"},
    [COPY_IN_BLOCKS] = {"copy_in_blocks", COLUMN_PARAMETER,
                        "those that copy to the device; empty: any block"},
    [COPY_OUT_BLOCKS] = {"copy_out_blocks", COLUMN_PARAMETER,
                         "those that copy to the host; empty: any block"},
    [THREADS] = {"threads", COLUMN_PARAMETER, "threads of a block; empty: the workload's choice"},
    [VECTOR_BITS] = {"vector_bits", COLUMN_PARAMETER, "bits of a load or store of copy blocks"},
    [LAYOUT] = {"layout", COLUMN_PARAMETER, "what a copy block moves: per-array or interleaved"},
    [TASK_SIZE] = {"task_size", COLUMN_PARAMETER, "iterations of a task of the persistent kernel"},
    [BUDGET_BYTES] = {"budget_bytes", COLUMN_PARAMETER,
                      "device memory that may be used; empty: all that is there"},
    [LINK] = {"link", COLUMN_PARAMETER, "between host and device: host memory, PCIe, NVLink-C2C"},
    [OUTCOME] = {"outcome", COLUMN_METRIC,
                 "ok; does not fit: the budget or the device's memory; refused: see stderr"},
    [DEVICE_BYTES] = {"device_bytes", COLUMN_METRIC,
                      "device memory allocated for the region; empty: the driver's choice"},
    [USED_BYTES] = {"used_bytes", COLUMN_METRIC,
                    "device memory in use meanwhile, CUDA's context included; of um the most in "
                    "a run"},
    [FOOTPRINT_BYTES] = {"footprint_bytes", COLUMN_METRIC, "bytes of all arrays as a whole"},
    [LAUNCHES] = {"launches", COLUMN_METRIC, "kernel launches of a run, of the persistent kernel"},
    [COPIES] = {"copies", COLUMN_METRIC, "copy calls of the host in a run; of um: prefetch calls"},
    [HOST_CPU_S] = {"host_cpu_s", COLUMN_METRIC, "CPU time of the calling thread in a run"},
    [FREE_SHARE] = {"free_share", COLUMN_METRIC,
                    "share of a core that a computing loop beside the calling thread got; with "
                    "--beside-a-loop, from runs that are not timed"},
    [BOUND_S] = {"bound_s", COLUMN_METRIC,
                 "no execution in chunks of that size can take less, with the measured rates of "
                 "the link and kernel_s; of sync: chunks of 1"},
    [BOUND_SHARE] = {"bound_share", COLUMN_METRIC, "bound_s / time_s"},
    [KERNEL_S] = {"kernel_s", COLUMN_METRIC, "time of the ordinary kernels, without copies"},
};

static bool is_persistent(const struct blp_bench_execution *execution)
{
    return execution->version >= BLP_BENCH_BLP;
}

static bool is_managed(const struct blp_bench_execution *execution)
{
    return execution->version == BLP_BENCH_UM || execution->version == BLP_BENCH_UM_PREFETCH;
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

static struct value real_or_none(double number)
{
    return isnan(number) ? none() : real(number);
}

static struct value positive(size_t number)
{
    return number ? integer((int64_t)number) : none();
}

static size_t budget_of(const struct blp_bench_execution *execution)
{
    return is_persistent(execution) ? execution->blp.budget_bytes
           : is_managed(execution)  ? execution->capacity_bytes
                                    : execution->chunks.budget_bytes;
}

/* What the options say; it also stands in the row of a configuration that could not be executed. */
static void set_parameters(const struct run *run, const struct bench_configuration *configuration,
                           const char *dataset, struct value *values)
{
    const struct blp_bench_execution *execution = configuration->options;
    const struct dm_region *region = &configuration->benchmark->region;
    values[BENCHMARK] = text(configuration->benchmark->kind->name);
    values[DATASET] = text(dataset);
    values[SIZE] = integer((int64_t)configuration->benchmark->size);
    values[BUDGET_BYTES] = positive(budget_of(execution));
    values[LINK] = text(link_name(run->settings.device));
    values[FOOTPRINT_BYTES] = integer((int64_t)dm_region_footprint(region));
    if (is_persistent(execution)) {
        values[BLOCKS_PER_SM] = positive((size_t)execution->blocks_per_sm);
        values[LAYOUT] =
            text(execution->blp.layout == BLP_INTERLEAVED ? "interleaved" : "per-array");
        return;
    }
    const long iterations = region->end - region->begin, size = execution->chunks.chunk_size;
    values[STREAMS] = integer(execution->chunks.streams);
    values[CHUNKS] = integer((iterations + size - 1) / size);
    values[THREADS] = positive((size_t)region->block.x * region->block.y * region->block.z);
}

static void set_persistent(const struct run *run, const struct blp_report *report,
                           struct value *values)
{
    const int device = run->settings.device;
    const int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount, device);
    values[CHUNKS] = integer(report->tasks);
    values[BLOCKS] = integer(report->blocks);
    values[BLOCKS_PER_SM] = integer((report->blocks + multiprocessors - 1) / multiprocessors);
    values[COPY_IN_BLOCKS] = positive((size_t)report->copy_in_blocks);
    values[COPY_OUT_BLOCKS] = positive((size_t)report->copy_out_blocks);
    values[THREADS] = integer(report->threads);
    values[VECTOR_BITS] = integer(report->vector_bits);
    values[TASK_SIZE] = integer(report->task_size);
    values[DEVICE_BYTES] = integer((int64_t)report->device_bytes);
    values[LAUNCHES] = integer(report->launches);
    values[COPIES] = integer(report->copies);
    values[HOST_CPU_S] = real(report->host_cpu_s);
}

static void set_report(const struct run *run, const struct bench_configuration *configuration,
                       const struct blp_bench_report *report, struct value *values)
{
    const struct blp_bench_execution *execution = configuration->options;
    values[OUTCOME] = text("ok");
    if (configuration->used_known)
        values[USED_BYTES] = integer((int64_t)(configuration->used_bytes + report->managed_bytes));
    values[FREE_SHARE] = real_or_none(report->free_share);
    if (is_persistent(execution)) {
        set_persistent(run, &report->blp, values);
        return;
    }
    if (!is_managed(execution))
        values[DEVICE_BYTES] = integer((int64_t)report->copies.device_bytes);
    values[COPIES] = integer(report->copies.copies);
    values[HOST_CPU_S] = real(report->copies.host_cpu_s);
}

static void set_bound(const struct bench_configuration *configuration,
                      const struct blp_bench_report *report, const struct link_rates *link,
                      double kernel_s, double time_s, struct value *values)
{
    const struct blp_bench_execution *execution = configuration->options;
    const struct dm_region *region = &configuration->benchmark->region;
    const long chunk = is_persistent(execution)               ? report->blp.task_size
                       : execution->version == BLP_BENCH_SYNC ? 1
                                                              : report->copies.chunk_size;
    const double bound_s = (double)region->rounds * link_bound_s(link, region, kernel_s, chunk);
    values[BOUND_S] = real_or_none(bound_s);
    values[BOUND_SHARE] = real_or_none(bound_s / time_s);
    values[KERNEL_S] = real_or_none(kernel_s);
}

static void record_refusal(struct run *run, const struct bench_configuration *configuration,
                           const char *dataset, struct value *values)
{
    const struct blp_bench_execution *execution = configuration->options;
    const bool memory = !is_persistent(execution) || execution->blp.budget_bytes;
    program_note(run, "%s of %s %s: %s", configuration->variant,
                 configuration->benchmark->kind->name, dataset, configuration->reason);
    values[OUTCOME] = text(memory ? "does not fit" : "refused");
    record_values(run, configuration->variant, 0, values, NAN, 0);
}

static const struct blp_report *persistent_report(const struct bench_configuration *configuration)
{
    const struct blp_bench_execution *execution = configuration->options;
    if (!is_persistent(execution) || !configuration->subject.count)
        return NULL;
    return &((const struct blp_bench_report *)bench_report(configuration, 0))->blp;
}

bool blp_bench_is_repeated(const struct bench_configuration *configurations, size_t number)
{
    const struct blp_report *report = persistent_report(&configurations[number]);
    for (size_t i = 0; report && i < number; i++) {
        const struct blp_report *other = persistent_report(&configurations[i]);
        if (other && configurations[i].variant == configurations[number].variant &&
            other->blocks == report->blocks && other->copy_in_blocks == report->copy_in_blocks &&
            other->copy_out_blocks == report->copy_out_blocks &&
            other->threads == report->threads && other->task_size == report->task_size &&
            budget_of(configurations[i].options) == budget_of(configurations[number].options))
            return true;
    }
    return false;
}

void blp_bench_record(struct run *run, const struct bench_configuration *configuration,
                      const char *dataset, const struct link_rates *link, double kernel_s)
{
    struct value values[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        values[i] = none();
    set_parameters(run, configuration, dataset, values);
    if (configuration->reason)
        record_refusal(run, configuration, dataset, values);
    for (size_t i = 0; i < configuration->subject.count; i++) {
        const struct blp_bench_report *report = bench_report(configuration, i);
        const double time_s = configuration->subject.times_s[i];
        set_report(run, configuration, report, values);
        set_bound(configuration, report, link, kernel_s, time_s, values);
        record_values(run, configuration->variant, (int)i, values, time_s, configuration->errors);
    }
}
