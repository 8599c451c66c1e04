/* pipeline_versions: the same regions executed naively, in chunks on streams, and with ring
 * buffers. */
#include <stdlib.h>

#include "common/harness/program.h"
#include "common/regions/device_memory.h"
#include "common/regions/workload_lists.h"

#include "choice.h"
#include "offload.h"
#include "rows.h"

enum { NAIVE, PIPELINE, FRAMEWORK, PIPELINE_GRAPH, GRAPH, SEVERAL, OPENACC, OPENMP, AUTO };

static const struct variant variants[] = {
    [NAIVE] = {"naive", "all copies in, all kernels, all copies out, one after the other"},
    [PIPELINE] = {"pipeline", "whole arrays on the device, chunks on streams in turn"},
    [FRAMEWORK] = {"framework", "the same with ring buffers instead of whole arrays"},
    [PIPELINE_GRAPH] = {"pipeline-graph",
                        "pipeline, enqueued once as a CUDA graph that each run launches"},
    [GRAPH] = {"graph", "framework as such a graph"},
    [SEVERAL] = {"several", "framework on several GPUs, each with a part of the loop"},
    [OPENACC] = {"openacc", "loops of OpenACC on asynchronous queues, whole arrays on the device "
                            "(conv2d, conv3d, atax)"},
    [OPENMP] = {"openmp", "loops of OpenMP's target as tasks that depend on one another; likewise"},
    [AUTO] = {"auto", "framework; chunk size and streams are chosen from measured rates"},
    [AUTO + 1] = {0},
};
static const enum copies_version versions[] = {
    [NAIVE] = COPIES_NAIVE,     [PIPELINE] = COPIES_STREAMS,       [FRAMEWORK] = COPIES_RINGS,
    [GRAPH] = COPIES_RINGS,     [PIPELINE_GRAPH] = COPIES_STREAMS, [SEVERAL] = COPIES_RINGS,
    [OPENACC] = COPIES_STREAMS, [OPENMP] = COPIES_STREAMS,         [AUTO] = COPIES_RINGS};

static const char *benchmarks = "conv3d,stencil,qcd", *datasets = "small", *block;
static const char one[] = "1";
static struct option_numbers streams = {.list = "2"}, chunk_sizes = {.list = one}, chunks;
static struct option_numbers devices = {.list = "1"};
static size_t budget, link_bytes = 64 << 20;
static int64_t rounds = 1;

static const struct program_option options[] = {
    {"benchmarks", OPTION_TEXT, &benchmarks, "LIST",
     "workloads NAME[:DATASET[:ROUNDS]], such as conv3d,qcd:medium,stencil:128:10", 0, 0},
    {"datasets", OPTION_TEXT, &datasets, "LIST",
     "data sets, by name or size, of benchmarks without one", 0, 0},
    {"streams", OPTION_NUMBERS, &streams, "LIST", "numbers of streams, such as 1..4,8", 1,
     COPIES_STREAMS_MAX},
    {"chunk-sizes", OPTION_NUMBERS, &chunk_sizes, "LIST",
     "iterations per chunk; more than the loop has: one chunk", 1, 1e9},
    {"chunks", OPTION_NUMBERS, &chunks, "LIST",
     "numbers of chunks, instead of --chunk-sizes; rounded to what chunks of equal size allow, and "
     "at most one per iteration",
     1, 1e9},
    {"devices", OPTION_NUMBERS, &devices, "LIST",
     "numbers of GPUs of several, from the chosen one on", 1, PIPELINE_GPUS_MAX},
    {"budget", OPTION_SIZE, &budget, "BYTES", "device memory that may be used; 0: what is free", 0,
     0},
    {"rounds", OPTION_INTEGER, &rounds, "N",
     "repetitions of the loop in one run, of benchmarks without a number", 1, 1e6},
    {"block", OPTION_TEXT, &block, "XxY", "threads of a block; none: the workload's choice", 0, 0},
    {"link-bytes", OPTION_SIZE, &link_bytes, "BYTES", "length of the copies that measure the link",
     4096, 1e12},
    {0},
};

/* What was measured of links. */
struct links {
    struct link_rates alone;      /* the chosen device's */
    struct link_rates **together; /* of all devices of an entry of --devices, NULL: one, or they are
                                     not there */
};

/* All configurations of one workload. */
struct grid {
    struct bench_configuration *configurations;
    struct execution *executions;
    size_t count;
};

static bool is_offload(int variant)
{
    return variant == OPENACC || variant == OPENMP;
}

static const struct bench_method *method_of(int variant)
{
    return is_offload(variant) ? &offload_methods[variant - OPENACC] : &rows_method;
}

static void add(struct grid *grid, struct benchmark *benchmark, int variant,
                struct copies_options chosen)
{
    struct execution *execution = &grid->executions[grid->count];
    *execution = (struct execution){.version = versions[variant],
                                    .options = chosen,
                                    .benchmark = is_offload(variant) ? benchmark : NULL,
                                    .chosen = variant == AUTO};
    grid->configurations[grid->count++] =
        (struct bench_configuration){.variant = variants[variant].name,
                                     .benchmark = benchmark,
                                     .method = method_of(variant),
                                     .options = execution};
}

static void add_several(struct grid *grid, struct benchmark *benchmark, const struct links *links,
                        struct copies_options chosen)
{
    for (size_t d = 0; d < devices.count; d++) {
        add(grid, benchmark, SEVERAL, chosen);
        grid->executions[grid->count - 1].gpus = (int)devices.values[d];
        grid->executions[grid->count - 1].links = links->together[d];
    }
}

/* The chunk size that entry `number` of the list stands for. */
static long chunk_size_of(long iterations, size_t number)
{
    const long listed = chunks.count ? chunks.values[number] : chunk_sizes.values[number];
    const long within = listed < iterations ? listed : iterations;
    return chunks.count ? (iterations + within - 1) / within : within;
}

static bool is_repeated(long iterations, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (chunk_size_of(iterations, i) == chunk_size_of(iterations, number))
            return true;
    return false;
}

static void add_sweep(struct grid *grid, struct benchmark *benchmark, int variant,
                      const struct links *links, size_t bytes)
{
    const long iterations = benchmark->region.end - benchmark->region.begin;
    for (size_t s = 0; s < streams.count; s++)
        for (size_t c = 0; c < (chunks.count ? chunks.count : chunk_sizes.count); c++) {
            const struct copies_options chosen = {.chunk_size = chunk_size_of(iterations, c),
                                                  .streams = (int)streams.values[s],
                                                  .budget_bytes = bytes,
                                                  .graph = variant == GRAPH ||
                                                           variant == PIPELINE_GRAPH};
            if (is_repeated(iterations, c))
                continue;
            if (variant == SEVERAL)
                add_several(grid, benchmark, links, chosen);
            else
                add(grid, benchmark, variant, chosen);
        }
}

/* Where nothing fits, the smallest configuration is added: its error says how much is needed. */
static void add_auto(const struct run *run, struct grid *grid, struct benchmark *benchmark,
                     const struct link_rates *link, size_t bytes)
{
    struct pipeline_choice choice = {.chunk_size = 1, .streams = 1};
    const enum dm_status status = choice_make(&choice, &benchmark->region, link, bytes);
    if (status == DM_OK)
        program_note(run, "auto: %s: %d streams, chunks of %ld; predicted %.3g s",
                     benchmark->kind->name, choice.streams, choice.chunk_size,
                     choice.predicted_s * (double)benchmark->region.rounds);
    else if (status != DM_NO_MEMORY)
        fail_status(status);
    add(grid, benchmark, AUTO,
        (struct copies_options){
            .chunk_size = choice.chunk_size, .streams = choice.streams, .budget_bytes = bytes});
}

/* Loops with offload need a compiler, and a GPU that their run-time library finds. */
static bool is_possible(struct run *run, int variant, const struct benchmark *benchmark)
{
    if (!is_offload(variant) ||
        offload_check((enum offload_model)(variant - OPENACC), benchmark) == DM_OK)
        return true;
    record_waived(run, variants[variant].name, dm_message());
    return false;
}

static void fill_grid(struct run *run, struct grid *grid, struct benchmark *benchmark,
                      const struct links *links, size_t bytes)
{
    const long iterations = benchmark->region.end - benchmark->region.begin;
    const size_t count =
        2 + (6 + devices.count) * streams.count * (chunks.count + chunk_sizes.count);
    grid->configurations = allocate_or_fail(count, sizeof *grid->configurations);
    grid->executions = allocate_or_fail(count, sizeof *grid->executions);
    if (program_wants_variant(run, NAIVE))
        add(grid, benchmark, NAIVE,
            (struct copies_options){.chunk_size = iterations, .streams = 1, .budget_bytes = bytes});
    for (int variant = PIPELINE; variant < AUTO; variant++)
        if (program_wants_variant(run, variant) && is_possible(run, variant, benchmark))
            add_sweep(grid, benchmark, variant, links, bytes);
    if (program_wants_variant(run, AUTO))
        add_auto(run, grid, benchmark, &links->alone, bytes);
}

static void measure_workload(struct run *run, const struct listed_workload *workload,
                             const struct links *links)
{
    struct grid grid = {0};
    struct benchmark *benchmark = benchmark_create(workload->kind, workload->size, workload->rounds,
                                                   MEMORY_PINNED, run->settings.seed);
    benchmark->region.block = read_thread_block("block", block);
    size_t bytes = device_budget(budget);
    double kernel_s = kernel_seconds(&benchmark->region, bytes);
    fill_grid(run, &grid, benchmark, links, bytes);
    bench_measure(run, grid.configurations, grid.count);
    for (size_t i = 0; i < grid.count; i++)
        kernel_s = rows_kernel_minimum(&grid.configurations[i], kernel_s);
    for (size_t i = 0; i < grid.count; i++)
        rows_record(run, &grid.configurations[i], workload->dataset, &links->alone, kernel_s);
    bench_free(grid.configurations, grid.count);
    free(grid.configurations);
    free(grid.executions);
    benchmark_release(benchmark);
}

static void note_links(const struct run *run, const struct links *links, int gpus,
                       const struct link_rates *together)
{
    const struct link_rates *alone = &links->alone;
    struct link_rates sum = {0};
    for (int g = 0; g < gpus; g++) {
        sum.to_device += together[g].to_device;
        sum.from_device += together[g].from_device;
        sum.both += together[g].both;
    }
    program_note(run,
                 "links: %.1f GB/s in, %.1f out, %.1f both ways alone; %.1f, %.1f, %.1f of %d GPUs "
                 "together: %.2f of %d times one both ways",
                 1e-9 * alone->to_device, 1e-9 * alone->from_device, 1e-9 * alone->both,
                 1e-9 * sum.to_device, 1e-9 * sum.from_device, 1e-9 * sum.both, gpus,
                 rows_links_ratio(together, gpus, alone), gpus);
}

/* Of GPUs from the chosen one on; NULL where there are fewer: what several says of that is in its
 * rows. */
static struct link_rates *measure_together(const struct run *run, const struct links *links,
                                           int gpus)
{
    int numbers[PIPELINE_GPUS_MAX];
    for (int g = 0; g < gpus; g++)
        numbers[g] = run->settings.device + g;
    struct link_rates *together = allocate_or_fail((size_t)gpus, sizeof *together);
    const enum dm_status status = link_measure_together(together, numbers, gpus, link_bytes);
    if (status == DM_INVALID) {
        free(together);
        return NULL;
    }
    check_status(status);
    note_links(run, links, gpus, together);
    return together;
}

static void measure_links(const struct run *run, struct links *links)
{
    links->together = allocate_or_fail(devices.count, sizeof *links->together);
    check_status(link_measure(&links->alone, link_bytes));
    for (size_t d = 0; d < devices.count; d++)
        links->together[d] = devices.values[d] > 1 && program_wants_variant(run, SEVERAL)
                                 ? measure_together(run, links, (int)devices.values[d])
                                 : NULL;
}

static void free_links(struct links *links)
{
    for (size_t d = 0; d < devices.count; d++)
        free(links->together[d]);
    free(links->together);
}

static void run_all(struct run *run)
{
    if (chunks.count && chunk_sizes.list != one)
        fail("--chunks %s and --chunk-sizes %s: give one of them", chunks.list, chunk_sizes.list);
    read_thread_block("block", block);
    struct workload_list workloads = read_workloads("benchmarks", benchmarks, datasets, rounds);
    struct links links;
    for (size_t d = 0; d < devices.count && program_wants_variant(run, SEVERAL); d++)
        run->gpus = devices.values[d] > run->gpus ? (int)devices.values[d] : run->gpus;
    device_memory_measure(run->settings.device);
    measure_links(run, &links);
    for (size_t i = 0; i < workloads.count; i++)
        measure_workload(run, &workloads.values[i], &links);
    free_links(&links);
    free_workloads(&workloads);
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
    .columns = rows_columns,
    .uses_gpu = true,
    .start = rows_start,
    .run = run_all,
};
