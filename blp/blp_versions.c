/* blp_versions: the same loops by copies and launches of the host, by managed memory, and inside
 * one persistent kernel. */
#include <stdlib.h>
#include <string.h>

#include "common/harness/program.h"
#include "common/regions/workload_lists.h"
#include "common/regions/device_memory.h"
#include "common/regions/kernel_time.h"

#include "bench_grid.h"

enum { CHUNKS_MOST = 1 << 30, THREADS_MOST = 1024 };

static const struct variant variants[] = {
    [BLP_BENCH_SYNC] = {"sync", "all copies in, the kernels, all copies out, one after the other"},
    [BLP_BENCH_ASYNC] = {"async", "whole arrays on the device, chunks on streams taken in turn"},
    [BLP_BENCH_UM] = {"um", "managed memory: pages migrate when they are touched"},
    [BLP_BENCH_UM_PREFETCH] = {"um-prefetch", "the same, prefetched chunk by chunk on streams"},
    [BLP_BENCH_BLP] = {"blp", "one persistent kernel whose blocks copy and compute"},
    [BLP_BENCH_BLP_BUFFER] = {"blp-buffer", "the same with ring buffers within a budget"},
    [BLP_BENCH_BLP_DYNAMIC] = {"blp-dynamic",
                               "the same, blocks take copies and tasks from a queue"},
    [BLP_BENCH_VERSIONS] = {0},
};

static const char *benchmarks = "conv2d", *datasets = "small", *fitting;
static const char *streams = "4", *chunks = "16", *async_threads = "0";
static const char *blocks_per_sm = "0", *copy_blocks = "0", *threads = "0", *task_sizes = "0",
                  *tasks;
static const char *layout = "per-array";
static int64_t um_streams = 4, um_chunks = 16, vector_bits;
static const char *budgets = "0.25";
static double capacity_share;
static size_t link_bytes = 64 << 20;
static bool measure_groups, beside_a_loop;

static const struct program_option options[] = {
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST",
     "workloads NAME[:DATASET], such as conv2d,atax:medium", 0, 0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {"fitting", OPTION_TEXT, &fitting, "LIST",
     "further workloads, executed by sync alone and without a budget", 0, 0},
    {"streams", OPTION_TEXT, &streams, "LIST", "numbers of streams of async", 0, 0},
    {"chunks", OPTION_TEXT, &chunks, "LIST",
     "numbers of chunks of async; at most one per iteration", 0, 0},
    {"async-threads", OPTION_TEXT, &async_threads, "LIST",
     "threads of a block of async, multiples of 32; 0: the workload's choice", 0, 0},
    {"um-streams", OPTION_INTEGER, &um_streams, "N", "streams of um-prefetch", 1,
     COPIES_STREAMS_MAX},
    {"um-chunks", OPTION_INTEGER, &um_chunks, "N", "chunks of um-prefetch", 1, CHUNKS_MOST},
    {"budget", OPTION_TEXT, &budgets, "LIST",
     "device memory of blp-buffer, as shares of the footprint", 0, 0},
    {"capacity", OPTION_REAL, &capacity_share, "SHARE",
     "the same of sync, async and, on the software GPU, um; 0: all there is", 0, 100},
    {"blocks-per-sm", OPTION_TEXT, &blocks_per_sm, "LIST",
     "blocks of blp per multiprocessor; 0: its choice", 0, 0},
    {"copy-blocks", OPTION_TEXT, &copy_blocks, "LIST",
     "copy blocks of blp, IN:OUT, or one number for both directions; 0: its choice", 0, 0},
    {"threads", OPTION_TEXT, &threads, "LIST", "threads of a block of blp; 0: its choice", 0, 0},
    {"task-sizes", OPTION_TEXT, &task_sizes, "LIST", "iterations of a task of blp; 0: its choice",
     0, 0},
    {"tasks", OPTION_TEXT, &tasks, "LIST",
     "numbers of tasks of blp, instead of --task-sizes; 0: its choice", 0, 0},
    {"vector-bits", OPTION_INTEGER, &vector_bits, "N",
     "bits of a load or store of copy blocks, 32 or 128; 0: blp's choice", 0, 128},
    {"layout", OPTION_TEXT, &layout, "NAME",
     "per-array or interleaved: whether a copy block moves one array or all", 0, 0},
    {"measure-groups", OPTION_FLAG, &measure_groups, NULL,
     "choose the numbers of copy blocks by a measurement, as a node would do once", 0, 0},
    {"beside-a-loop", OPTION_FLAG, &beside_a_loop, NULL,
     "find out what share of its core a run leaves to a loop that computes there", 0, 0},
    {"link-bytes", OPTION_SIZE, &link_bytes, "BYTES", "length of the copies that measure the link",
     4096, 1e12},
    {0},
};

static void check_multiples(const char *option, const struct option_numbers *numbers)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->values[i] % 32)
            fail("--%s: %ld is not a multiple of 32", option, numbers->values[i]);
}

static enum blp_layout read_layout(void)
{
    if (strcmp(layout, "per-array") && strcmp(layout, "interleaved"))
        fail("--layout %s: per-array and interleaved are the layouts", layout);
    return strcmp(layout, "per-array") ? BLP_INTERLEAVED : BLP_PER_ARRAY;
}

static void read_budgets(struct blp_bench_sweep *sweep)
{
    const char *at = budgets;
    for (sweep->budgets = 0; sweep->budgets < BLP_BENCH_BUDGETS;) {
        char *end;
        const double share = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(share > 0.0 && share <= 100.0))
            fail("--budget %s is not a list of shares such as 0.5,0.25", budgets);
        sweep->budget_shares[sweep->budgets++] = share;
        if (!*end)
            return;
        at = end + 1;
    }
    fail("--budget %s: at most %d shares", budgets, BLP_BENCH_BUDGETS);
}

static struct blp_bench_sweep read_sweep(const struct run *run)
{
    struct blp_bench_sweep sweep = {
        .streams = option_read_numbers("streams", streams, 1, COPIES_STREAMS_MAX),
        .chunks = option_read_numbers("chunks", chunks, 1, CHUNKS_MOST),
        .async_threads = option_read_numbers("async-threads", async_threads, 0, THREADS_MOST),
        .um_streams = (long)um_streams,
        .um_chunks = (long)um_chunks,
        .blocks_per_sm = option_read_numbers("blocks-per-sm", blocks_per_sm, 0, 64),
        .copy_blocks = blp_bench_read_copy_blocks("copy-blocks", copy_blocks, 4096),
        .threads = option_read_numbers("threads", threads, 0, THREADS_MOST),
        .task_sizes = option_read_numbers(tasks ? "tasks" : "task-sizes",
                                          tasks ? tasks : task_sizes, 0, CHUNKS_MOST),
        .counts_tasks = tasks != NULL,
        .vector_bits = (int)vector_bits,
        .layout = read_layout(),
        .multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount, run->settings.device),
        .capacity_share = capacity_share,
        .beside_a_loop = beside_a_loop,
    };
    read_budgets(&sweep);
    check_multiples("async-threads", &sweep.async_threads);
    if (vector_bits != 0 && vector_bits != 32 && vector_bits != 128)
        fail("--vector-bits %d is neither 32 nor 128", (int)vector_bits);
    for (int version = 0; version < BLP_BENCH_VERSIONS; version++) {
        sweep.names[version] = variants[version].name;
        sweep.wanted[version] = program_wants(run, variants[version].name);
    }
    return sweep;
}

static void free_sweep(struct blp_bench_sweep *sweep)
{
    free(sweep->streams.values);
    free(sweep->chunks.values);
    free(sweep->async_threads.values);
    free(sweep->blocks_per_sm.values);
    free(sweep->copy_blocks.values);
    free(sweep->threads.values);
    free(sweep->task_sizes.values);
}

static bool wants_any(const struct blp_bench_sweep *sweep, bool managed)
{
    for (int version = 0; version < BLP_BENCH_VERSIONS; version++)
        if (sweep->wanted[version] &&
            managed == (version == BLP_BENCH_UM || version == BLP_BENCH_UM_PREFETCH))
            return true;
    return false;
}

static struct benchmark *create(const struct run *run, const struct listed_workload *workload,
                                enum memory_kind memory)
{
    struct benchmark *benchmark =
        benchmark_create(workload->kind, workload->size, 1, memory, run->settings.seed);
    benchmark_reset(benchmark);
    return benchmark;
}

static void measure_workload(struct run *run, const struct blp_bench_sweep *sweep,
                             const struct listed_workload *workload, const struct link_rates *link)
{
    struct blp_bench_grid grid = {0};
    struct benchmark *pinned = create(run, workload, MEMORY_PINNED);
    struct benchmark *managed =
        wants_any(sweep, true) ? create(run, workload, MEMORY_MANAGED) : NULL;
    const double kernel_s = kernel_seconds(&pinned->region, device_budget(0));
    blp_bench_grid_fill(&grid, sweep, pinned, managed);
    bench_measure(run, grid.configurations, grid.count);
    for (size_t i = 0; i < grid.count; i++)
        if (!blp_bench_is_repeated(grid.configurations, i))
            blp_bench_record(run, &grid.configurations[i], workload->dataset, link, kernel_s);
    blp_bench_grid_free(&grid);
    if (managed)
        benchmark_release(managed);
    benchmark_release(pinned);
}

static void measure_list(struct run *run, const struct blp_bench_sweep *sweep,
                         const struct workload_list *workloads, const struct link_rates *link)
{
    for (size_t i = 0; i < workloads->count; i++)
        measure_workload(run, sweep, &workloads->values[i], link);
}

static void check_rounds(const struct workload_list *workloads)
{
    for (size_t i = 0; i < workloads->count; i++)
        if (workloads->values[i].rounds != 1)
            fail("--benchmarks: the loops are executed once, not %ld times",
                 workloads->values[i].rounds);
}

static void check_kernels(const struct blp_bench_sweep *sweep,
                          const struct workload_list *workloads)
{
    for (size_t i = 0; i < workloads->count; i++)
        for (int version = BLP_BENCH_BLP; version < BLP_BENCH_VERSIONS; version++)
            if (sweep->wanted[version] && !blp_has_kernel(workloads->values[i].kind->name))
                fail("--benchmarks: there is no persistent kernel for %s",
                     workloads->values[i].kind->name);
}

static void run_all(struct run *run)
{
    struct blp_bench_sweep sweep = read_sweep(run), alone = sweep;
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, 1);
    struct workload_list smaller = {0};
    if (fitting)
        smaller = read_workloads("fitting", fitting, datasets, 1);
    check_rounds(&workloads);
    check_rounds(&smaller);
    check_kernels(&sweep, &workloads);
    device_memory_measure(run->settings.device);
    struct link_rates link;
    check_status(link_measure(&link, link_bytes));
    if (measure_groups) {
        int in, out;
        blp_measure_groups(0, &in, &out);
        program_note(run, "copy blocks: %d in, %d out", in, out);
    }
    measure_list(run, &sweep, &workloads, &link);
    memset(alone.wanted, 0, sizeof alone.wanted);
    alone.wanted[BLP_BENCH_SYNC] = true;
    alone.capacity_share = 0.0;
    measure_list(run, &alone, &smaller, &link);
    free_workloads(&workloads);
    if (fitting)
        free_workloads(&smaller);
    free_sweep(&sweep);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    device_memory_start();
}

const struct program program = {
    .name = "blp_versions",
    .summary = "executes loops by sync, async, managed memory, and block-level pipelining",
    .details =
        "All configurations of one data set are measured in turn. time_s is on the host's clock,\n"
        "from the call until all results are in host memory; device memory is allocated before.\n"
        "Host memory is page-locked, or managed and all on the host. Results are compared with a\n"
        "CPU reference once per configuration. Numbers that were left to blp stand in the rows\n"
        "as it chose them. A configuration that cannot be executed has one row without a time.",
    .variants = variants,
    .options = options,
    .columns = blp_bench_columns,
    .uses_gpu = true,
    .start = start_program,
    .run = run_all,
};
