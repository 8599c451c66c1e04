/* pipeline_calls: what a pipeline is made of: copies by length, calls, overlap, and the share of
 * computing. */
#include "common/harness/program.h"

#include "pipeline_call_cost.h"
#include "many_copies.h"
#include "common/regions/workload_lists.h"
#include "pipeline_overlap.h"
#include "pipeline_rows.h"

enum { COPY_1D, COPY_2D, CALL, OVERLAP_STREAMS, OVERLAP_DEFAULT, ORDER, COMPUTE_RATIO };

static const struct variant variants[] = {
    [COPY_1D] = {"copy-1d", "contiguous copies to the device"},
    [COPY_2D] = {"copy-2d", "the same bytes as panels of columns of a matrix"},
    [CALL] = {"call", "host time of one asynchronous call"},
    [OVERLAP_STREAMS] = {"overlap-streams", "a copy and a kernel on two streams"},
    [OVERLAP_DEFAULT] = {"overlap-default", "a copy and a kernel on the default stream"},
    [ORDER] = {"order", "copies and kernels one after the other on one stream"},
    [COMPUTE_RATIO] = {"compute-ratio", "kernels against copies of a loop executed naively"},
    {0},
};

enum { OPERATION, BYTES, CHUNKS, BANDWIDTH_GBS, CALL_S, OVERLAP_S, RATIO, COLUMNS };

static const struct column columns[COLUMNS + 1] = {
    [OPERATION] = {"operation", COLUMN_PARAMETER, "what is measured, or the workload"},
    [BYTES] = {"bytes", COLUMN_PARAMETER, "of one copy; of a workload: of all its arrays"},
    [CHUNKS] = {"chunks", COLUMN_PARAMETER, "copies enqueued without waiting"},
    [BANDWIDTH_GBS] = {"bandwidth_gbs", COLUMN_METRIC, "bytes * chunks / time_s, 10^9 byte/s"},
    [CALL_S] = {"call_s", COLUMN_METRIC, "host time of one call"},
    [OVERLAP_S] = {"overlap_s", COLUMN_METRIC, "time during which both ran, by events"},
    [RATIO] = {"ratio", COLUMN_METRIC, "kernel_s / (to_device_s + from_device_s)"},
};

static const char *benchmarks = "conv2d,pooling,transpose", *datasets = "small";
static int64_t most_copies = 4096;

static const struct program_option options[] = {
    {"copies", OPTION_INTEGER, &most_copies, "N", "most copies enqueued without waiting", 1, 1e6},
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST", "workloads NAME[:DATASET] of compute-ratio", 0,
     0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {0},
};

static void clear(struct value *values)
{
    for (int i = 0; i < COLUMNS; i++)
        values[i] = none();
}

/* ---- copies ---- */

static void record_copies(struct run *run, const struct subject *subject,
                          const struct many_copies *copies, long wrong)
{
    struct value values[COLUMNS];
    clear(values);
    values[OPERATION] = text("to_device");
    values[BYTES] = integer((int64_t)copies->bytes);
    values[CHUNKS] = integer((int64_t)copies->count);
    for (size_t i = 0; i < subject->count; i++) {
        double bytes = (double)copies->bytes * (double)copies->count;
        values[BANDWIDTH_GBS] = real(1e-9 * bytes / subject->times_s[i]);
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

/* Both kinds of copies of one length, interleaved. */
static void measure_copies(struct run *run, size_t bytes, size_t total_bytes)
{
    struct many_copies copies[2];
    struct subject subjects[2];
    size_t count = 0;
    for (int variant = COPY_1D; variant <= COPY_2D; variant++) {
        bool panels = variant == COPY_2D;
        if (!program_wants(run, variants[variant].name) ||
            !many_copies_possible(panels, bytes, total_bytes))
            continue;
        many_copies_open(&copies[count], panels, bytes, total_bytes, (size_t)most_copies,
                         run->settings.seed);
        subjects[count] = (struct subject){.variant = variants[variant].name,
                                           .sample = many_copies_sample,
                                           .context = &copies[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        long wrong = run->settings.check ? many_copies_errors(&copies[i]) : 0;
        record_copies(run, &subjects[i], &copies[i], wrong);
        many_copies_close(&copies[i]);
    }
    measure_free(subjects, count);
}

/* ---- calls ---- */

static void measure_calls(struct run *run)
{
    struct calls calls;
    struct call kinds[CALL_KINDS];
    struct subject subjects[CALL_KINDS];
    struct value values[COLUMNS];
    calls_open(&calls);
    for (int kind = 0; kind < CALL_KINDS; kind++) {
        kinds[kind] = (struct call){&calls, kind};
        subjects[kind] = (struct subject){
            .variant = variants[CALL].name, .sample = calls_sample, .context = &kinds[kind]};
    }
    measure(run, subjects, CALL_KINDS);
    long wrong = run->settings.check ? calls_errors(&calls) : 0;
    clear(values);
    for (int kind = 0; kind < CALL_KINDS; kind++)
        for (size_t i = 0; i < subjects[kind].count; i++) {
            double call_s = subjects[kind].times_s[i];
            values[OPERATION] = text(calls_names[kind]);
            values[CALL_S] = real(call_s);
            record_values(run, variants[CALL].name, (int)i, values, call_s, wrong);
        }
    measure_free(subjects, CALL_KINDS);
    calls_close(&calls);
}

/* ---- overlap and order ---- */

/* Repetitions of what is counted rather than timed. */
static int repetitions(const struct run *run)
{
    return run->settings.iterations > 0 ? run->settings.iterations : 10;
}

static void measure_overlap(struct run *run, size_t bytes)
{
    struct overlap overlap;
    struct value values[COLUMNS];
    clear(values);
    values[OPERATION] = text("copy-and-kernel");
    values[BYTES] = integer((int64_t)bytes);
    overlap_open(&overlap, bytes, run->settings.seed);
    for (int i = 0; i < repetitions(run); i++)
        for (int variant = OVERLAP_STREAMS; variant <= OVERLAP_DEFAULT; variant++) {
            if (!program_wants(run, variants[variant].name))
                continue;
            double overlap_s;
            double time_s = overlap_run(&overlap, variant == OVERLAP_DEFAULT, &overlap_s);
            values[OVERLAP_S] = real(overlap_s);
            record_values(run, variants[variant].name, i, values, time_s, 0);
        }
    overlap_close(&overlap);
}

static void measure_order(struct run *run)
{
    struct chain chain;
    struct value values[COLUMNS];
    clear(values);
    values[OPERATION] = text("copy-kernel-copy");
    values[BYTES] = integer(CHAIN_ELEMENTS * (int64_t)sizeof(unsigned));
    values[CHUNKS] = integer(CHAIN_LINKS);
    chain_open(&chain, run->settings.seed);
    for (int i = 0; i < repetitions(run); i++) {
        double time_s = chain_run(&chain);
        record_values(run, variants[ORDER].name, i, values, time_s, chain_violations(&chain));
    }
    chain_close(&chain);
}

/* ---- kernels against copies ---- */

static void measure_ratio(struct run *run, const struct listed_workload *workload)
{
    struct benchmark *benchmark = benchmark_create(workload->kind, workload->size, workload->rounds,
                                                   MEMORY_PINNED, run->settings.seed);
    struct pipeline_execution execution = {.version = COPIES_NAIVE,
                                           .options = {.chunk_size = 1, .streams = 1}};
    struct bench_configuration configuration = {.variant = variants[COMPUTE_RATIO].name,
                                                .benchmark = benchmark,
                                                .method = &pipeline_method,
                                                .options = &execution};
    struct value values[COLUMNS];
    clear(values);
    values[OPERATION] = text(workload->kind->name);
    values[BYTES] = integer((int64_t)dm_region_footprint(&benchmark->region));
    bench_measure(run, &configuration, 1);
    if (configuration.reason)
        fail("%s: %s", workload->kind->name, configuration.reason);
    for (size_t i = 0; i < configuration.subject.count; i++) {
        const struct copies_report *report = bench_report(&configuration, i);
        values[RATIO] = real(report->kernel_s / (report->to_device_s + report->from_device_s));
        record_values(run, configuration.variant, (int)i, values, configuration.subject.times_s[i],
                      configuration.errors);
    }
    bench_free(&configuration, 1);
    benchmark_release(benchmark);
}

static void run_all(struct run *run)
{
    size_t largest = 0;
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, 1);
    for (size_t i = 0; i < run->settings.size_count; i++)
        largest = run->settings.sizes[i] > largest ? run->settings.sizes[i] : largest;
    if (largest < sizeof(float))
        fail("copies of %zu bytes are too short: choose at least %zu", largest, sizeof(float));
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_copies(run, run->settings.sizes[i], largest);
    if (program_wants(run, "call"))
        measure_calls(run);
    if (program_wants(run, "overlap-streams") || program_wants(run, "overlap-default"))
        measure_overlap(run, largest);
    if (program_wants(run, "order"))
        measure_order(run);
    for (size_t i = 0; program_wants(run, "compute-ratio") && i < workloads.count; i++)
        measure_ratio(run, &workloads.values[i]);
    free_workloads(&workloads);
}

static const size_t default_sizes[] = {256,       1 << 10, 4 << 10, 16 << 10, 64 << 10,
                                       256 << 10, 1 << 20, 4 << 20, 16 << 20, 0};

const struct program program = {
    .name = "pipeline_calls",
    .summary = "measures what pipelines are made of: copies, calls, overlap and order",
    .details =
        "Sizes are bytes of one copy, cut from memory of the largest size; a panel is as wide as\n"
        "its length and the rows of a nearly square matrix allow, and lengths of less than one\n"
        "float per row are left out. Overlap takes a copy of the largest size. time_s of copies\n"
        "is of all, of calls of one. Host memory is page-locked. order counts as errors each\n"
        "operation that began before the one before it had ended, and each wrong element.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .default_begin = 256,
    .default_end = 16 << 20,
    .uses_gpu = true,
    .run = run_all,
};
