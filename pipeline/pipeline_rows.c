#include "pipeline_rows.h"

#include <math.h>

#include "common/harness/program.h"

#include "common/regions/device_memory.h"

/* ---- the method ---- */

static enum dm_status open_version(const struct dm_region *region, const void *options, void **plan)
{
    const struct pipeline_execution *execution = options;
    struct copies_plan *opened;
    const enum dm_status status =
        copies_open(&opened, execution->version, region, &execution->options);
    *plan = opened;
    return status;
}

static enum dm_status run_version(void *plan, void *report, double *time_s)
{
    const enum dm_status status = copies_run(plan, report);
    *time_s = ((struct copies_report *)report)->time_s;
    return status;
}

static void close_version(void *plan)
{
    copies_close(plan);
}

const struct bench_method pipeline_method = {.open = open_version,
                                             .run = run_version,
                                             .close = close_version,
                                             .report_bytes = sizeof(struct copies_report)};

double pipeline_kernel_least(const struct bench_configuration *configuration, double kernel_s)
{
    const struct pipeline_execution *execution = configuration->options;
    bool naive = execution->version == COPIES_NAIVE;
    for (size_t i = 0; naive && i < configuration->subject.count; i++) {
        const struct copies_report *report = bench_report(configuration, i);
        kernel_s =
            fmin(kernel_s, report->kernel_s / (double)configuration->benchmark->region.rounds);
    }
    return kernel_s;
}

/* ---- rows ---- */

enum {
    BENCHMARK,
    DATASET,
    SIZE,
    ROUNDS,
    STREAMS,
    CHUNK_SIZE,
    CHUNKS,
    BLOCK_X,
    BLOCK_Y,
    OUTCOME,
    STREAMS_USED,
    CHUNK_SIZE_USED,
    DEVICE_BYTES,
    USED_BYTES,
    FOOTPRINT_BYTES,
    BYTES_TO_DEVICE,
    BYTES_FROM_DEVICE,
    COPIES,
    API_CALLS,
    HOST_CPU_S,
    TO_DEVICE_S,
    KERNEL_S,
    FROM_DEVICE_S,
    BOUND_S,
    BOUND_SHARE,
    BANDWIDTH_TO_DEVICE_GBS,
    COLUMNS
};

const struct column pipeline_columns[COLUMNS + 1] = {
    [BENCHMARK] = {"benchmark", COLUMN_PARAMETER, "the workload"},
    [DATASET] = {"dataset", COLUMN_PARAMETER, "its data set, as named on the command line"},
    [SIZE] = {"size", COLUMN_PARAMETER, "the data set's size, in the workload's own measure"},
    [ROUNDS] = {"rounds", COLUMN_PARAMETER, "repetitions of the loop in one run"},
    [STREAMS] = {"streams", COLUMN_PARAMETER, "streams asked for; empty: chosen by measurements"},
    [CHUNK_SIZE] = {"chunk_size", COLUMN_PARAMETER, "iterations per chunk asked for; as streams"},
    [CHUNKS] = {"chunks", COLUMN_PARAMETER, "chunks that follow from chunk_size; as streams"},
    [BLOCK_X] = {"block_x", COLUMN_PARAMETER, "threads of a block along x; empty: the workload's"},
    [BLOCK_Y] = {"block_y", COLUMN_PARAMETER, "threads of a block along y; empty: the workload's"},
    [OUTCOME] = {"outcome", COLUMN_METRIC, "ok, or `does not fit` the budget of device memory"},
    [STREAMS_USED] = {"streams_used", COLUMN_METRIC, "streams after fitting into the budget"},
    [CHUNK_SIZE_USED] = {"chunk_size_used", COLUMN_METRIC, "iterations per chunk after fitting"},
    [DEVICE_BYTES] = {"device_bytes", COLUMN_METRIC, "device memory allocated for the region"},
    [USED_BYTES] = {"used_bytes", COLUMN_METRIC,
                    "device memory in use meanwhile, CUDA's context included"},
    [FOOTPRINT_BYTES] = {"footprint_bytes", COLUMN_METRIC, "bytes of all arrays as a whole"},
    [BYTES_TO_DEVICE] = {"bytes_to_device", COLUMN_METRIC, "bytes copied in"},
    [BYTES_FROM_DEVICE] = {"bytes_from_device", COLUMN_METRIC, "bytes copied out"},
    [COPIES] = {"copies", COLUMN_METRIC, "copy calls"},
    [API_CALLS] = {"api_calls", COLUMN_METRIC, "calls of the CUDA runtime"},
    [HOST_CPU_S] = {"host_cpu_s", COLUMN_METRIC, "CPU time of the calling thread"},
    [TO_DEVICE_S] = {"to_device_s", COLUMN_METRIC, "time of the copies in, of naive"},
    [KERNEL_S] = {"kernel_s", COLUMN_METRIC, "time of the kernels, of naive"},
    [FROM_DEVICE_S] = {"from_device_s", COLUMN_METRIC, "time of the copies out, of naive"},
    [BOUND_S] = {"bound_s", COLUMN_METRIC,
                 "no execution in chunks of that size can take less, with the measured rates of "
                 "the link and the least measured time of the kernels; of naive: chunks of 1"},
    [BOUND_SHARE] = {"bound_share", COLUMN_METRIC, "bound_s / time_s"},
    [BANDWIDTH_TO_DEVICE_GBS] = {"bandwidth_to_device_gbs", COLUMN_METRIC,
                                 "bytes_to_device / to_device_s of naive, / time_s of the others, "
                                 "in 10^9 byte/s"},
};

static struct value real_or_none(double number)
{
    return isnan(number) ? none() : real(number);
}

static struct value extent(unsigned threads)
{
    return threads ? integer(threads) : none();
}

static long chunk_of(const struct pipeline_execution *execution, long iterations)
{
    bool whole = execution->version == COPIES_NAIVE || execution->options.chunk_size > iterations;
    return whole ? iterations : execution->options.chunk_size;
}

static void set_parameters(const struct bench_configuration *configuration, const char *dataset,
                           struct value *values)
{
    const struct benchmark *benchmark = configuration->benchmark;
    const struct dm_region *region = &benchmark->region;
    const struct pipeline_execution *execution = configuration->options;
    long iterations = region->end - region->begin, chunk = chunk_of(execution, iterations);
    values[BENCHMARK] = text(benchmark->kind->name);
    values[DATASET] = text(dataset);
    values[SIZE] = integer((int64_t)benchmark->size);
    values[ROUNDS] = integer(region->rounds);
    if (!execution->chosen) {
        values[STREAMS] =
            integer(execution->version == COPIES_NAIVE ? 1 : execution->options.streams);
        values[CHUNK_SIZE] = integer(chunk);
        values[CHUNKS] = integer((iterations + chunk - 1) / chunk);
    }
    values[BLOCK_X] = extent(region->block.x);
    values[BLOCK_Y] = extent(region->block.y);
    values[FOOTPRINT_BYTES] = integer((int64_t)dm_region_footprint(region));
}

static void set_report(const struct bench_configuration *configuration,
                       const struct copies_report *report, double time_s, struct value *values)
{
    values[OUTCOME] = text("ok");
    values[STREAMS_USED] = integer(report->streams);
    values[CHUNK_SIZE_USED] = integer(report->chunk_size);
    values[DEVICE_BYTES] = integer((int64_t)report->device_bytes);
    if (configuration->used_known)
        values[USED_BYTES] = integer((int64_t)configuration->used_bytes);
    values[BYTES_TO_DEVICE] = integer((int64_t)report->bytes_to_device);
    values[BYTES_FROM_DEVICE] = integer((int64_t)report->bytes_from_device);
    values[COPIES] = integer(report->copies);
    values[API_CALLS] = integer(report->api_calls);
    values[HOST_CPU_S] = real(report->host_cpu_s);
    values[TO_DEVICE_S] = real_or_none(report->to_device_s);
    values[KERNEL_S] = real_or_none(report->kernel_s);
    values[FROM_DEVICE_S] = real_or_none(report->from_device_s);
    double to_device_s = isnan(report->to_device_s) ? time_s : report->to_device_s;
    values[BANDWIDTH_TO_DEVICE_GBS] = real(1e-9 * (double)report->bytes_to_device / to_device_s);
}

static void set_bound(const struct bench_configuration *configuration,
                      const struct copies_report *report, const struct link_rates *link,
                      double kernel_s, double time_s, struct value *values)
{
    const struct dm_region *region = &configuration->benchmark->region;
    const struct pipeline_execution *execution = configuration->options;
    long chunk = execution->version == COPIES_NAIVE ? 1 : report->chunk_size;
    double bound_s = (double)region->rounds * link_bound_s(link, region, kernel_s, chunk);
    values[BOUND_S] = real_or_none(bound_s);
    values[BOUND_SHARE] = real_or_none(bound_s / time_s);
}

void pipeline_record(struct run *run, const struct bench_configuration *configuration,
                     const char *dataset, const struct link_rates *link, double kernel_s)
{
    struct value values[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        values[i] = none();
    set_parameters(configuration, dataset, values);
    if (configuration->reason) {
        program_note(run, "%s", configuration->reason);
        values[OUTCOME] = text("does not fit");
        record_values(run, configuration->variant, 0, values, NAN, 0);
    }
    for (size_t i = 0; i < configuration->subject.count; i++) {
        const struct copies_report *report = bench_report(configuration, i);
        double time_s = configuration->subject.times_s[i];
        set_report(configuration, report, time_s, values);
        set_bound(configuration, report, link, kernel_s, time_s, values);
        record_values(run, configuration->variant, (int)i, values, time_s, configuration->errors);
    }
}
