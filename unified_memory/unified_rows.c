/* unified_rows.c: the rows of unified_bench. */
#include "unified_rows.h"

#include <math.h>

#include "common/harness/program.h"

enum {
    BENCHMARK,
    DATASET,
    SIZE,
    SHARE,
    CAPACITY,
    ROUNDS,
    UPDATES,
    CHUNK_SIZE,
    STREAMS,
    CHUNKS,
    OUTCOME,
    FOOTPRINT,
    BYTES_TO_DEVICE,
    BYTES_FROM_DEVICE,
    DEVICE_FAULTS,
    HOST_FAULTS,
    EVICTIONS,
    COPIES,
    PREFETCHED,
    API_CALLS,
    OVERSUBSCRIBED,
    COLUMNS
};

const struct column unified_columns[] = {
    [BENCHMARK] = {"benchmark", COLUMN_PARAMETER, "workload"},
    [DATASET] = {"dataset", COLUMN_PARAMETER, "its data set; empty: by share of the capacity"},
    [SIZE] = {"size", COLUMN_PARAMETER, "its size"},
    [SHARE] = {"share_of_capacity", COLUMN_PARAMETER,
               "asked for; footprint_bytes is what it became"},
    [CAPACITY] = {"capacity_bytes", COLUMN_PARAMETER, "device memory to do with; empty: all"},
    [ROUNDS] = {"rounds", COLUMN_PARAMETER, "repetitions of the loop in one run"},
    [UPDATES] = {"updates", COLUMN_PARAMETER, "1: the host changes the data between rounds"},
    [CHUNK_SIZE] = {"chunk_size", COLUMN_PARAMETER, "iterations per chunk"},
    [STREAMS] = {"streams", COLUMN_PARAMETER, "streams taken in turn"},
    [CHUNKS] = {"chunks", COLUMN_METRIC, "chunks of a round"},
    [OUTCOME] = {"outcome", COLUMN_METRIC, "ok, or `does not fit` the capacity"},
    [FOOTPRINT] = {"footprint_bytes", COLUMN_METRIC, "bytes of all arrays"},
    [BYTES_TO_DEVICE] =
        {"bytes_to_device", COLUMN_METRIC,
         "bytes copied or migrated to the device; empty: not known, or records of the "
         "driver were lost"},
    [BYTES_FROM_DEVICE] = {"bytes_from_device", COLUMN_METRIC, "and from it"},
    [DEVICE_FAULTS] = {"device_faults", COLUMN_METRIC, "page faults of kernels (CUDA: groups)"},
    [HOST_FAULTS] = {"host_faults", COLUMN_METRIC, "page faults of the host"},
    [EVICTIONS] = {"evictions", COLUMN_METRIC, "pieces that left a full device"},
    [COPIES] = {"copies", COLUMN_METRIC, "calls that copy, or prefetch in the place of a copy"},
    [PREFETCHED] = {"prefetched_bytes", COLUMN_METRIC,
                    "bytes that those calls bring to the device"},
    [API_CALLS] = {"api_calls", COLUMN_METRIC, "calls of the CUDA runtime"},
    [OVERSUBSCRIBED] = {"oversubscribed", COLUMN_METRIC,
                        "1: managed memory was more than the device had"},
    [COLUMNS] = {0},
};

static struct value counted(bool known, unsigned long long number)
{
    return known ? integer((int64_t)number) : none();
}

static void set_case(const struct unified_case *what,
                     const struct bench_configuration *configuration, bool limited,
                     struct value *values)
{
    const struct unified_execution *execution = configuration->options;
    size_t footprint = dm_region_footprint(&configuration->benchmark->region);

    values[BENCHMARK] = text(configuration->benchmark->kind->name);
    values[DATASET] = what->dataset ? text(what->dataset) : none();
    values[SIZE] = integer((int64_t)what->size);
    values[SHARE] = what->capacity_bytes ? real(what->share) : none();
    values[CAPACITY] = what->capacity_bytes ? integer((int64_t)what->capacity_bytes) : none();
    values[ROUNDS] = integer(what->rounds);
    values[UPDATES] = integer(what->updates);
    values[CHUNK_SIZE] = integer(execution->options.chunk_size);
    values[STREAMS] = integer(execution->options.streams);
    values[FOOTPRINT] = integer((int64_t)footprint);
    values[OVERSUBSCRIBED] =
        integer(execution->version->managed && limited && footprint > what->capacity_bytes);
}

static void set_report(const struct bench_configuration *configuration,
                       const struct unified_traffic *traffic, struct value *values)
{
    const struct unified_execution *execution = configuration->options;
    const struct copies_report *report = bench_report(configuration, 0);
    bool managed = execution->version->managed;

    values[OUTCOME] = text("ok");
    values[CHUNKS] = integer(report->chunks);
    values[COPIES] = integer(report->copies);
    values[API_CALLS] = integer(report->api_calls);
    if (!managed) {
        values[BYTES_TO_DEVICE] = integer((int64_t)report->bytes_to_device);
        values[BYTES_FROM_DEVICE] = integer((int64_t)report->bytes_from_device);
        return;
    }
    values[PREFETCHED] = integer((int64_t)report->bytes_to_device);
    values[BYTES_TO_DEVICE] = counted(traffic->known, traffic->bytes_to_device);
    values[BYTES_FROM_DEVICE] = counted(traffic->known, traffic->bytes_from_device);
    values[DEVICE_FAULTS] = counted(traffic->faults_known, traffic->device_faults);
    values[HOST_FAULTS] = counted(traffic->faults_known, traffic->host_faults);
    values[EVICTIONS] = counted(traffic->known, traffic->evictions);
}

void unified_record(struct run *run, const struct unified_case *what,
                    const struct bench_configuration *configuration, bool limited)
{
    const struct unified_execution *execution = configuration->options;
    struct unified_traffic traffic = {0};
    struct value values[COLUMNS] = {{0}};

    set_case(what, configuration, limited, values);
    if (configuration->reason) {
        program_note(run, "%s does not fit: %s", configuration->variant, configuration->reason);
        values[OUTCOME] = text("does not fit");
        record_values(run, configuration->variant, 0, values, NAN, 0);
        return;
    }
    if (execution->version->managed)
        unified_count_traffic(execution, &traffic);
    set_report(configuration, &traffic, values);
    for (size_t i = 0; i < configuration->subject.count; i++)
        record_values(run, configuration->variant, (int)i, values,
                      configuration->subject.times_s[i], configuration->errors);
}
