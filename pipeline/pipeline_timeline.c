/* pipeline_timeline: when each copy and each chunk of kernels ran, and whether all was in place. */
#include "common/harness/program.h"
#include "common/regions/copies.h"
#include "common/regions/kernel_time.h"
#include "common/regions/workload_lists.h"

#include "residency.h"

static const struct variant variants[] = {
    {"framework", "ring buffers"},
    {"pipeline", "whole arrays on the device"},
    {0},
};
static const enum copies_version versions[] = {COPIES_RINGS, COPIES_STREAMS};

static const char *benchmarks = "stencil", *datasets = "tiny";
static int64_t streams = 2, chunk_size = 1, rounds = 1;
static size_t budget;

static const struct program_option options[] = {
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST", "workloads NAME[:DATASET[:ROUNDS]]", 0, 0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {"rounds", OPTION_INTEGER, &rounds, "N",
     "repetitions of the loop, of benchmarks without a number", 1, 1e6},
    {"streams", OPTION_INTEGER, &streams, "N", "streams", 1, COPIES_STREAMS_MAX},
    {"chunk-size", OPTION_INTEGER, &chunk_size, "N", "iterations per chunk", 1, 1e9},
    {"budget", OPTION_SIZE, &budget, "BYTES", "device memory that may be used; 0: what is free", 0,
     0},
    {0},
};

struct row {
    const char *benchmark, *operation;
    int64_t round, chunk;
    const char *array;
    int64_t first_slice, end_slice, slot, slots, stream;
    double start_s, end_s;
    bool resident_ok;
};
static const struct column columns[] = {
    PARAMETER(struct row, benchmark, "the workload"),
    PARAMETER(struct row, operation, "to_device, kernel or from_device"),
    PARAMETER(struct row, round, "round of the loop, from 0"),
    PARAMETER(struct row, chunk, "chunk of iterations, from 0"),
    PARAMETER(struct row, array, "array that is copied"),
    PARAMETER(struct row, first_slice, "first slice; of kernels: first iteration"),
    PARAMETER(struct row, end_slice, "slice or iteration after the last one"),
    PARAMETER(struct row, slot, "slot of the first slice; empty: no ring buffer"),
    PARAMETER(struct row, slots, "slots of the ring buffer"),
    PARAMETER(struct row, stream, "stream, from 0"),
    METRIC(struct row, start_s, "begin on the device, from the start of the run"),
    METRIC(struct row, end_s, "end on the device, from the start of the run"),
    METRIC(struct row, resident_ok,
           "1: all slices that were needed were in their slots until the end"),
    {0},
};

static const char *const operations[] = {[TRACE_TO_DEVICE] = "to_device",
                                         [TRACE_KERNEL] = "kernel",
                                         [TRACE_FROM_DEVICE] = "from_device"};

static void record_entry(struct run *run, const char *variant, const struct dm_region *region,
                         const struct copies_trace *trace, long index, long wrong)
{
    const struct trace_entry *entry = &trace->entries[index];
    const bool copy = entry->kind != TRACE_KERNEL, ring = copy && entry->slots > 0;
    const struct row row = {.benchmark = region->name,
                            .operation = operations[entry->kind],
                            .round = entry->round,
                            .chunk = entry->chunk,
                            .array = copy ? region->arrays[entry->array].name : NULL,
                            .first_slice = entry->first,
                            .end_slice = entry->end,
                            .slot = ring ? entry->slot : NO_VALUE,
                            .slots = ring ? entry->slots : NO_VALUE,
                            .stream = entry->stream,
                            .start_s = entry->start_s,
                            .end_s = entry->end_s,
                            .resident_ok = residency_in_order(region, trace, index)};
    record_row(run, variant, 0, &row, entry->end_s - entry->start_s, wrong + !row.resident_ok);
}

static void trace_version(struct run *run, int number, struct benchmark *benchmark)
{
    struct copies_trace *trace;
    struct copies_plan *plan;
    struct copies_report report;
    check_status(copies_trace_create(&trace));
    const struct copies_options chosen = {.chunk_size = chunk_size,
                                          .streams = (int)streams,
                                          .budget_bytes = device_budget(budget),
                                          .trace = trace};
    if (copies_open(&plan, versions[number], &benchmark->region, &chosen) != DM_OK)
        fail("%s of %s: %s", variants[number].name, benchmark->kind->name, dm_message());
    benchmark_reset(benchmark);
    check_status(copies_run(plan, &report));
    const long wrong = run->settings.check ? benchmark_errors(benchmark) : 0;
    for (long i = 0; i < trace->count; i++)
        record_entry(run, variants[number].name, &benchmark->region, trace, i, wrong);
    copies_close(plan);
    copies_trace_release(trace);
}

static void run_all(struct run *run)
{
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, rounds);
    for (size_t i = 0; i < workloads.count; i++) {
        const struct listed_workload *workload = &workloads.values[i];
        struct benchmark *benchmark = benchmark_create(
            workload->kind, workload->size, workload->rounds, MEMORY_PINNED, run->settings.seed);
        for (int number = 0; variants[number].name; number++)
            if (program_wants_variant(run, number))
                trace_version(run, number, benchmark);
        benchmark_release(benchmark);
    }
    free_workloads(&workloads);
}

const struct program program = {
    .name = "pipeline_timeline",
    .summary = "notes when copies and kernels of a pipeline run, and judges their order",
    .details = "One row per copy and per chunk of kernels, of one run; options for repetitions\n"
               "have no effect. time_s is the length of the operation. errors counts wrong\n"
               "elements of the result and operations out of order.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
