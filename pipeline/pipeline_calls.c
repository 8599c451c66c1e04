/* pipeline_calls: what a pipeline is made of: copies by length, calls, overlap, and the share of
 * computing. */
#include <math.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/regions/workload_lists.h"

#include "call_cost.h"
#include "many_copies.h"
#include "overlap.h"
#include "rows.h"

enum { CALL = COPY_2D + 1, OVERLAP_STREAMS, OVERLAP_DEFAULT, ORDER, COMPUTE_RATIO };

static const struct variant variants[] = {
    [COPY_1D] = {"copy-1d", "contiguous copies to the device"},
    [COPY_2D] = {"copy-2d", "the same bytes as panels of columns of a matrix"},
    [CALL] = {"call", "host time of one asynchronous call"},
    [OVERLAP_STREAMS] = {"overlap-streams", "a copy and a kernel on two streams"},
    [OVERLAP_DEFAULT] = {"overlap-default", "a copy and a kernel on the default stream"},
    [ORDER] = {"order", "copies and kernels one after the other on one stream"},
    [COMPUTE_RATIO] = {"compute-ratio", "kernels against copies of a loop executed naively"},
    [COMPUTE_RATIO + 1] = {0},
};

struct row {
    const char *operation;
    int64_t bytes, chunks;
    double bandwidth_gbs, call_s, overlap_s, ratio;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "what is measured, or the workload"),
    PARAMETER(struct row, bytes, "of one copy; of a workload: of all its arrays"),
    PARAMETER(struct row, chunks, "copies enqueued without waiting"),
    METRIC(struct row, bandwidth_gbs, "bytes * chunks / time_s, 10^9 byte/s"),
    METRIC(struct row, call_s, "host time of one call"),
    METRIC(struct row, overlap_s, "time during which both ran, by events"),
    METRIC(struct row, ratio, "kernel_s / (to_device_s + from_device_s)"),
    {0},
};

static const char *benchmarks = "conv2d,pooling,transpose", *datasets = "small";
static int64_t copies_max = 4096;

static const struct program_option options[] = {
    {"copies", OPTION_INTEGER, &copies_max, "N", "maximum of copies enqueued without waiting", 1,
     1e6},
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST", "workloads NAME[:DATASET] of compute-ratio", 0,
     0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {0},
};

static struct row row_of(const char *operation, int64_t bytes, int64_t chunks)
{
    return (struct row){operation, bytes, chunks, NAN, NAN, NAN, NAN};
}

/* ---- copies: both kinds of one length, interleaved ---- */

static void fill_copies(const void *task, double time_s, void *row)
{
    const struct many_copies *copies = task;
    struct row filled = row_of("to_device", (int64_t)copies->bytes, (int64_t)copies->count);
    filled.bandwidth_gbs = 1e-9 * (double)copies->bytes * (double)copies->count / time_s;
    *(struct row *)row = filled;
}

static const struct comparison copies_comparison = {.task_bytes = TASK(struct many_copies),
                                                    .row_bytes = sizeof(struct row),
                                                    .open = many_copies_open,
                                                    .sample = many_copies_sample,
                                                    .row = fill_copies,
                                                    .verify = many_copies_verify,
                                                    .close = many_copies_close};

static void measure_copies(struct run *run, size_t bytes, size_t total_bytes)
{
    const struct many_copies copies = {.bytes = bytes,
                                       .total_bytes = total_bytes,
                                       .count_max = (size_t)copies_max,
                                       .seed = run->settings.seed};
    compare_first_variants(run, &copies_comparison, &copies, COPY_2D + 1);
}

/* ---- calls: all kinds, interleaved ---- */

static void fill_call(const void *task, double time_s, void *row)
{
    struct row filled = row_of(calls_names[((const struct call *)task)->kind], NO_VALUE, NO_VALUE);
    filled.call_s = time_s;
    *(struct row *)row = filled;
}

static const struct comparison calls_comparison = {.task_bytes = TASK(struct call),
                                                   .row_bytes = sizeof(struct row),
                                                   .sample = calls_sample,
                                                   .row = fill_call,
                                                   .verify = calls_verify};

static void measure_calls(struct run *run)
{
    struct calls calls;
    struct call tasks[CALL_KINDS];
    calls_open(&calls);
    for (int kind = 0; kind < CALL_KINDS; kind++)
        tasks[kind] = (struct call){CALL, &calls, (enum call_kind)kind};
    compare_tasks(run, &calls_comparison, tasks, CALL_KINDS);
    calls_close(&calls);
}

/* ---- overlap and order: counted rather than timed ---- */

static int repetitions(const struct run *run)
{
    return run->settings.iterations > 0 ? run->settings.iterations : 10;
}

static void measure_overlap(struct run *run, size_t bytes)
{
    struct overlap overlap;
    struct row row = row_of("copy-and-kernel", (int64_t)bytes, NO_VALUE);
    overlap_open(&overlap, bytes, run->settings.seed);
    for (int i = 0; i < repetitions(run); i++)
        for (int variant = OVERLAP_STREAMS; variant <= OVERLAP_DEFAULT; variant++)
            if (program_wants_variant(run, variant)) {
                const double time_s =
                    overlap_run(&overlap, variant == OVERLAP_DEFAULT, &row.overlap_s);
                record_row(run, variants[variant].name, i, &row, time_s, 0);
            }
    overlap_close(&overlap);
}

static void measure_order(struct run *run)
{
    struct chain chain;
    const struct row row =
        row_of("copy-kernel-copy", CHAIN_ELEMENTS * (int64_t)sizeof(unsigned), CHAIN_LINKS);
    chain_open(&chain, run->settings.seed);
    for (int i = 0; i < repetitions(run); i++) {
        const double time_s = chain_run(&chain);
        record_row(run, variants[ORDER].name, i, &row, time_s, chain_violations(&chain));
    }
    chain_close(&chain);
}

/* ---- kernels against copies ---- */

static void measure_ratio(struct run *run, const struct listed_workload *workload)
{
    struct benchmark *benchmark = benchmark_create(workload->kind, workload->size, workload->rounds,
                                                   MEMORY_PINNED, run->settings.seed);
    const struct execution execution = {.version = COPIES_NAIVE,
                                        .options = {.chunk_size = 1, .streams = 1}};
    struct bench_configuration configuration = {.variant = variants[COMPUTE_RATIO].name,
                                                .benchmark = benchmark,
                                                .method = &rows_method,
                                                .options = &execution};
    struct row row =
        row_of(workload->kind->name, (int64_t)dm_region_footprint(&benchmark->region), NO_VALUE);
    bench_measure(run, &configuration, 1);
    if (configuration.reason)
        fail("%s: %s", workload->kind->name, configuration.reason);
    for (size_t i = 0; i < configuration.subject.count; i++) {
        const struct copies_report *report = bench_report(&configuration, i);
        row.ratio = report->kernel_s / (report->to_device_s + report->from_device_s);
        record_row(run, configuration.variant, (int)i, &row, configuration.subject.times_s[i],
                   configuration.errors);
    }
    bench_free(&configuration, 1);
    benchmark_release(benchmark);
}

static void run_all(struct run *run)
{
    const struct settings *settings = &run->settings;
    size_t largest = 0;
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, 1);
    for (size_t i = 0; i < settings->size_count; i++)
        largest = settings->sizes[i] > largest ? settings->sizes[i] : largest;
    if (largest < sizeof(float))
        fail("copies of %zu bytes are too short: choose at least %zu", largest, sizeof(float));
    for (size_t i = 0; i < settings->size_count; i++)
        measure_copies(run, settings->sizes[i], largest);
    if (program_wants_variant(run, CALL))
        measure_calls(run);
    if (program_wants_variant(run, OVERLAP_STREAMS) || program_wants_variant(run, OVERLAP_DEFAULT))
        measure_overlap(run, largest);
    if (program_wants_variant(run, ORDER))
        measure_order(run);
    for (size_t i = 0; program_wants_variant(run, COMPUTE_RATIO) && i < workloads.count; i++)
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
