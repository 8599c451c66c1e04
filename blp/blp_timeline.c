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

struct row {
    const char *benchmark, *dataset;
    long entry;
    int block;
    const char *role;
    long task;
    const char *array;
    long first, end;
    double ready_s, start_s, end_s;
    bool in_order;
};
static const struct column columns[] = {
    PARAMETER(struct row, benchmark, "the workload"),
    PARAMETER(struct row, dataset, "its data set"),
    PARAMETER(struct row, entry, "number of the row, by block and time"),
    PARAMETER(struct row, block, "of the persistent kernel, from 0"),
    PARAMETER(struct row, role, "copy-in, compute or copy-out"),
    PARAMETER(struct row, task, "number of the task, or of the group of slices"),
    PARAMETER(struct row, array, "what is copied"),
    PARAMETER(struct row, first, "first iteration; of copies: slice"),
    PARAMETER(struct row, end, "iteration or slice after the last one"),
    METRIC(struct row, ready_s, "end of the wait for flags, from the first entry"),
    METRIC(struct row, start_s, "begin of that wait"),
    METRIC(struct row, end_s, "end of the work, before flags are raised"),
    METRIC(struct row, in_order,
           "1: when ready, all slices or results that were needed were there"),
    {0},
};

static const char *const roles[] = {
    [BLP_COPY_IN] = "copy-in", [BLP_COMPUTE] = "compute", [BLP_COPY_OUT] = "copy-out"};

static void record_entry(struct run *run, const char *variant, const char *dataset,
                         const struct dm_region *region, const struct blp_trace *trace, long index,
                         long wrong)
{
    const struct blp_trace_entry *entry = &trace->entries[index];
    const struct row row = {.benchmark = region->name,
                            .dataset = dataset,
                            .entry = index,
                            .block = entry->block,
                            .role = roles[entry->role],
                            .task = entry->task,
                            .array = entry->array >= 0 ? region->arrays[entry->array].name : NULL,
                            .first = entry->first,
                            .end = entry->end,
                            .ready_s = entry->ready_s,
                            .start_s = entry->start_s,
                            .end_s = entry->end_s,
                            .in_order = is_in_order(region, trace, index)};
    record_row(run, variant, 0, &row, entry->end_s - entry->start_s, wrong + !row.in_order);
}

static struct blp_options options_of(int variant, const struct dm_region *region,
                                     struct copy_group group)
{
    const size_t budget = (size_t)(budget_share * (double)dm_region_footprint(region));
    return (struct blp_options){.blocks = (int)blocks,
                                .copy_in_blocks = group.in,
                                .copy_out_blocks = group.out,
                                .threads = (int)threads,
                                .task_size = (long)task_size,
                                .dynamic = variant == BLP_DYNAMIC,
                                .budget_bytes = variant == BLP_BUFFER ? budget : 0};
}

static void trace_variant(struct run *run, int variant, struct benchmark *benchmark,
                          const char *dataset, struct copy_group group)
{
    const struct dm_region *region = &benchmark->region;
    const struct blp_kernel *kernel = kernel_of(benchmark->kind->name);
    struct blp_options chosen = options_of(variant, region, group);
    struct blp_trace trace = {0};
    struct blp_plan *plan;
    if (!kernel)
        fail("--benchmarks: there is no persistent kernel for %s", benchmark->kind->name);
    chosen.trace = &trace;
    if (blp_open(&plan, region, kernel, &chosen) != DM_OK)
        fail("%s of %s: %s", variants[variant].name, benchmark->kind->name, dm_message());
    check_status(blp_run(plan, NULL)); /* loads the kernel */
    benchmark_reset(benchmark);
    check_status(blp_run(plan, NULL));
    const long wrong = run->settings.check ? benchmark_errors(benchmark) : 0;
    for (long i = 0; i < trace.count; i++)
        record_entry(run, variants[variant].name, dataset, region, &trace, i, wrong);
    blp_close(plan);
    blp_trace_release(&trace);
}

static void trace_workload(struct run *run, const struct listed_workload *workload,
                           struct copy_group group)
{
    if (workload->rounds != 1)
        fail("--benchmarks: one round is traced, not %ld", workload->rounds);
    struct benchmark *benchmark =
        benchmark_create(workload->kind, workload->size, 1, MEMORY_PINNED, run->settings.seed);
    benchmark_reset(benchmark);
    for (int variant = 0; variants[variant].name; variant++)
        if (program_wants_variant(run, variant))
            trace_variant(run, variant, benchmark, workload->dataset, group);
    benchmark_release(benchmark);
}

static void run_all(struct run *run)
{
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, 1);
    struct copy_groups groups = read_copy_blocks("copy-blocks", copy_blocks, 65536);
    if (groups.count != 1)
        fail("--copy-blocks %s: one entry, not %zu", copy_blocks, groups.count);
    for (size_t i = 0; i < workloads.count; i++)
        trace_workload(run, &workloads.values[i], groups.values[0]);
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
