/* Lists of workloads, configurations measured side by side, and what is said about memory and
 * kernels. Each check is shown to fail on what is wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/program.h"
#include "common/regions/bench.h"
#include "common/regions/copies.h"
#include "common/regions/device_memory.h"
#include "common/regions/kernel_time.h"
#include "common/regions/workload_lists.h"
#include "tests/unit/test.h"

/* ---- lists ---- */

static void numbers_and_ranges_are_read_in_order(void)
{
    struct option_numbers numbers = option_read_numbers("n", "8,1..3,5", 1, 8);
    const long expected[] = {8, 1, 2, 3, 5};
    expect(numbers.count == 5);
    for (size_t i = 0; i < numbers.count; i++)
        expect(numbers.values[i] == expected[i]);
    free(numbers.values);
}

static void workloads_take_missing_parts_from_the_defaults(void)
{
    struct workload_list workloads =
        read_workloads("b", "conv3d,stencil:24,stencil:tiny:7", "tiny,30", 2);
    expect(workloads.count == 4);
    expect(strcmp(workloads.values[0].kind->name, "conv3d") == 0);
    expect(strcmp(workloads.values[0].dataset, "tiny") == 0 && workloads.values[0].rounds == 2);
    expect(workloads.values[1].size == 30);
    expect(workloads.values[2].size == 24 && workloads.values[2].rounds == 2);
    expect(workloads.values[3].rounds == 7);
    expect(workloads.values[3].size == benchmark_size(workloads.values[3].kind, "tiny"));
    free_workloads(&workloads);
}

static void thread_blocks_are_read(void)
{
    dim3 block = read_thread_block("block", "32x8"), none = read_thread_block("block", NULL);
    expect(block.x == 32 && block.y == 8 && block.z == 1);
    expect(none.x == 0 && none.y == 0);
}

/* ---- configurations ---- */

static struct run quiet_run(int iterations)
{
    static const struct program program = {.name = "test"};
    return (struct run){.program = &program,
                        .settings = {.iterations = iterations, .check = true, .verbosity = -1}};
}

static struct benchmark *make(const char *name)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    return benchmark_create(kind, benchmark_size(kind, "tiny"), 1, MEMORY_PINNED, 1);
}

/* A method that does nothing: its results must be found wrong. */
static enum dm_status open_idle(const struct dm_region *region, const void *options, void **plan)
{
    (void)options;
    *plan = (void *)region;
    return DM_OK;
}
static enum dm_status run_idle(void *plan, void *report, double *time_s)
{
    (void)plan;
    *(int *)report = 7;
    *time_s = 1e-3;
    return DM_OK;
}
static void close_idle(void *plan)
{
    (void)plan;
}
static const struct bench_method idle = {open_idle, run_idle, close_idle, sizeof(int)};

/* The versions of copies.h. */
static enum dm_status open_copies(const struct dm_region *region, const void *version, void **plan)
{
    const struct copies_options options = {.chunk_size = 1, .streams = 2};
    struct copies_plan *opened;
    const enum dm_status status =
        copies_open(&opened, *(const enum copies_version *)version, region, &options);
    *plan = opened;
    return status;
}
static enum dm_status run_copies(void *plan, void *report, double *time_s)
{
    const enum dm_status status = copies_run(plan, report);
    *time_s = ((struct copies_report *)report)->time_s;
    return status;
}
static void close_copies(void *plan)
{
    copies_close(plan);
}
static const struct bench_method copying = {open_copies, run_copies, close_copies,
                                            sizeof(struct copies_report)};

/* One that never can. */
static enum dm_status refuse(const struct dm_region *region, const void *options, void **plan)
{
    (void)region;
    (void)options;
    (void)plan;
    return dm_fail(DM_INVALID, "no");
}
static const struct bench_method refusing = {refuse, run_idle, close_idle, sizeof(int)};

static struct bench_configuration configure(struct benchmark *benchmark,
                                            const struct bench_method *method, const void *options)
{
    return (struct bench_configuration){
        .variant = "test", .benchmark = benchmark, .method = method, .options = options};
}

static void wrong_results_are_found_and_right_ones_are_not(void)
{
    static const char *const names[] = {"conv3d", "gemm", "atax"};
    struct run run = quiet_run(3);
    const enum copies_version naive = COPIES_NAIVE, rings = COPIES_RINGS;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct benchmark *benchmark = make(names[i]);
        struct bench_configuration all[] = {
            configure(benchmark, &copying, &naive), configure(benchmark, &idle, NULL),
            configure(benchmark, &refusing, NULL), configure(benchmark, &copying, &rings)};
        bench_measure(&run, all, 4);
        expect(all[0].errors == 0 && !all[0].reason && all[0].subject.count == 3);
        expect(all[1].errors > 0 && all[1].subject.count == 3);
        expect(*(const int *)bench_report(&all[1], 2) == 7);
        expect(all[2].reason && strcmp(all[2].reason, "no") == 0);
        expect(all[2].subject.count == 0 && all[2].errors == 0);
        expect(all[3].errors == 0 && all[3].subject.count == 3);
        const struct copies_report *report = bench_report(&all[0], 0);
        expect(report->time_s == all[0].subject.times_s[0]);
        expect(!all[0].plan && !all[3].plan);
        bench_free(all, 4);
        benchmark_release(benchmark);
    }
}

/* A device that holds one plan only: the others make room. */
static void *hog;
static size_t openings;
static enum dm_status open_hog(const struct dm_region *region, const void *options, void **plan)
{
    (void)options;
    if (hog)
        return dm_fail(DM_NO_MEMORY, "the device is full");
    openings++;
    *plan = hog = (void *)region;
    return DM_OK;
}
static void close_hog(void *plan)
{
    expect(plan == hog);
    hog = NULL;
}
static const struct bench_method greedy = {open_hog, run_idle, close_hog, sizeof(int)};

static void plans_make_room_for_one_another(void)
{
    struct run run = quiet_run(4);
    run.settings.check = false;
    struct benchmark *benchmark = make("conv2d");
    struct bench_configuration all[] = {configure(benchmark, &greedy, NULL),
                                        configure(benchmark, &greedy, NULL)};
    openings = 0;
    bench_measure(&run, all, 2);
    expect(all[0].subject.count == 4 && all[1].subject.count == 4);
    expect(!all[0].reason && !all[1].reason && !hog);
    expect(openings >= 8);
    bench_free(all, 2);
    benchmark_release(benchmark);
}

static void memory_of_a_plan_is_what_it_allocates(void)
{
    size_t before, in_use = device_memory_in_use();
    expect(device_memory_before(&before));
    expect(before <= in_use);
    void *buffer = memory_allocate(MEMORY_DEVICE, 8 << 20);
    expect(device_memory_in_use() >= in_use + (8 << 20));
    memory_release(MEMORY_DEVICE, buffer);
}

static void the_kernels_time_is_told_with_whole_arrays_and_without(void)
{
    struct benchmark *benchmark = make("conv3d");
    size_t minimum = copies_minimum_bytes(&benchmark->region);
    double whole_s = kernel_seconds(&benchmark->region, 1 << 30);
    double rings_s = kernel_seconds(&benchmark->region, minimum);
    expect(whole_s > 0.0 && isfinite(whole_s));
    expect(rings_s > 0.0 && isfinite(rings_s));
    expect(isnan(kernel_seconds(&benchmark->region, minimum - 1)));
    benchmark_release(benchmark);
}

int main(void)
{
    device_memory_start();
    check_cuda(cudaSetDevice(0));
    device_memory_measure(0);
    run_test(numbers_and_ranges_are_read_in_order);
    run_test(workloads_take_missing_parts_from_the_defaults);
    run_test(thread_blocks_are_read);
    run_test(wrong_results_are_found_and_right_ones_are_not);
    run_test(plans_make_room_for_one_another);
    run_test(memory_of_a_plan_is_what_it_allocates);
    run_test(the_kernels_time_is_told_with_whole_arrays_and_without);
    return end_tests();
}
