/* pipeline_timeline: when each copy and each chunk of kernels ran, and whether all was in place. */
#include <stdlib.h>

#include "common/harness/program.h"

#include "common/regions/workload_lists.h"
#include "pipeline_residency.h"
#include "pipeline_rows.h"

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

enum {
    BENCHMARK,
    OPERATION,
    ROUND,
    CHUNK,
    ARRAY,
    FIRST_SLICE,
    END_SLICE,
    SLOT,
    SLOTS,
    STREAM,
    START_S,
    END_S,
    RESIDENT_OK,
    COLUMNS
};

static const struct column columns[COLUMNS + 1] = {
    [BENCHMARK] = {"benchmark", COLUMN_PARAMETER, "the workload"},
    [OPERATION] = {"operation", COLUMN_PARAMETER, "to_device, kernel or from_device"},
    [ROUND] = {"round", COLUMN_PARAMETER, "round of the loop, from 0"},
    [CHUNK] = {"chunk", COLUMN_PARAMETER, "chunk of iterations, from 0"},
    [ARRAY] = {"array", COLUMN_PARAMETER, "array that is copied"},
    [FIRST_SLICE] = {"first_slice", COLUMN_PARAMETER, "first slice; of kernels: first iteration"},
    [END_SLICE] = {"end_slice", COLUMN_PARAMETER, "slice or iteration after the last one"},
    [SLOT] = {"slot", COLUMN_PARAMETER, "slot of the first slice; empty: no ring buffer"},
    [SLOTS] = {"slots", COLUMN_PARAMETER, "slots of the ring buffer"},
    [STREAM] = {"stream", COLUMN_PARAMETER, "stream, from 0"},
    [START_S] = {"start_s", COLUMN_METRIC, "begin on the device, from the start of the run"},
    [END_S] = {"end_s", COLUMN_METRIC, "end on the device, from the start of the run"},
    [RESIDENT_OK] = {"resident_ok", COLUMN_METRIC,
                     "1: all slices that were needed were in their slots until the end"},
};

static const char *const operations[] = {[TRACE_TO_DEVICE] = "to_device",
                                         [TRACE_KERNEL] = "kernel",
                                         [TRACE_FROM_DEVICE] = "from_device"};

static void record_entry(struct run *run, const char *variant, const struct dm_region *region,
                         const struct copies_trace *trace, long index, long wrong)
{
    const struct trace_entry *entry = &trace->entries[index];
    bool copy = entry->kind != TRACE_KERNEL, ring = copy && entry->slots > 0;
    bool in_order = pipeline_entry_in_order(region, trace, index);
    struct value values[COLUMNS] = {
        [BENCHMARK] = text(region->name),
        [OPERATION] = text(operations[entry->kind]),
        [ROUND] = integer(entry->round),
        [CHUNK] = integer(entry->chunk),
        [ARRAY] = copy ? text(region->arrays[entry->array].name) : none(),
        [FIRST_SLICE] = integer(entry->first),
        [END_SLICE] = integer(entry->end),
        [SLOT] = ring ? integer(entry->slot) : none(),
        [SLOTS] = ring ? integer(entry->slots) : none(),
        [STREAM] = integer(entry->stream),
        [START_S] = real(entry->start_s),
        [END_S] = real(entry->end_s),
        [RESIDENT_OK] = integer(in_order),
    };
    record_values(run, variant, 0, values, entry->end_s - entry->start_s, wrong + !in_order);
}

static void trace_version(struct run *run, int number, struct benchmark *benchmark)
{
    struct copies_trace *trace;
    check_status(copies_trace_create(&trace));
    struct copies_options chosen = {.chunk_size = chunk_size,
                                    .streams = (int)streams,
                                    .budget_bytes = device_budget(budget),
                                    .trace = trace};
    struct copies_plan *plan;
    if (copies_open(&plan, versions[number], &benchmark->region, &chosen) != DM_OK)
        fail("%s of %s: %s", variants[number].name, benchmark->kind->name, dm_message());
    struct copies_report report;
    benchmark_reset(benchmark);
    check_status(copies_run(plan, &report));
    long wrong = run->settings.check ? benchmark_errors(benchmark) : 0;
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
            if (program_wants(run, variants[number].name))
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
