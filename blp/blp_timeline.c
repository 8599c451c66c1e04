/* blp_timeline: what each block of a persistent kernel did and when, and whether it waited for what
 * it needed. */
#include <stdlib.h>

#include "common/harness/program.h"
#include "common/regions/workload_lists.h"

#include "bench_groups.h"
#include "bench_order.h"
#include "kernels/kernels.h"

enum { BLP, BLP_BUFFER, BLP_DYNAMIC };
static const struct variant variants[] = {
    [BLP] = {"blp", "whole arrays on the device"},
    [BLP_BUFFER] = {"blp-buffer", "ring buffers within a budget"},
    [BLP_DYNAMIC] = {"blp-dynamic", "blocks take copies and tasks from a queue"},
    {0},
};

static const char *benchmarks = "conv2d", *datasets = "tiny";
static const char *copy_blocks = "0";
static int64_t blocks, threads, task_size;
static double budget_share = 0.25;

static const struct program_option options[] = {
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST", "workloads NAME[:DATASET]", 0, 0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {"blocks", OPTION_INTEGER, &blocks, "N", "blocks of the kernel; 0: the library's choice", 0,
     65536},
    {"copy-blocks", OPTION_TEXT, &copy_blocks, "IN:OUT",
     "copy blocks, or one number for both directions; 0: the library's choice", 0, 0},
    {"threads", OPTION_INTEGER, &threads, "N", "threads of a block; 0: the library's choice", 0,
     1024},
    {"task-size", OPTION_INTEGER, &task_size, "N", "iterations of a task; 0: the library's choice",
     0, 1e9},
    {"budget", OPTION_REAL, &budget_share, "SHARE",
     "device memory of blp-buffer, as a share of the footprint", 0.0001, 100},
    {0},
};

enum {
    BENCHMARK,
    DATASET,
    ENTRY,
    BLOCK,
    ROLE,
    TASK,
    ARRAY,
    FIRST,
    END,
    READY_S,
    START_S,
    END_S,
    IN_ORDER,
    COLUMNS
};
static const struct column columns[COLUMNS + 1] = {
    [BENCHMARK] = {"benchmark", COLUMN_PARAMETER, "the workload"},
    [DATASET] = {"dataset", COLUMN_PARAMETER, "its data set"},
    [ENTRY] = {"entry", COLUMN_PARAMETER, "number of the row, by block and time"},
    [BLOCK] = {"block", COLUMN_PARAMETER, "of the persistent kernel, from 0"},
    [ROLE] = {"role", COLUMN_PARAMETER, "copy-in, compute or copy-out"},
    [TASK] = {"task", COLUMN_PARAMETER, "number of the task, or of the group of slices"},
    [ARRAY] = {"array", COLUMN_PARAMETER, "what is copied"},
    [FIRST] = {"first", COLUMN_PARAMETER, "first iteration; of copies: slice"},
    [END] = {"end", COLUMN_PARAMETER, "iteration or slice after the last one"},
    [READY_S] = {"ready_s", COLUMN_METRIC, "end of the wait for flags, from the first entry"},
    [START_S] = {"start_s", COLUMN_METRIC, "begin of that wait"},
    [END_S] = {"end_s", COLUMN_METRIC, "end of the work, before flags are raised"},
    [IN_ORDER] = {"in_order", COLUMN_METRIC,
                  "1: when ready, all slices or results that were needed were there"},
};

static const char *const roles[] = {
    [BLP_COPY_IN] = "copy-in", [BLP_COMPUTE] = "compute", [BLP_COPY_OUT] = "copy-out"};

static void record_entry(struct run *run, const char *variant, const char *dataset,
                         const struct dm_region *region, const struct blp_trace *trace, long index,
                         long wrong)
{
    const struct blp_trace_entry *entry = &trace->entries[index];
    const bool in_order = blp_bench_in_order(region, trace, index);
    struct value values[COLUMNS] = {
        [BENCHMARK] = text(region->name),
        [DATASET] = text(dataset),
        [ENTRY] = integer(index),
        [BLOCK] = integer(entry->block),
        [ROLE] = text(roles[entry->role]),
        [TASK] = integer(entry->task),
        [ARRAY] = entry->array >= 0 ? text(region->arrays[entry->array].name) : none(),
        [FIRST] = integer(entry->first),
        [END] = integer(entry->end),
        [READY_S] = real(entry->ready_s),
        [START_S] = real(entry->start_s),
        [END_S] = real(entry->end_s),
        [IN_ORDER] = integer(in_order),
    };
    record_values(run, variant, 0, values, entry->end_s - entry->start_s, wrong + !in_order);
}

static void trace_variant(struct run *run, int variant, struct benchmark *benchmark,
                          const char *dataset, struct blp_bench_group group)
{
    struct blp_options chosen = {0};
    struct blp_trace trace = {0};
    struct blp_plan *plan;
    chosen.blocks = (int)blocks;
    chosen.copy_in_blocks = group.in;
    chosen.copy_out_blocks = group.out;
    chosen.threads = (int)threads;
    chosen.task_size = (long)task_size;
    chosen.dynamic = variant == BLP_DYNAMIC;
    if (variant == BLP_BUFFER)
        chosen.budget_bytes =
            (size_t)(budget_share * (double)dm_region_footprint(&benchmark->region));
    chosen.trace = &trace;
    const struct blp_kernel *kernel = kernel_of(benchmark->kind->name);
    if (!kernel)
        fail("--benchmarks: there is no persistent kernel for %s", benchmark->kind->name);
    if (blp_open(&plan, &benchmark->region, kernel, &chosen) != DM_OK)
        fail("%s of %s: %s", variants[variant].name, benchmark->kind->name, dm_message());
    check_status(blp_run(plan, NULL)); /* loads the kernel */
    benchmark_reset(benchmark);
    check_status(blp_run(plan, NULL));
    const long wrong = run->settings.check ? benchmark_errors(benchmark) : 0;
    for (long i = 0; i < trace.count; i++)
        record_entry(run, variants[variant].name, dataset, &benchmark->region, &trace, i, wrong);
    blp_close(plan);
    blp_trace_release(&trace);
}

static void run_all(struct run *run)
{
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, 1);
    struct blp_bench_groups groups = blp_bench_read_copy_blocks("copy-blocks", copy_blocks, 65536);
    if (groups.count != 1)
        fail("--copy-blocks %s: one entry, not %zu", copy_blocks, groups.count);
    for (size_t i = 0; i < workloads.count; i++) {
        const struct listed_workload *workload = &workloads.values[i];
        if (workload->rounds != 1)
            fail("--benchmarks: one round is traced, not %ld", workload->rounds);
        struct benchmark *benchmark =
            benchmark_create(workload->kind, workload->size, 1, MEMORY_PINNED, run->settings.seed);
        benchmark_reset(benchmark);
        for (int variant = 0; variants[variant].name; variant++)
            if (program_wants(run, variants[variant].name))
                trace_variant(run, variant, benchmark, workload->dataset, groups.values[0]);
        benchmark_release(benchmark);
    }
    free(groups.values);
    free_workloads(&workloads);
}

const struct program program = {
    .name = "blp_timeline",
    .summary = "notes what the blocks of a persistent kernel do, and judges its order",
    .details = "One row per piece that is copied and per task, of one run after another that is\n"
               "not noted; options for repetitions have no effect. time_s is the time from the\n"
               "begin of the wait to the end of the work. errors counts wrong elements of the\n"
               "result, and what was not in order.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
