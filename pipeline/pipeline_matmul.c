/* pipeline_matmul: matrix multiplication: one thread per element, in blocks, and with A and B in
 * ring buffers. */
#include <math.h>
#include <stdio.h>

#include "common/harness/program.h"
#include "common/regions/device_memory.h"

#include "rows.h"

enum { NAIVE, BLOCK, PIPELINE_BUFFER, VARIANTS };

static const struct variant variants[VARIANTS + 1] = {
    [NAIVE] = {"naive", "a thread per element reads a row of A and a column of B"},
    [BLOCK] = {"block", "tiles of 32 by 32 elements in shared memory"},
    [PIPELINE_BUFFER] = {"pipeline-buffer",
                         "block, with panels of A and B in ring buffers; only C is whole"},
};
/* The kinds of benchmark.h by variant. */
static const char *const kinds[VARIANTS] = {"matmul_naive", "matmul", "matmul"};

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

/* The arrays by variant, NULL where it is left out: naive's are its own, the others share theirs.
 */
static void create_benchmarks(const struct run *run, size_t size, struct benchmark **benchmarks)
{
    for (int v = 0; v < VARIANTS; v++) {
        const bool shared = v == PIPELINE_BUFFER && benchmarks[BLOCK];
        benchmarks[v] = !program_wants_variant(run, v) ? NULL
                        : shared                       ? benchmarks[BLOCK]
                                 : benchmark_create(benchmark_kind_of(kinds[v]), size, 1,
                                                    MEMORY_PINNED, run->settings.seed);
    }
}

static void release_benchmarks(struct benchmark **benchmarks)
{
    for (int v = 0; v < VARIANTS; v++)
        if (benchmarks[v] && (v != PIPELINE_BUFFER || benchmarks[v] != benchmarks[BLOCK]))
            benchmark_release(benchmarks[v]);
}

static void configure(struct bench_configuration *configuration, struct execution *execution,
                      int variant, struct benchmark *benchmark, size_t bytes)
{
    const bool ring = variant == PIPELINE_BUFFER;
    const long panels = benchmark->region.end - benchmark->region.begin;
    *execution = (struct execution){.version = ring ? COPIES_RINGS : COPIES_NAIVE,
                                    .options = {.chunk_size = ring ? chunk_size : panels,
                                                .streams = ring ? (int)streams : 1,
                                                .budget_bytes = bytes}};
    *configuration = (struct bench_configuration){.variant = variants[variant].name,
                                                  .benchmark = benchmark,
                                                  .method = &rows_method,
                                                  .options = execution};
}

static void measure_size(struct run *run, size_t size, const struct link_rates *link)
{
    struct benchmark *benchmarks[VARIANTS];
    struct bench_configuration configurations[VARIANTS];
    struct execution executions[VARIANTS];
    size_t count = 0, bytes = device_budget(budget);
    char dataset[32];
    snprintf(dataset, sizeof dataset, "%zu", size);
    create_benchmarks(run, size, benchmarks);
    for (int v = 0; v < VARIANTS; v++)
        if (benchmarks[v]) {
            configure(&configurations[count], &executions[count], v, benchmarks[v], bytes);
            count++;
        }
    bench_measure(run, configurations, count);
    double kernel_s = NAN;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || configurations[i].benchmark != configurations[i - 1].benchmark)
            kernel_s = kernel_seconds(&configurations[i].benchmark->region, bytes);
        kernel_s = rows_kernel_minimum(&configurations[i], kernel_s);
        rows_record(run, &configurations[i], dataset, link, kernel_s);
    }
    bench_free(configurations, count);
    release_benchmarks(benchmarks);
}

static void run_all(struct run *run)
{
    struct link_rates link;
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] == 0 || run->settings.sizes[i] % 32 != 0)
            fail("%zu rows and columns: choose multiples of 32, as the panels have 32 columns",
                 run->settings.sizes[i]);
    device_memory_measure(run->settings.device);
    check_status(link_measure(&link, link_bytes));
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, run->settings.sizes[i], &link);
}

static const size_t default_sizes[] = {64, 128, 256, 0};

const struct program program = {
    .name = "pipeline_matmul",
    .summary = "multiplies matrices with whole arrays on the device and with ring buffers",
    .details = "Sizes are the rows and columns of the matrices. A is copied in panels of columns,\n"
               "B in panels of rows; C = A B stays on the device until all are done. The rest is\n"
               "as for pipeline_versions.",
    .variants = variants,
    .options = options,
    .columns = rows_columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .default_begin = 64,
    .default_end = 256,
    .uses_gpu = true,
    .start = rows_start,
    .run = run_all,
};
