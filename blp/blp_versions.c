/* blp_versions: the same loops by copies and launches of the host, by managed memory, and inside
 * one persistent kernel. */
#include <stdlib.h>
#include <string.h>

#include "common/harness/device.h"
#include "common/harness/program.h"
#include "common/regions/workload_lists.h"
#include "common/regions/device_memory.h"
#include "common/regions/kernel_time.h"

#include "bench_grid.h"
#include "kernels/kernels.h"

enum { CHUNKS_MAX = 1 << 30 };

static const struct variant variants[] = {
    [VERSION_SYNC] = {"sync", "all copies in, the kernels, all copies out, one after the other"},
    [VERSION_ASYNC] = {"async", "whole arrays on the device, chunks on streams taken in turn"},
    [VERSION_GRAPH] = {"graph", "async, enqueued once as a CUDA graph that each run launches"},
    [VERSION_UM] = {"um", "managed memory: pages migrate when they are touched"},
    [VERSION_UM_PREFETCH] = {"um-prefetch", "the same, prefetched chunk by chunk on streams"},
    [VERSION_BLP] = {"blp", "one persistent kernel whose blocks copy and compute"},
    [VERSION_BLP_BUFFER] = {"blp-buffer", "the same with ring buffers within a budget"},
    [VERSION_BLP_DYNAMIC] = {"blp-dynamic", "the same, blocks take copies and tasks from a queue"},
    [VERSION_BLP_HYBRID] = {"blp-hybrid", "blocks or copy engines copy, as measured rates predict"},
    [VERSION_BLP_ENGINE_IN] = {"blp-engine-in", "copy engines copy in, blocks copy out"},
    [VERSION_BLP_ENGINE_OUT] = {"blp-engine-out", "blocks copy in, copy engines copy out"},
    [VERSION_BLP_ENGINES] = {"blp-engines", "copy engines copy both ways"},
    [VERSIONS] = {0},
};

static const char *benchmarks = "conv2d", *datasets = "small", *fitting, *copy_blocks = "0";
/* What the library chooses by itself is 0. */
static struct version_sweep sweep = {.streams = {.list = "4"},
                                     .chunks = {.list = "16"},
                                     .async_threads = {.list = "0"},
                                     .um_streams = 4,
                                     .um_chunks = 16,
                                     .blocks_per_sm = {.list = "0"},
                                     .threads = {.list = "0"},
                                     .task_sizes = {.list = "0"},
                                     .engine_kib = {.list = "0"},
                                     .budgets = {.list = "0.25"}};
static const char *const layout_names[] = {
    [BLP_PER_ARRAY] = "per-array", [BLP_INTERLEAVED] = "interleaved", NULL};
static struct option_choice layout = {.noun = "layout", .names = layout_names, .name = "per-array"};
static const char *const width_names[] = {"0", "32", "128", NULL};
static const int width_bits[] = {0, 32, 128};
static struct option_choice width = {.noun = "width", .names = width_names, .name = "0"};
static size_t link_bytes = 64 << 20;
static bool measure_groups;

static const struct program_option options[] = {
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST",
     "workloads NAME[:DATASET], such as conv2d,atax:medium", 0, 0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {"fitting", OPTION_TEXT, &fitting, "LIST",
     "further workloads, executed by sync alone and without a budget", 0, 0},
    {"streams", OPTION_NUMBERS, &sweep.streams, "LIST", "numbers of streams of async", 1,
     COPIES_STREAMS_MAX},
    {"chunks", OPTION_NUMBERS, &sweep.chunks, "LIST",
     "numbers of chunks of async; at most one per iteration", 1, CHUNKS_MAX},
    {"async-threads", OPTION_NUMBERS, &sweep.async_threads, "LIST",
     "threads of a block of async, multiples of 32; 0: the workload's choice", 0, BLP_THREADS_MAX},
    {"um-streams", OPTION_INTEGER, &sweep.um_streams, "N", "streams of um-prefetch", 1,
     COPIES_STREAMS_MAX},
    {"um-chunks", OPTION_INTEGER, &sweep.um_chunks, "N", "chunks of um-prefetch", 1, CHUNKS_MAX},
    {"budget", OPTION_REALS, &sweep.budgets, "LIST",
     "device memory of blp-buffer, as shares of the footprint", 1e-6, 100},
    {"capacity", OPTION_REAL, &sweep.capacity_share, "SHARE",
     "the same of sync, async and, on the software GPU, um; 0: all there is", 0, 100},
    {"blocks-per-sm", OPTION_NUMBERS, &sweep.blocks_per_sm, "LIST",
     "blocks of blp per multiprocessor; 0: its choice", 0, 64},
    {"copy-blocks", OPTION_TEXT, &copy_blocks, "LIST",
     "copy blocks of blp, IN:OUT, or one number for both directions; 0: its choice", 0, 0},
    {"threads", OPTION_NUMBERS, &sweep.threads, "LIST", "threads of a block of blp; 0: its choice",
     0, BLP_THREADS_MAX},
    {"task-sizes", OPTION_NUMBERS, &sweep.task_sizes, "LIST",
     "iterations of a task of blp; 0: its choice", 0, CHUNKS_MAX},
    {"tasks", OPTION_NUMBERS, &sweep.tasks, "LIST",
     "numbers of tasks of blp, instead of --task-sizes; 0: its choice", 0, CHUNKS_MAX},
    {"engine-kib", OPTION_NUMBERS, &sweep.engine_kib, "LIST",
     "KiB that copy engines of blp copy at once; 0: its choice", 0, CHUNKS_MAX},
    {"vector-bits", OPTION_CHOICE, &width, "N",
     "bits of a load or store of copy blocks, 32 or 128; 0: blp's choice", 0, 0},
    {"layout", OPTION_CHOICE, &layout, "NAME",
     "per-array or interleaved: whether a copy block moves one array or all", 0, 0},
    {"measure-groups", OPTION_FLAG, &measure_groups, NULL,
     "choose the numbers of copy blocks by a measurement, as a node would do once", 0, 0},
    {"beside-a-loop", OPTION_FLAG, &sweep.beside_a_loop, NULL,
     "find out what share of its core a run leaves to a loop that computes there", 0, 0},
    {"link-bytes", OPTION_SIZE, &link_bytes, "BYTES", "length of the copies that measure the link",
     4096, 1e12},
    {0},
};

static void complete_sweep(const struct run *run)
{
    for (size_t i = 0; i < sweep.async_threads.count; i++)
        if (sweep.async_threads.values[i] % 32)
            fail("--async-threads: %ld is not a multiple of 32", sweep.async_threads.values[i]);
    sweep.copy_blocks = read_copy_blocks("copy-blocks", copy_blocks, 4096);
    sweep.vector_bits = width_bits[width.value];
    sweep.layout = (enum blp_layout)layout.value;
    sweep.multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount, run->settings.device);
    for (int version = 0; version < VERSIONS; version++) {
        sweep.names[version] = variants[version].name;
        sweep.wanted[version] = program_wants_variant(run, version);
    }
}

static struct benchmark *create(const struct run *run, const struct listed_workload *workload,
                                enum memory_kind memory)
{
    struct benchmark *benchmark =
        benchmark_create(workload->kind, workload->size, 1, memory, run->settings.seed);
    benchmark_reset(benchmark);
    return benchmark;
}

static bool wants_engines(const struct version_sweep *wanted)
{
    bool wants = false;
    for (int version = VERSION_BLP_HYBRID; version < VERSIONS; version++)
        wants |= wanted->wanted[version];
    return wants;
}

/* How fast the loop is computed, by which engines' copies are chosen. */
static void measure_compute(struct run *run, struct version_sweep *wanted,
                            const struct benchmark *benchmark)
{
    const struct blp_options options = {.measured = wanted->measured,
                                        .vector_bits = wanted->vector_bits};
    struct blp_compute *compute = &wanted->compute;
    check_status(blp_measure_compute(&benchmark->region, kernel_of(benchmark->kind->name), &options,
                                     compute));
    program_note(run, "%s: %d blocks take %.1f us for a unit each, %d blocks %.1f us",
                 benchmark->kind->name, compute->blocks[0], 1e6 * compute->unit_s[0],
                 compute->blocks[1], 1e6 * compute->unit_s[1]);
    if (compute->row_s > 0.0)
        program_note(run, "%s: beside them an engine takes %.1f ns per row of a task's columns",
                     benchmark->kind->name, 1e9 * compute->row_s);
}

static void measure_workload(struct run *run, struct version_sweep wanted,
                             const struct listed_workload *workload, struct version_limits *limits)
{
    struct version_grid grid = {0};
    struct benchmark *pinned = create(run, workload, MEMORY_PINNED), *managed = NULL;
    if (wanted.wanted[VERSION_UM] || wanted.wanted[VERSION_UM_PREFETCH])
        managed = create(run, workload, MEMORY_MANAGED);
    limits->kernel_s = kernel_seconds(&pinned->region, device_budget(0));
    if (wants_engines(&wanted))
        measure_compute(run, &wanted, pinned);
    version_grid_fill(&grid, &wanted, pinned, managed);
    bench_measure(run, grid.configurations, grid.count);
    for (size_t i = 0; i < grid.count; i++)
        if (!version_is_repeated(grid.configurations, i))
            record_version(run, &grid.configurations[i], workload->dataset, limits);
    version_grid_free(&grid);
    if (managed)
        benchmark_release(managed);
    benchmark_release(pinned);
}

static struct workload_list read_list(const char *option, const char *list)
{
    struct workload_list workloads = {0};
    if (list)
        workloads = read_workloads(option, list, datasets, 1);
    for (size_t i = 0; i < workloads.count; i++)
        if (workloads.values[i].rounds != 1)
            fail("--%s: the loops are executed once, not %ld times", option,
                 workloads.values[i].rounds);
    return workloads;
}

static void check_kernels(const struct workload_list *workloads)
{
    for (size_t i = 0; i < workloads->count; i++)
        for (int version = VERSION_BLP; version < VERSIONS; version++)
            if (sweep.wanted[version] && !kernel_of(workloads->values[i].kind->name))
                fail("--benchmarks: there is no persistent kernel for %s",
                     workloads->values[i].kind->name);
}

/* Sync alone, where there is memory for it. */
static struct version_sweep fitting_sweep(void)
{
    struct version_sweep alone = sweep;
    memset(alone.wanted, 0, sizeof alone.wanted);
    alone.wanted[VERSION_SYNC] = true;
    alone.capacity_share = 0.0;
    return alone;
}

/* By which who copies is chosen, and how much engines copy at once. */
static void measure_rates(struct run *run)
{
    const struct blp_rates *rates = &sweep.rates;
    check_status(blp_measure_rates(&sweep.measured, &sweep.rates));
    for (int choice = 0; choice < 4; choice++)
        program_note(run, "in by %s, out by %s: %.1f GB/s both ways, %.1f in, %.1f out",
                     choice & 1 ? "engine" : "blocks", choice & 2 ? "engine" : "blocks",
                     1e-9 * rates->both[choice & 1][choice >> 1], 1e-9 * rates->in[choice & 1],
                     1e-9 * rates->out[choice >> 1]);
    program_note(run, "an engine takes %.2f us per copy, %.1f ns per narrow row",
                 1e6 * rates->call_s, 1e9 * rates->row_s);
}

static void run_all(struct run *run)
{
    complete_sweep(run);
    const struct version_sweep alone = fitting_sweep();
    struct workload_list workloads = read_list("benchmarks", benchmarks);
    struct workload_list smaller = read_list("fitting", fitting);
    check_kernels(&workloads);
    device_memory_measure(run->settings.device);
    struct version_limits limits = {0};
    check_status(link_measure(&limits.link, link_bytes));
    if (measure_groups) {
        check_status(blp_measure_groups(0, &sweep.measured));
        program_note(run, "copy blocks: %d in, %d out", sweep.measured.in, sweep.measured.out);
    }
    if (wants_engines(&sweep))
        measure_rates(run);
    for (size_t i = 0; i < workloads.count; i++)
        measure_workload(run, sweep, &workloads.values[i], &limits);
    for (size_t i = 0; i < smaller.count; i++)
        measure_workload(run, alone, &smaller.values[i], &limits);
    free_workloads(&workloads);
    free_workloads(&smaller);
    free(sweep.copy_blocks.values);
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
        "All configurations of one data set are sampled interleaved. time_s is on the host's clock,\n"
        "from the call until all results are in host memory; device memory is allocated before.\n"
        "Host memory is page-locked, or managed and all on the host. Results are compared with a\n"
        "CPU reference once per configuration. Numbers that were left to blp stand in the rows\n"
        "as it chose them. A configuration that cannot be executed has one row without a time.",
    .variants = variants,
    .options = options,
    .columns = version_columns,
    .uses_gpu = true,
    .start = start_program,
    .run = run_all,
};
