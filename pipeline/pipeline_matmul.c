/* pipeline_matmul: matrix multiplication: one thread per element, in blocks, and with A and B in
 * ring buffers. */
#include <math.h>
#include <stdio.h>

#include "common/harness/program.h"

#include "common/regions/workload_lists.h"
#include "common/regions/device_memory.h"
#include "pipeline_rows.h"

enum { NAIVE, BLOCK, PIPELINE_BUFFER, VARIANTS };

static const struct variant variants[VARIANTS + 1] = {
    [NAIVE] = {"naive", "a thread per element reads a row of A and a column of B"},
    [BLOCK] = {"block", "tiles of 32 by 32 elements in shared memory"},
    [PIPELINE_BUFFER] = {"pipeline-buffer",
                         "block, with panels of A and B in ring buffers; only C is whole"},
};

static size_t budget, link_bytes = 64 << 20;
static int64_t streams = 3, chunk_size = 4;

static const struct program_option options[] = {
    {"streams", OPTION_INTEGER, &streams, "N", "streams of pipeline-buffer", 1, COPIES_STREAMS_MAX},
    {"chunk-size", OPTION_INTEGER, &chunk_size, "N",
     "panels of 32 columns of A, and rows of B, per chunk", 1, 1e9},
    {"budget", OPTION_SIZE, &budget, "BYTES", "device memory that may be used; 0: what is free", 0,
     0},
    {"link-bytes", OPTION_SIZE, &link_bytes, "BYTES", "length of the copies that measure the link",
     4096, 1e12},
    {0},
};

/* The kinds of benchmark.h by variant. */
static const char *const kinds[VARIANTS] = {"matmul_naive", "matmul", "matmul"};

static void set_configuration(struct bench_configuration *configuration,
                              struct pipeline_execution *execution, int variant,
                              struct benchmark *benchmark, size_t bytes)
{
    bool ring = variant == PIPELINE_BUFFER;
    long panels = benchmark->region.end - benchmark->region.begin;
    *execution = (struct pipeline_execution){.version = ring ? COPIES_RINGS : COPIES_NAIVE,
                                             .options = {.chunk_size = ring ? chunk_size : panels,
                                                         .streams = ring ? (int)streams : 1,
                                                         .budget_bytes = bytes}};
    *configuration = (struct bench_configuration){.variant = variants[variant].name,
                                                  .benchmark = benchmark,
                                                  .method = &pipeline_method,
                                                  .options = execution};
}

/* Naive's arrays are its own; block and pipeline-buffer share theirs. */
static void create_benchmarks(const struct run *run, size_t size, struct benchmark **benchmarks)
{
    for (int v = 0; v < VARIANTS; v++) {
        benchmarks[v] = NULL;
        if (!program_wants(run, variants[v].name))
            continue;
        benchmarks[v] = v == PIPELINE_BUFFER && benchmarks[BLOCK]
                            ? benchmarks[BLOCK]
                            : benchmark_create(benchmark_kind_of(kinds[v]), size, 1, MEMORY_PINNED,
                                               run->settings.seed);
    }
}

static void release_benchmarks(struct benchmark **benchmarks)
{
    if (benchmarks[PIPELINE_BUFFER] && benchmarks[PIPELINE_BUFFER] != benchmarks[BLOCK])
        benchmark_release(benchmarks[PIPELINE_BUFFER]);
    for (int v = NAIVE; v <= BLOCK; v++)
        if (benchmarks[v])
            benchmark_release(benchmarks[v]);
}

static void measure_size(struct run *run, size_t size, const struct link_rates *link)
{
    struct benchmark *benchmarks[VARIANTS];
    struct bench_configuration configurations[VARIANTS];
    struct pipeline_execution executions[VARIANTS];
    size_t count = 0, bytes = device_budget(budget);
    char dataset[32];
    snprintf(dataset, sizeof dataset, "%zu", size);
    create_benchmarks(run, size, benchmarks);
    for (int v = 0; v < VARIANTS; v++) {
        if (!benchmarks[v])
            continue;
        set_configuration(&configurations[count], &executions[count], v, benchmarks[v], bytes);
        count++;
    }
    bench_measure(run, configurations, count);
    double kernel_s = NAN;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || configurations[i].benchmark != configurations[i - 1].benchmark)
            kernel_s = kernel_seconds(&configurations[i].benchmark->region, bytes);
        kernel_s = pipeline_kernel_least(&configurations[i], kernel_s);
        pipeline_record(run, &configurations[i], dataset, link, kernel_s);
    }
    bench_free(configurations, count);
    release_benchmarks(benchmarks);
}

static void run_all(struct run *run)
{
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] == 0 || run->settings.sizes[i] % 32 != 0)
            fail("%zu rows and columns: choose multiples of 32, as the panels have 32 columns",
                 run->settings.sizes[i]);
    device_memory_measure(run->settings.device);
    struct link_rates link = link_measure(link_bytes);
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, run->settings.sizes[i], &link);
}

static const size_t default_sizes[] = {64, 128, 256, 0};

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    device_memory_start();
}

const struct program program = {
    .name = "pipeline_matmul",
    .summary = "multiplies matrices with whole arrays on the device and with ring buffers",
    .details = "Sizes are the rows and columns of the matrices. A is copied in panels of columns,\n"
               "B in panels of rows; C = A B stays on the device until all are done. The rest is\n"
               "as for pipeline_versions.",
    .variants = variants,
    .options = options,
    .columns = pipeline_columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .default_begin = 64,
    .default_end = 256,
    .uses_gpu = true,
    .start = start_program,
    .run = run_all,
};
