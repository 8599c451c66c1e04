/* Block-level pipelining: every workload with every choice against the CPU reference, and bad
 * input. */
#include "blp_test.h"

#include "common/harness/allocate.h"
#include "common/harness/exit.h"

/* ---- results ---- */

static void check_budgets(struct benchmark *benchmark, struct blp_options options)
{
    struct blp_report whole, ring;
    expect(errors_with(benchmark, &options, &whole) == 0);
    size_t minimum = minimum_budget(benchmark, options);
    expect(minimum > 0 && minimum <= whole.device_bytes);
    options.budget_bytes = minimum;
    expect(errors_with(benchmark, &options, &ring) == 0);
    expect(ring.device_bytes <= minimum);
    options.budget_bytes = (minimum + whole.device_bytes) / 2;
    expect(errors_with(benchmark, &options, &ring) == 0);
    expect(ring.device_bytes <= options.budget_bytes);
}

static void every_workload_layout_width_budget_and_task_size(void)
{
    static const long task_sizes[] = {0, 1, 3, 1000};
    for (int k = 0; k < NAMES; k++) {
        struct benchmark *benchmark = make(names[k], sizes[k], 1);
        for (int choice = 0; choice < 32; choice += CHOICE_STEP) {
            struct blp_options options = {0};
            options.layout = choice & 1 ? BLP_INTERLEAVED : BLP_PER_ARRAY;
            options.vector_bits = choice & 2 ? 32 : 128;
            options.dynamic = choice & 4;
            options.task_size = task_sizes[choice / 8];
            options.threads = 32;
            check_budgets(benchmark, options);
        }
        benchmark_release(benchmark);
    }
}

static void every_flag_operation(void)
{
    static const char *const some[] = {"fdtd2d", "gemm"}; /* stages; parts, columns */
    for (int k = 0; k < 2; k++) {
        struct benchmark *benchmark = make(some[k], k ? 128 : 48, 1);
        for (int choice = 0; choice < BLP_WRITES * BLP_READS * BLP_WRITES * BLP_READS;
             choice += CHOICE_STEP) {
            struct blp_options options = {0};
            options.in_write = (enum blp_write)(choice % BLP_WRITES);
            options.in_read = (enum blp_read)(choice / BLP_WRITES % BLP_READS);
            options.out_write = (enum blp_write)(choice / BLP_WRITES / BLP_READS % BLP_WRITES);
            options.out_read = (enum blp_read)(choice / BLP_WRITES / BLP_READS / BLP_WRITES);
            options.vector_bits = 32;
            options.threads = 32;
            options.blocks = 6;
            options.copy_in_blocks = 2;
            options.copy_out_blocks = 2;
            options.task_size = choice % 4;
            expect(errors_with(benchmark, &options, NULL) == 0);
        }
        benchmark_release(benchmark);
    }
}

static void every_group_size(void)
{
    static const int groups[][3] = {{3, 1, 1}, {4, 2, 1}, {4, 1, 2},  {8, 1, 6},
                                    {8, 6, 1}, {8, 3, 3}, {16, 5, 4}, {1, 0, 0}};
    for (int k = 0; k < NAMES; k++) {
        struct benchmark *benchmark = make(names[k], sizes[k], 1);
        for (int choice = 0; choice < 8 * 3; choice += CHOICE_STEP) {
            struct blp_options options = {0};
            struct blp_report report;
            options.blocks = groups[choice / 3][0];
            options.copy_in_blocks = groups[choice / 3][1];
            options.copy_out_blocks = groups[choice / 3][2];
            options.dynamic = options.blocks == 1;
            options.threads = 32 * (choice % 3 + 1);
            options.task_size = 1;
            expect(errors_with(benchmark, &options, &report) == 0);
            expect(report.blocks == options.blocks && report.threads == options.threads);
            expect(report.copy_in_blocks == options.copy_in_blocks);
            expect(report.copy_out_blocks == options.copy_out_blocks);
            options.budget_bytes = minimum_budget(benchmark, options);
            expect(errors_with(benchmark, &options, &report) == 0);
        }
        benchmark_release(benchmark);
    }
}

/* One iteration; rows that are no multiple of 16 bytes; fewer tasks than blocks. */
static void small_and_odd_shapes(void)
{
    static const struct {
        const char *name;
        size_t size;
    } shapes[] = {{"conv2d", 3},   {"conv2d", 5}, {"conv2d", 101}, {"conv3d", 3},  {"conv3d", 13},
                  {"stencil", 12}, {"gemm", 32},  {"fdtd2d", 3},   {"fdtd2d", 37}, {"atax", 1},
                  {"atax", 2},     {"atax", 33},  {"atax", 1003},  {"qcd", 2}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct benchmark *benchmark = make(shapes[k].name, shapes[k].size, 1);
        for (int choice = 0; choice < 8; choice += CHOICE_STEP) {
            struct blp_options options = {0};
            struct blp_report report = {0};
            options.layout = choice & 1 ? BLP_INTERLEAVED : BLP_PER_ARRAY;
            options.dynamic = choice & 2;
            options.task_size = choice & 4 ? 2 : 0;
            expect(errors_with(benchmark, &options, &report) == 0);
            expect(report.vector_bits == (shapes[k].size % 4 ? 32 : 128) ||
                   strcmp(shapes[k].name, "qcd") == 0 || strcmp(shapes[k].name, "stencil") == 0);
        }
        benchmark_release(benchmark);
    }
}

static void rounds_with_exchanged_arrays(void)
{
    static const char *const some[] = {"conv3d", "stencil", "conv2d"};
    for (int choice = 0; choice < 12; choice += CHOICE_STEP) {
        struct benchmark *benchmark = make(some[choice % 3], choice % 3 == 1 ? 36 : 20, 4);
        struct blp_options options = {0};
        struct blp_report report = {0};
        if (choice & 1)
            benchmark_update_between_rounds(benchmark);
        if (choice & 4)
            options.budget_bytes = dm_region_footprint(&benchmark->region) * 3 / 4;
        expect(errors_with(benchmark, &options, &report) == 0);
        expect(report.launches == 4 && report.copies == 0);
        benchmark_release(benchmark);
    }
}

static void a_plan_runs_again(void)
{
    struct benchmark *benchmark = make("fdtd2d", 60, 1);
    struct blp_options options = {0};
    struct blp_plan *plan;
    options.budget_bytes = dm_region_footprint(&benchmark->region) / 2;
    expect_ok(blp_open(&plan, &benchmark->region, kernel_of("fdtd2d"), &options));
    for (int run = 0; run < 5; run++) {
        struct blp_report report;
        benchmark_reset(benchmark);
        expect_ok(blp_run(plan, &report));
        expect(benchmark_errors(benchmark) == 0);
        expect(report.launches == 1 && report.copies == 0 && report.time_s > 0);
    }
    blp_close(plan);
    blp_close(NULL);
    benchmark_release(benchmark);
}

/* ---- choices ---- */

static void groups_are_measured(void)
{
    struct benchmark *benchmark = make("conv2d", 100, 1);
    struct blp_options options = {0};
    struct blp_report report = {0};
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.copy_in_blocks == (report.blocks / 11 > 1 ? report.blocks / 11 : 1));
    expect(report.copy_out_blocks == (report.blocks / 33 > 1 ? report.blocks / 33 : 1));
    options.blocks = 32;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.copy_in_blocks == 2 && report.copy_out_blocks == 1);
    options.blocks = 0;
    struct blp_groups *measured = &options.measured;
    expect_error(blp_measure_groups(33, measured), DM_INVALID, "33 threads per block");
    expect_ok(blp_measure_groups(0, measured));
    expect(measured->in >= 1 && 3 * measured->in <= report.blocks);
    expect(measured->out >= 1 && 3 * measured->out <= report.blocks);
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.copy_in_blocks == measured->in && report.copy_out_blocks == measured->out);
    options.threads = measured->threads / 2; /* twice the blocks, but a third of all at most */
    const int third = report.blocks / 3;
    for (measured->in = 1; measured->in <= third; measured->in++) {
        measured->out = measured->in;
        expect(errors_with(benchmark, &options, &report) == 0);
        expect(report.copy_in_blocks == (2 * measured->in < third ? 2 * measured->in : third));
        expect(report.copy_out_blocks == report.copy_in_blocks);
    }
    options.copy_in_blocks = 1;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.copy_in_blocks == 1);
    benchmark_release(benchmark);
}

static void task_sizes_are_chosen(void)
{
    struct benchmark *benchmark = make("conv2d", 256, 1); /* rows of 1 KiB */
    struct blp_options options = {0};
    struct blp_report report = {0};
    options.blocks = 3;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.task_size == 254 && report.tasks == 1); /* 254 rows are below 256 KiB */
    options.blocks = 8, options.copy_in_blocks = options.copy_out_blocks = 1;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.task_size == 254 / 6 && report.tasks == 7); /* a task for each block */
    options.task_size = 100000;
    expect(errors_with(benchmark, &options, &report) == 0);
    expect(report.task_size == 254 && report.tasks == 1);
    benchmark_release(benchmark);
}

/* ---- bad input ---- */

/* The region of a benchmark, as it may have been changed, with the kernel that it had. */
static void refused(const struct benchmark *benchmark, const struct dm_region *region,
                    struct blp_options options, const char *words)
{
    expect_refused(region, kernel_of(benchmark->kind->name), &options, DM_INVALID, words);
}

static void bad_options(void)
{
    struct benchmark *benchmark = make("conv2d", 101, 1); /* rows are no multiple of 16 bytes */
    const struct dm_region *region = &benchmark->region;
    struct blp_options good = {0}, bad;
#define REFUSED(field, value, words)                                                               \
    bad = good, bad.field = value, refused(benchmark, region, bad, words)
    REFUSED(blocks, -1, "negative");
    REFUSED(blocks, 2, "no block is left to compute");
    REFUSED(blocks, 1000000, "can be resident at once");
    REFUSED(copy_in_blocks, -1, "negative");
    REFUSED(copy_in_blocks, 1 << 30, "no block is left to compute");
    REFUSED(copy_out_blocks, -2, "negative");
    REFUSED(copy_out_blocks, 1 << 30, "no block is left to compute");
    REFUSED(threads, -32, "multiple of 32");
    REFUSED(threads, 33, "multiple of 32");
    REFUSED(threads, 2048, "multiple of 32");
    REFUSED(vector_bits, 64, "64 bits");
    REFUSED(vector_bits, 128, "array input cannot be copied in vectors of 128 bits");
    REFUSED(layout, (enum blp_layout)2, "layout");
    REFUSED(in_write, BLP_WRITES, "raise a flag");
    REFUSED(out_write, (enum blp_write) - 1, "raise a flag");
    REFUSED(in_read, BLP_READS, "wait for a flag");
    REFUSED(out_read, BLP_READS, "wait for a flag");
    REFUSED(task_size, -1, "-1 iterations");
#undef REFUSED
    good.budget_bytes = 1000;
    expect_refused(region, kernel_of("conv2d"), &good, DM_NO_MEMORY, "bytes are needed");
    good.budget_bytes = 0;
    expect(errors_with(benchmark, &good, NULL) == 0);
    benchmark_release(benchmark);
}

static void budgets_that_are_too_small_by_a_byte(void)
{
    for (int k = 0; k < NAMES; k++) {
        struct benchmark *benchmark = make(names[k], sizes[k], 1);
        struct blp_options options = {0};
        size_t minimum = minimum_budget(benchmark, options);
        options.budget_bytes = minimum - 1;
        expect_refused(&benchmark->region, kernel_of(names[k]), &options, DM_NO_MEMORY,
                       "does not hold one window");
        options.budget_bytes = minimum;
        expect(errors_with(benchmark, &options, NULL) == 0);
        benchmark_release(benchmark);
    }
}

static void bad_regions(void)
{
    struct benchmark *benchmark = make("conv2d", 100, 1);
    struct dm_region region = benchmark->region;
    const struct blp_options none = {0};
    expect(!kernel_of("another") && !kernel_of("matmul") && !kernel_of(""));
    for (int k = 0; k < NAMES; k++)
        expect(kernel_of(names[k]) != NULL);
    region.end = region.begin;
    refused(benchmark, &region, none, "has no iterations");

    size_t bytes = 100 * 100 * sizeof(float);
    void *pageable = memory_allocate(MEMORY_PAGEABLE, bytes);
    region = benchmark->region;
    region.arrays[1].host = pageable;
    refused(benchmark, &region, none, "array output is not in page-locked host memory");
    memory_release(MEMORY_PAGEABLE, pageable);
    char *device = memory_allocate(MEMORY_DEVICE, bytes);
    region.arrays[1].host = device;
    refused(benchmark, &region, none, "array output is not in page-locked host memory");
    memory_release(MEMORY_DEVICE, device);
    char *managed = memory_allocate(MEMORY_MANAGED, bytes); /* it would migrate under the kernel */
    region.arrays[1].host = managed;
    refused(benchmark, &region, none, "array output is not in page-locked host memory");
    memory_release(MEMORY_MANAGED, managed);
    char *half = memory_allocate(MEMORY_PAGEABLE, bytes + 4096);
    char *page = half + (4096 - (size_t)half % 4096) % 4096;
    check_cuda(cudaHostRegister(page, 4096, cudaHostRegisterDefault)); /* not to its end */
    region.arrays[1].host = page;
    refused(benchmark, &region, none, "array output is not in page-locked host memory");
    check_cuda(cudaHostUnregister(page));
    memory_release(MEMORY_PAGEABLE, half);
    benchmark_release(benchmark);
}

static cudaError_t cannot_start(const struct blp_work *work, const void *context,
                                cudaStream_t stream)
{
    (void)work, (void)context, (void)stream;
    return cudaErrorLaunchFailure;
}

static cudaError_t cannot_tell(int threads, int *blocks)
{
    *blocks = threads;
    return cudaErrorInvalidDeviceFunction;
}

static void errors_of_cuda_are_reported(void)
{
    struct benchmark *benchmark = make("conv2d", 20, 1);
    struct blp_kernel kernel = *kernel_of("conv2d");
    struct blp_plan *plan;
    kernel.start = cannot_start;
    expect_ok(blp_open(&plan, &benchmark->region, &kernel, NULL));
    expect_error(blp_run(plan, NULL), DM_FAILED, cudaGetErrorString(cudaErrorLaunchFailure));
    blp_close(plan);
    kernel.resident = cannot_tell;
    expect_refused(&benchmark->region, &kernel, NULL, DM_FAILED, "kernel->resident");
    benchmark_release(benchmark);
}

static void a_device_that_is_full(void)
{
    enum { BALLASTS = 64 };
    struct benchmark *benchmark = make("conv2d", 1000, 1);
    struct blp_options options = {0};
    struct blp_groups groups;
    void *ballast[BALLASTS];
    int count = 0;
    for (size_t bytes = (size_t)1 << 40; bytes >= 1u << 20; bytes /= 2)
        while (count < BALLASTS && cudaMalloc(&ballast[count], bytes) == cudaSuccess)
            count++;
    cudaGetLastError();
    expect(count > 0 && count < BALLASTS);
    expect_refused(&benchmark->region, kernel_of("conv2d"), &options, DM_NO_MEMORY,
                   "region conv2d: 80");
    expect_error(blp_measure_groups(0, &groups), DM_NO_MEMORY, "device memory");
    expect(groups.threads == 0);
    while (count > 0)
        check_cuda(cudaFree(ballast[--count]));
    expect(errors_with(benchmark, &options, NULL) == 0);
    benchmark_release(benchmark);
}

int main(void)
{
    setenv("SOFTGPU_MEMORY", "256M", 1);
    run_test(every_workload_layout_width_budget_and_task_size);
    run_test(every_flag_operation);
    run_test(every_group_size);
    run_test(small_and_odd_shapes);
    run_test(rounds_with_exchanged_arrays);
    run_test(a_plan_runs_again);
    run_test(task_sizes_are_chosen);
    run_test(bad_options);
    run_test(budgets_that_are_too_small_by_a_byte);
    run_test(bad_regions);
    run_test(errors_of_cuda_are_reported);
    run_test(a_device_that_is_full);
    run_test(groups_are_measured);
    return end_tests();
}
