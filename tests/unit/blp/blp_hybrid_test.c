/* Hybrid block-level pipelining: copy engines in either direction or both, against the CPU
 * reference, with rings down to the minimum, and the choice by rates. */
#include "blp_test.h"

static const enum blp_mover movers[][2] = {
    {BLP_ENGINE, BLP_BLOCKS}, {BLP_BLOCKS, BLP_ENGINE}, {BLP_ENGINE, BLP_ENGINE}};
enum { MOVERS = sizeof movers / sizeof *movers };

static struct blp_options moved_by(int choice)
{
    struct blp_options options = {0};
    options.in = movers[choice][0];
    options.out = movers[choice][1];
    options.threads = 32;
    return options;
}

static void check(struct benchmark *benchmark, struct blp_options options)
{
    struct blp_report report;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.in == options.in && report.out == options.out);
    expect((report.copy_in_blocks == 0) == (options.in == BLP_ENGINE));
    expect((report.copy_out_blocks == 0) == (options.out == BLP_ENGINE));
    expect(report.engine_tasks >= 1 && report.engine_tasks <= report.tasks);
    expect(report.launches == benchmark->region.rounds && report.copies > 0);
}

static void every_workload_mover_batch_and_budget(void)
{
    static const struct {
        long task_size;
        size_t engine_bytes;
    } cuts[] = {{0, 0}, {1, 1}, {1, 4096}, {3, 3000}, {2, 1 << 30}};
    for (int k = 0; k < NAMES; k++) {
        struct benchmark *benchmark = make(names[k], sizes[k], 1);
        for (int choice = 0; choice < MOVERS * 5; choice += CHOICE_STEP) {
            struct blp_options options = moved_by(choice % MOVERS);
            struct blp_report whole = {0};
            options.task_size = cuts[choice / MOVERS].task_size;
            options.engine_bytes = cuts[choice / MOVERS].engine_bytes;
            options.vector_bits = choice & 1 ? 32 : 0;
            options.layout = choice & 2 ? BLP_INTERLEAVED : BLP_PER_ARRAY;
            check(benchmark, options);
            expect(errors_with(benchmark, &options, &whole) == 0);
            size_t minimum = minimum_budget(benchmark, options);
            options.budget_bytes = minimum;
            check(benchmark, options);
            options.budget_bytes = (minimum + whole.device_bytes) / 2;
            check(benchmark, options);
        }
        benchmark_release(benchmark);
    }
}

static void small_and_odd_shapes(void)
{
    static const struct {
        const char *name;
        size_t size;
    } shapes[] = {{"conv2d", 3}, {"conv2d", 101}, {"conv3d", 13}, {"stencil", 12}, {"gemm", 32},
                  {"fdtd2d", 3}, {"fdtd2d", 37},  {"atax", 1},    {"atax", 33},    {"qcd", 2}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct benchmark *benchmark = make(shapes[k].name, shapes[k].size, 1);
        for (int choice = 0; choice < MOVERS; choice++)
            check(benchmark, moved_by(choice));
        benchmark_release(benchmark);
    }
}

static void rounds_with_exchanged_arrays(void)
{
    static const char *const some[] = {"conv3d", "stencil", "conv2d"};
    for (int choice = 0; choice < 4 * MOVERS; choice += CHOICE_STEP) {
        const char *name = some[choice / 4];
        struct benchmark *benchmark = make(name, strcmp(name, "stencil") == 0 ? 36 : 20, 4);
        struct blp_options options = moved_by(choice % MOVERS);
        if (choice & 1)
            benchmark_update_between_rounds(benchmark);
        if (choice & 2)
            options.budget_bytes = dm_region_footprint(&benchmark->region) * 3 / 4;
        options.engine_bytes = 2000;
        check(benchmark, options);
        benchmark_release(benchmark);
    }
}

/* Words that engines raise are those of one run, as nobody clears them. */
static void a_plan_runs_again(void)
{
    for (int choice = 0; choice < MOVERS; choice++) {
        struct benchmark *benchmark = make("fdtd2d", 60, 1);
        struct blp_options options = moved_by(choice);
        struct blp_plan *plan;
        struct blp_report report;
        options.budget_bytes = dm_region_footprint(&benchmark->region) / 2;
        options.engine_bytes = 1000;
        expect_ok(blp_open(&plan, &benchmark->region, kernel_of("fdtd2d"), &options));
        for (int run = 0; run < 8; run++) {
            benchmark_reset(benchmark);
            expect_ok(blp_run(plan, &report));
            expect(benchmark_errors(benchmark) == 0);
        }
        blp_close(plan);
        benchmark_release(benchmark);
    }
}

/* Batches: of the requested bytes in whole tasks, small where data are. */
static void batches_are_chosen(void)
{
    struct benchmark *benchmark = make("conv2d", 256, 1); /* 254 rows of 1 KiB each way */
    struct blp_options options = moved_by(2);
    struct blp_report report;
    options.task_size = 1;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.tasks == 254 && report.engine_tasks == 254 / 32);
    options.engine_bytes = 16 << 10;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.engine_tasks == 16);
    /* 16 batches in, and 16 words behind them; 16 batches out */
    expect(report.copies == 48);
    options.engine_bytes = 1;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.engine_tasks == 1 && report.copies == 3 * 254);
    benchmark_release(benchmark);
}

/* ---- the choice ---- */

static void expect_chosen(struct benchmark *benchmark, const struct blp_options *options,
                          enum blp_mover in, enum blp_mover out)
{
    struct blp_report report;
    expect(errors_with(benchmark, options, &report) == 0);
    expect(report.in == in && report.out == out);
}

static void movers_are_chosen_by_rates(void)
{
    struct benchmark *benchmark = make("conv2d", 100, 1);
    struct blp_options options = {0};
    expect_chosen(benchmark, &options, BLP_BLOCKS, BLP_BLOCKS);
    struct blp_rates *rates = &options.rates;
    *rates =
        (struct blp_rates){true, {1e9, 1e9}, {1e9, 1e9}, {{1e9, 1e9}, {1e9, 1e9}}, {{0}}, 0, 0};
    expect_chosen(benchmark, &options, BLP_ENGINE, BLP_ENGINE); /* as fast with fewer blocks */
    rates->both[1][0] = 1.1e9;
    expect_chosen(benchmark, &options, BLP_ENGINE, BLP_BLOCKS);
    rates->both[0][1] = 1.2e9;
    expect_chosen(benchmark, &options, BLP_BLOCKS, BLP_ENGINE);
    rates->start_s[0][1] = rates->start_s[1][0] = rates->start_s[1][1] = 1.0; /* of small loops */
    expect_chosen(benchmark, &options, BLP_BLOCKS, BLP_BLOCKS);
    rates->start_s[1][1] = 2.0;
    options.in = BLP_ENGINE; /* what is requested is not chosen */
    expect_chosen(benchmark, &options, BLP_ENGINE, BLP_BLOCKS);
    options.out = BLP_ENGINE;
    expect_chosen(benchmark, &options, BLP_ENGINE, BLP_ENGINE);
    options.in = options.out = BLP_CHOSEN;
    rates->start_s[0][1] = rates->start_s[1][0] = rates->start_s[1][1] = 0.0;
    options.dynamic = true;
    expect_chosen(benchmark, &options, BLP_BLOCKS, BLP_BLOCKS);
    benchmark_release(benchmark);
}

/* Rates with which links take as long in any way. */
static struct blp_options even_rates(void)
{
    struct blp_options options = {0};
    options.rates =
        (struct blp_rates){true, {1e9, 1e9}, {1e9, 1e9}, {{2e9, 2e9}, {2e9, 2e9}}, {{0}}, 0, 0};
    return options;
}

/* Where computing takes longer, engines that copy more slowly leave it more blocks; where these
 * gain nothing, they do not. */
static void movers_are_chosen_by_computing(void)
{
    struct benchmark *benchmark = make("conv2d", 100, 1);
    struct blp_options options = even_rates();
    options.task_size = 1;
    options.rates.both[1][1] = options.rates.both[0][1] = options.rates.both[1][0] = 1e9;
    expect_chosen(benchmark, &options, BLP_BLOCKS, BLP_BLOCKS);
    options.compute = (struct blp_compute){{8, 6}, {1e-3, 1e-3}, 0.0};
    expect_chosen(benchmark, &options, BLP_ENGINE, BLP_ENGINE);
    options.rates.start_s[1][0] = options.rates.start_s[1][1] = 1.0;
    options.compute.unit_s[1] = 2e-3;
    expect_chosen(benchmark, &options, BLP_BLOCKS, BLP_ENGINE);
    options.compute = (struct blp_compute){{8, 6}, {1e-9, 1e-9}, 0.0};
    expect_chosen(benchmark, &options, BLP_BLOCKS, BLP_BLOCKS);
    benchmark_release(benchmark);
}

static long batch_with(struct benchmark *benchmark, struct blp_options options, double *predicted_s)
{
    struct blp_report report = {0};
    options.in = options.out = BLP_ENGINE;
    expect(errors_with(benchmark, &options, &report) == 0);
    *predicted_s = report.predicted_s;
    return report.engine_tasks;
}

/* The more a copy costs the larger they are; those that are requested stay. */
static void batches_are_chosen_by_rates(void)
{
    struct benchmark *benchmark = make("conv2d", 1024, 1); /* 4 MiB each way */
    struct blp_options options = even_rates();
    double cheap_s, dear_s, requested_s;
    options.task_size = 2;
    const long cheap = batch_with(benchmark, options, &cheap_s);
    options.rates.call_s = 1e-3;
    const long dear = batch_with(benchmark, options, &dear_s);
    expect(dear > 2 * cheap && dear_s > cheap_s);
    options.engine_bytes = 64 << 10;
    expect(batch_with(benchmark, options, &requested_s) == 8 && requested_s > dear_s);
    benchmark_release(benchmark);
    benchmark = make("gemm", 256, 1);
    options = even_rates();
    options.task_size = 1;
    const long wide = batch_with(benchmark, options, &cheap_s);
    options.rates.row_s = 1e-3;
    expect(batch_with(benchmark, options, &dear_s) > wide && dear_s > cheap_s);
    options.rates.row_s = 0.0, options.compute.row_s = 1e-3; /* beside blocks that compute */
    expect(batch_with(benchmark, options, &dear_s) > wide && dear_s > cheap_s);
    benchmark_release(benchmark);
}

static bool has_columns(const struct dm_region *region)
{
    for (int a = 0; a < region->array_count; a++)
        if (region->arrays[a].split == DM_REGION_COLUMNS)
            return true;
    return false;
}

static void computing_is_measured(void)
{
    for (int k = 0; k < NAMES; k++) {
        struct benchmark *benchmark = make(names[k], sizes[k], 1);
        const struct blp_kernel *kernel = kernel_of(names[k]);
        struct blp_options options = {0};
        struct blp_compute compute;
        benchmark_reset(benchmark);
        expect_ok(blp_measure_compute(&benchmark->region, kernel, &options, &compute));
        expect(compute.blocks[0] > compute.blocks[1] && compute.blocks[1] > 0);
        expect(compute.unit_s[0] > 0 && compute.unit_s[1] > 0);
        expect((compute.row_s > 0) == has_columns(&benchmark->region));
        options.budget_bytes = 1;
        expect_ok(blp_measure_compute(&benchmark->region, kernel, &options, &compute));
        expect(compute.blocks[0] == 0);
        options.budget_bytes = 0, options.threads = 33;
        expect_error(blp_measure_compute(&benchmark->region, kernel, &options, &compute),
                     DM_INVALID, "33 threads");
        expect_error(blp_measure_compute(&benchmark->region, NULL, &options, &compute), DM_INVALID,
                     "threads");
        benchmark_release(benchmark);
    }
}

/* A loop that adds to what it copies in and out: computing it for the time leaves the caller's data
 * as they are. */
static void measuring_writes_nothing(void)
{
    struct benchmark *benchmark = make("gemm", 96, 1);
    struct blp_options options = {0};
    struct blp_compute compute;
    benchmark_reset(benchmark);
    char *before[DM_REGION_ARRAYS];
    const struct dm_region *region = &benchmark->region;
    for (int a = 0; a < region->array_count; a++) {
        size_t bytes = (size_t)region->arrays[a].slices * dm_region_slice_size(&region->arrays[a]);
        before[a] = malloc(bytes);
        memcpy(before[a], region->arrays[a].host, bytes);
    }
    expect_ok(blp_measure_compute(region, kernel_of("gemm"), &options, &compute));
    for (int a = 0; a < region->array_count; a++) {
        size_t bytes = (size_t)region->arrays[a].slices * dm_region_slice_size(&region->arrays[a]);
        expect(memcmp(before[a], region->arrays[a].host, bytes) == 0);
        free(before[a]);
    }
    benchmark_release(benchmark);
}

static void rates_are_measured(void)
{
    struct blp_rates rates;
    struct blp_groups groups = {.threads = 64, .in = 2, .out = 1};
    expect_ok(blp_measure_rates(&groups, &rates));
    expect_ok(blp_measure_rates(NULL, &rates));
    expect(rates.measured && rates.call_s >= 0 && rates.row_s > 0);
    for (int i = 0; i < 2; i++) {
        expect(rates.in[i] > 0 && rates.out[i] > 0);
        for (int o = 0; o < 2; o++)
            expect(rates.both[i][o] > 0 && rates.start_s[i][o] >= 0);
    }
}

/* ---- bad input ---- */

static void bad_options(void)
{
    struct benchmark *benchmark = make("conv2d", 100, 1);
    struct blp_options options = {0};
#define REFUSED(words)                                                                             \
    expect_refused(&benchmark->region, kernel_of("conv2d"), &options, DM_INVALID, words)
    options.in = BLP_MOVERS;
    REFUSED("movers 3 and 0");
    options.in = BLP_ENGINE, options.out = (enum blp_mover) - 1;
    REFUSED("movers 2 and -1");
    options.out = BLP_BLOCKS, options.copy_in_blocks = 3;
    REFUSED("3 blocks copy in and 0 copy out beside engines");
    options.in = BLP_BLOCKS, options.out = BLP_ENGINE;
    options.copy_in_blocks = 0, options.copy_out_blocks = 2;
    REFUSED("0 blocks copy in and 2 copy out beside engines");
    options.copy_out_blocks = 0, options.dynamic = true;
    REFUSED("the queue of a dynamic execution");
#undef REFUSED
    options.dynamic = false, options.budget_bytes = 1000;
    expect_refused(&benchmark->region, kernel_of("conv2d"), &options, DM_NO_MEMORY,
                   "bytes are needed");
    benchmark_release(benchmark);
}

static cudaError_t does_nothing(const struct blp_work *work, const void *context,
                                cudaStream_t stream)
{
    (void)work, (void)context, (void)stream;
    return cudaSuccess;
}

/* The host would wait for its tasks for ever. */
static void a_kernel_that_ends_too_early(void)
{
    struct benchmark *benchmark = make("conv2d", 100, 1);
    struct blp_kernel kernel = *kernel_of("conv2d");
    struct blp_options options = moved_by(2);
    struct blp_plan *plan;
    kernel.start = does_nothing;
    expect_ok(blp_open(&plan, &benchmark->region, &kernel, &options));
    expect_error(blp_run(plan, NULL), DM_FAILED, "ended before all of its tasks");
    blp_close(plan);
    benchmark_release(benchmark);
}

int main(void)
{
    setenv("SOFTGPU_MEMORY", "512M", 1);
    run_test(every_workload_mover_batch_and_budget);
    run_test(small_and_odd_shapes);
    run_test(rounds_with_exchanged_arrays);
    run_test(a_plan_runs_again);
    run_test(batches_are_chosen);
    run_test(movers_are_chosen_by_rates);
    run_test(movers_are_chosen_by_computing);
    run_test(batches_are_chosen_by_rates);
    run_test(computing_is_measured);
    run_test(measuring_writes_nothing);
    run_test(rates_are_measured);
    run_test(bad_options);
    run_test(a_kernel_that_ends_too_early);
    return end_tests();
}
