/* pipeline_versions: the same regions executed naively, in chunks on streams, and with ring
 * buffers.
 */
#include <stdlib.h>

#include "common/harness/program.h"

#include "pipeline_choose.h"
#include "common/regions/workload_lists.h"
#include "common/regions/device_memory.h"
#include "pipeline_rows.h"

enum { NAIVE, PIPELINE, FRAMEWORK, AUTO };

static const struct variant variants[] = {
    [NAIVE] = {"naive", "all copies in, all kernels, all copies out, one after the other"},
    [PIPELINE] = {"pipeline", "whole arrays on the device, chunks on streams taken in turn"},
    [FRAMEWORK] = {"framework", "the same with ring buffers instead of whole arrays"},
    [AUTO] = {"auto", "framework; chunk size and streams are chosen from measured rates"},
    {0},
};

static const char *benchmarks = "conv3d,stencil,qcd", *datasets = "small", *streams = "2",
                  *chunk_sizes, *chunks, *block;
static size_t budget, link_bytes = 64 << 20;
static int64_t rounds = 1;

static const struct program_option options[] = {
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST",
     "workloads NAME[:DATASET[:ROUNDS]], such as conv3d,qcd:medium,stencil:128:10", 0, 0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {"streams", OPTION_TEXT, &streams, "LIST", "numbers of streams, such as 1..4,8", 0, 0},
    {"chunk-sizes", OPTION_TEXT, &chunk_sizes, "LIST",
     "iterations per chunk; more than the loop has: one chunk (default 1)", 0, 0},
    {"chunks", OPTION_TEXT, &chunks, "LIST",
     "numbers of chunks, instead of --chunk-sizes; rounded to what chunks of equal size allow, and "
     "at most one per iteration",
     0, 0},
    {"budget", OPTION_SIZE, &budget, "BYTES", "device memory that may be used; 0: what is free", 0,
     0},
    {"rounds", OPTION_INTEGER, &rounds, "N",
     "repetitions of the loop in one run, of benchmarks without a number", 1, 1e6},
    {"block", OPTION_TEXT, &block, "XxY", "threads of a block; none: the workload's choice", 0, 0},
    {"link-bytes", OPTION_SIZE, &link_bytes, "BYTES", "length of the copies that measure the link",
     4096, 1e12},
    {0},
};

/* All configurations of one data set. */
struct grid {
    struct bench_configuration *configurations;
    struct pipeline_execution *executions;
    size_t count;
};

static void add(struct grid *grid, struct benchmark *benchmark, int variant,
                enum copies_version version, struct copies_options chosen)
{
    grid->executions[grid->count] = (struct pipeline_execution){
        .version = version, .options = chosen, .chosen = variant == AUTO};
    grid->configurations[grid->count] =
        (struct bench_configuration){.variant = variants[variant].name,
                                     .benchmark = benchmark,
                                     .method = &pipeline_method,
                                     .options = &grid->executions[grid->count]};
    grid->count++;
}

/* The chunk sizes of the lists, each once, in their order. */
static struct option_numbers read_chunk_sizes(long iterations)
{
    const char *list = chunks ? chunks : chunk_sizes ? chunk_sizes : "1";
    struct option_numbers asked =
        option_read_numbers(chunks ? "chunks" : "chunk-sizes", list, 1, 1000000000);
    struct option_numbers sizes = {.values = allocate_or_fail(asked.count, sizeof(long))};
    for (size_t i = 0; i < asked.count; i++) {
        long number = asked.values[i] < iterations ? asked.values[i] : iterations;
        long size = chunks ? (iterations + number - 1) / number : number;
        size_t same = 0;
        while (same < sizes.count && sizes.values[same] != size)
            same++;
        sizes.values[same] = size;
        sizes.count += same == sizes.count;
    }
    free(asked.values);
    return sizes;
}

static void add_sweep(struct grid *grid, struct benchmark *benchmark, int variant,
                      enum copies_version version, size_t bytes)
{
    const struct dm_region *region = &benchmark->region;
    struct option_numbers counts = option_read_numbers("streams", streams, 1, COPIES_STREAMS_MAX);
    struct option_numbers sizes = read_chunk_sizes(region->end - region->begin);
    for (size_t s = 0; s < counts.count; s++)
        for (size_t c = 0; c < sizes.count; c++)
            add(grid, benchmark, variant, version,
                (struct copies_options){.chunk_size = sizes.values[c],
                                        .streams = (int)counts.values[s],
                                        .budget_bytes = bytes});
    free(counts.values);
    free(sizes.values);
}

/* Where nothing fits, the least of all is added, whose complaint says how much would be needed. */
static void add_auto(const struct run *run, struct grid *grid, struct benchmark *benchmark,
                     const struct link_rates *link, size_t bytes)
{
    const char *complaint = NULL;
    struct pipeline_choice choice;
    struct copies_options chosen = {.chunk_size = 1, .streams = 1, .budget_bytes = bytes};
    if (pipeline_choose(&benchmark->region, link, &chosen, &choice, &complaint)) {
        chosen.chunk_size = choice.chunk_size;
        chosen.streams = choice.streams;
        program_note(run, "auto: %s: %d streams, chunks of %ld; predicted %.3g s",
                     benchmark->kind->name, choice.streams, choice.chunk_size,
                     choice.predicted_s * (double)benchmark->region.rounds);
    }
    add(grid, benchmark, AUTO, COPIES_RINGS, chosen);
}

static size_t grid_size(const struct dm_region *region)
{
    struct option_numbers counts = option_read_numbers("streams", streams, 1, COPIES_STREAMS_MAX);
    struct option_numbers sizes = read_chunk_sizes(region->end - region->begin);
    size_t size = 2 * counts.count * sizes.count + 2;
    free(counts.values);
    free(sizes.values);
    return size;
}

static void fill_grid(const struct run *run, struct grid *grid, struct benchmark *benchmark,
                      const struct link_rates *link, size_t bytes)
{
    size_t most = grid_size(&benchmark->region);
    grid->configurations = allocate_or_fail(most, sizeof *grid->configurations);
    grid->executions = allocate_or_fail(most, sizeof *grid->executions);
    struct copies_options whole = {.chunk_size = benchmark->region.end - benchmark->region.begin,
                                   .streams = 1,
                                   .budget_bytes = bytes};
    if (program_wants(run, "naive"))
        add(grid, benchmark, NAIVE, COPIES_NAIVE, whole);
    if (program_wants(run, "pipeline"))
        add_sweep(grid, benchmark, PIPELINE, COPIES_STREAMS, bytes);
    if (program_wants(run, "framework"))
        add_sweep(grid, benchmark, FRAMEWORK, COPIES_RINGS, bytes);
    if (program_wants(run, "auto"))
        add_auto(run, grid, benchmark, link, bytes);
}

static void measure_workload(struct run *run, const struct listed_workload *workload,
                             const struct link_rates *link)
{
    struct grid grid = {0};
    struct benchmark *benchmark = benchmark_create(workload->kind, workload->size, workload->rounds,
                                                   MEMORY_PINNED, run->settings.seed);
    benchmark->region.block = read_thread_block("block", block);
    size_t bytes = device_budget(budget);
    double kernel_s = kernel_seconds(&benchmark->region, bytes);
    fill_grid(run, &grid, benchmark, link, bytes);
    bench_measure(run, grid.configurations, grid.count);
    for (size_t i = 0; i < grid.count; i++)
        kernel_s = pipeline_kernel_least(&grid.configurations[i], kernel_s);
    for (size_t i = 0; i < grid.count; i++)
        pipeline_record(run, &grid.configurations[i], workload->dataset, link, kernel_s);
    bench_free(grid.configurations, grid.count);
    free(grid.configurations);
    free(grid.executions);
    benchmark_release(benchmark);
}

/* What is wrong is said before anything is measured. */
static void check_lists(void)
{
    if (chunks && chunk_sizes)
        fail("--chunks %s and --chunk-sizes %s: give one of them", chunks, chunk_sizes);
    free(option_read_numbers("streams", streams, 1, COPIES_STREAMS_MAX).values);
    free(read_chunk_sizes(1).values);
    read_thread_block("block", block);
}

static void run_all(struct run *run)
{
    check_lists();
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, rounds);
    device_memory_measure(run->settings.device);
    struct link_rates link = link_measure(link_bytes);
    for (size_t i = 0; i < workloads.count; i++)
        measure_workload(run, &workloads.values[i], &link);
    free_workloads(&workloads);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    device_memory_start();
}

const struct program program = {
    .name = "pipeline_versions",
    .summary = "executes loops with copies and kernels one after the other, and overlapped",
    .details =
        "All configurations of one data set are measured in turn. time_s is on the host's clock,\n"
        "from the call until all results are in host memory; device memory, streams and events\n"
        "are made before. Host memory is page-locked. Results are compared with a CPU reference\n"
        "once per configuration, after it was measured. A configuration that does not fit into\n"
        "the budget has one row, without a time.",
    .variants = variants,
    .options = options,
    .columns = pipeline_columns,
    .uses_gpu = true,
    .start = start_program,
    .run = run_all,
};
