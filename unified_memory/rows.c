/* rows.c: the rows of versions.h. */
#include <math.h>

#include "common/harness/program.h"

#include "versions.h"

struct row {
    const char *benchmark, *dataset;
    size_t size;
    double share_of_capacity;
    int64_t capacity_bytes;
    long rounds;
    bool updates;
    long chunk_size;
    int streams;
    int64_t chunks;
    const char *outcome;
    size_t footprint_bytes;
    int64_t bytes_to_device, bytes_from_device, device_faults, host_faults, evictions;
    int64_t copies, prefetched_bytes, api_calls;
    double to_device_s, kernel_s, from_device_s, between_s, read_s;
    bool oversubscribed;
};

const struct column versions_columns[] = {
    PARAMETER(struct row, benchmark, "workload"),
    PARAMETER(struct row, dataset, "its data set; empty: by share of the capacity"),
    PARAMETER(struct row, size, "its size"),
    PARAMETER(struct row, share_of_capacity, "requested; footprint_bytes is what it became"),
    PARAMETER(struct row, capacity_bytes, "device memory to be used; empty: all"),
    PARAMETER(struct row, rounds, "repetitions of the loop in one run"),
    PARAMETER(struct row, updates, "1: the host changes the data between rounds"),
    PARAMETER(struct row, chunk_size, "iterations per chunk"),
    PARAMETER(struct row, streams, "streams, used round-robin"),
    METRIC(struct row, chunks, "chunks of a round"),
    METRIC(struct row, outcome, "ok, or `does not fit` the capacity"),
    METRIC(struct row, footprint_bytes, "bytes of all arrays"),
    METRIC(struct row, bytes_to_device,
           "bytes copied or migrated to the device; empty: not known, or records of the driver "
           "were lost"),
    METRIC(struct row, bytes_from_device, "and from it"),
    METRIC(struct row, device_faults, "page faults of kernels (CUDA: groups)"),
    METRIC(struct row, host_faults, "page faults of the host"),
    METRIC(struct row, evictions, "pieces that left a full device"),
    METRIC(struct row, copies, "calls that copy, or prefetches that replace copies"),
    METRIC(struct row, prefetched_bytes, "bytes that these prefetches bring to the device"),
    METRIC(struct row, api_calls, "calls of the CUDA runtime"),
    METRIC(struct row, to_device_s, "copies or prefetches to the device; of naive, and --phases"),
    METRIC(struct row, kernel_s, "kernels with their page faults; likewise"),
    METRIC(struct row, from_device_s, "copies or prefetches to the host; likewise"),
    METRIC(struct row, between_s, "changes of the data between rounds with their page faults"),
    METRIC(struct row, read_s, "reading the results of managed memory, with page faults"),
    METRIC(struct row, oversubscribed, "1: managed memory was more than the device had"),
    {0},
};

static int64_t counted(bool known, unsigned long long number)
{
    return known ? (int64_t)number : NO_VALUE;
}

/* What is known before the measurement, and nothing else. */
static struct row row_of(const struct versions_case *what,
                         const struct bench_configuration *configuration, bool limited)
{
    const struct execution *execution = configuration->options;
    const size_t footprint = dm_region_footprint(&configuration->benchmark->region);
    const bool has_capacity = what->capacity_bytes > 0;

    return (struct row){.benchmark = configuration->benchmark->kind->name,
                        .dataset = what->dataset,
                        .size = what->size,
                        .share_of_capacity = has_capacity ? what->share : NAN,
                        .capacity_bytes = counted(has_capacity, what->capacity_bytes),
                        .rounds = what->rounds,
                        .updates = what->updates,
                        .chunk_size = execution->managed.chunk_size,
                        .streams = execution->managed.streams,
                        .chunks = NO_VALUE,
                        .outcome = "does not fit",
                        .footprint_bytes = footprint,
                        .bytes_to_device = NO_VALUE,
                        .bytes_from_device = NO_VALUE,
                        .device_faults = NO_VALUE,
                        .host_faults = NO_VALUE,
                        .evictions = NO_VALUE,
                        .copies = NO_VALUE,
                        .prefetched_bytes = NO_VALUE,
                        .api_calls = NO_VALUE,
                        .to_device_s = NAN,
                        .kernel_s = NAN,
                        .from_device_s = NAN,
                        .between_s = NAN,
                        .read_s = NAN,
                        .oversubscribed =
                            execution->is_managed && limited && footprint > what->capacity_bytes};
}

static void set_traffic(struct row *row, const struct unified_traffic *traffic)
{
    row->bytes_to_device = counted(traffic->known, traffic->bytes_to_device);
    row->bytes_from_device = counted(traffic->known, traffic->bytes_from_device);
    row->evictions = counted(traffic->known, traffic->evictions);
    row->device_faults = counted(traffic->faults_known, traffic->device_faults);
    row->host_faults = counted(traffic->faults_known, traffic->host_faults);
}

static void set_report(struct row *row, const struct bench_configuration *configuration)
{
    const struct execution *execution = configuration->options;
    const struct copies_report *report = bench_report(configuration, 0);
    struct unified_traffic traffic;

    row->outcome = "ok";
    row->chunks = report->chunks;
    row->copies = report->copies;
    row->api_calls = report->api_calls;
    if (execution->is_managed) {
        check_status(count_traffic(execution, &traffic));
        set_traffic(row, &traffic);
        row->prefetched_bytes = (int64_t)report->bytes_to_device;
    } else {
        row->bytes_to_device = (int64_t)report->bytes_to_device;
        row->bytes_from_device = (int64_t)report->bytes_from_device;
    }
}

static void set_phases(struct row *row, const struct copies_report *report)
{
    row->to_device_s = report->to_device_s;
    row->kernel_s = report->kernel_s;
    row->from_device_s = report->from_device_s;
    row->between_s = report->between_s;
    row->read_s = report->read_s;
}

void record_version(struct run *run, const struct versions_case *what,
                    const struct bench_configuration *configuration, bool limited)
{
    struct row row = row_of(what, configuration, limited);

    if (configuration->reason) {
        program_note(run, "%s does not fit: %s", configuration->variant, configuration->reason);
        record_row(run, configuration->variant, 0, &row, NAN, 0);
        return;
    }
    set_report(&row, configuration);
    for (size_t i = 0; i < configuration->subject.count; i++) {
        set_phases(&row, bench_report(configuration, i));
        record_row(run, configuration->variant, (int)i, &row, configuration->subject.times_s[i],
                   configuration->errors);
    }
}
