/* Every benchmark in every version, with many chunk sizes, numbers of streams, budgets and rounds:
 * the results must be the reference's, and the trace must show that no slot in use was overwritten.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/workloads/benchmark.h"
#include "common/regions/copies.h"
#include "tests/unit/test_status.h"

#include "copies_trace_check.h"

/* Which combinations are run with one round, and with more: a sanitizer costs more per operation
 * than the operations do. */
#if defined(__SANITIZE_THREAD__)
enum { STEP = 31, STEP_ROUNDS = 37 };
#elif defined(__SANITIZE_ADDRESS__)
enum { STEP = 7, STEP_ROUNDS = 11 };
#else
enum { STEP = 1, STEP_ROUNDS = 4 };
#endif

static const long chunk_sizes[] = {1, 2, 3, 7, 1000000};
static const int stream_counts[] = {1, 2, 3, 4, 8};
enum { CHUNK_SIZES = 5, STREAM_COUNTS = 5, BUDGETS = 3 };

/* ---- one run ---- */

static void expect_counts(const struct dm_region *region, const struct copies_report *report)
{
    size_t rounds = (size_t)region->rounds;
    expect(report->bytes_to_device == rounds * dm_region_bytes(region, DM_REGION_TO));
    expect(report->bytes_from_device == rounds * dm_region_bytes(region, DM_REGION_FROM));
    expect(report->chunks ==
           (region->end - region->begin + report->chunk_size - 1) / report->chunk_size);
    expect(report->copies > 0);
    expect(report->api_calls >= report->copies + region->rounds * report->chunks);
    expect(report->time_s > 0 && report->host_cpu_s > 0);
}

static void run_and_check(struct benchmark *benchmark, enum copies_version version,
                          struct copies_options options)
{
    struct copies_report report;
    const struct dm_region *region = &benchmark->region;
    struct copies_plan *plan;
    expect_ok(copies_open(&plan, version, region, &options));
    if (!plan)
        return;
    benchmark_reset(benchmark);
    expect_ok(copies_run(plan, &report));
    long errors = benchmark_errors(benchmark);
    long order = options.trace ? trace_errors(region, options.trace) : 0;
    if (errors || order)
        printf(
            "# %s, %s, chunks of %ld, %d streams, budget %zu, %ld rounds: %ld wrong elements, %ld times out of order\n",
            region->name, copies_version_names[version], options.chunk_size, options.streams,
            options.budget_bytes, region->rounds, errors, order);
    expect(errors == 0 && order == 0);
    expect_counts(region, &report);
    expect(!options.budget_bytes || report.device_bytes <= options.budget_bytes);
    copies_close(plan);
}

/* ---- all of them ---- */

/* The minimum budget, one in between, and plenty. */
static size_t budget_of(const struct dm_region *region, int which)
{
    size_t minimum = copies_minimum_bytes(region);
    size_t maximum = copies_ring_bytes(region, 1000000, 8);
    return which == 0 ? minimum : which == 1 ? minimum + (maximum - minimum) / 3 : 2 * maximum;
}

/* Every `step`-th combination. */
static void framework_runs(struct benchmark *benchmark, struct copies_trace *trace, int step)
{
    int combination = 0;
    for (int c = 0; c < CHUNK_SIZES; c++)
        for (int s = 0; s < STREAM_COUNTS; s++)
            for (int b = 0; b < BUDGETS; b++, combination++) {
                struct copies_options options = {.chunk_size = chunk_sizes[c],
                                                 .streams = stream_counts[s],
                                                 .budget_bytes = budget_of(&benchmark->region, b),
                                                 .trace = combination % 5 ? trace : NULL};
                if (combination % step)
                    continue;
                run_and_check(benchmark, COPIES_RINGS, options);
            }
}

static void hand_written_runs(struct benchmark *benchmark, struct copies_trace *trace, int step)
{
    for (int c = 0; c < CHUNK_SIZES; c++)
        for (int s = 0; s < STREAM_COUNTS; s++) {
            struct copies_options options = {
                .chunk_size = chunk_sizes[c], .streams = stream_counts[s], .trace = trace};
            if ((c * STREAM_COUNTS + s) % step)
                continue;
            run_and_check(benchmark, COPIES_STREAMS, options);
        }
    struct copies_options options = {.chunk_size = 1, .streams = 1, .trace = trace};
    run_and_check(benchmark, COPIES_NAIVE, options);
}

/* Not those that overwrite their input. */
static bool can_have_rounds(const struct benchmark_kind *kind)
{
    struct benchmark benchmark = {.kind = kind, .size = benchmark_size(kind, "tiny")};
    kind->describe(&benchmark);
    for (int a = 0; a < benchmark.region.array_count; a++)
        if (benchmark.region.arrays[a].direction == DM_REGION_TOFROM)
            return false;
    return true;
}

static void run_all(long rounds, bool updates, int step)
{
    struct copies_trace *trace;
    expect_ok(copies_trace_create(&trace));
    for (int k = 0; benchmark_kinds[k]; k++) {
        if (rounds > 1 && !can_have_rounds(benchmark_kinds[k]))
            continue;
        size_t size = benchmark_size(benchmark_kinds[k], "tiny");
        struct benchmark *benchmark =
            benchmark_create(benchmark_kinds[k], size, rounds, MEMORY_PINNED, 5 + (uint64_t)k);
        if (updates)
            benchmark_update_between_rounds(benchmark);
        alarm(HANGS_AFTER_S);
        framework_runs(benchmark, trace, step);
        hand_written_runs(benchmark, trace, step);
        benchmark_release(benchmark);
    }
    copies_trace_release(trace);
}

static void one_round(void)
{
    run_all(1, false, STEP);
}

static void rounds_follow_without_a_drain(void)
{
    run_all(3, false, STEP_ROUNDS);
}

static void the_host_may_change_data_between_rounds(void)
{
    run_all(2, true, STEP_ROUNDS);
}

/* ---- reports ---- */

static struct benchmark *small_benchmark(const char *name, long rounds)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    return benchmark_create(kind, benchmark_size(kind, "tiny"), rounds, MEMORY_PINNED, 3);
}

static struct copies_report report_of(struct benchmark *benchmark, enum copies_version version,
                                      long chunk_size, int streams)
{
    struct copies_report report;
    struct copies_options options = {.chunk_size = chunk_size, .streams = streams};
    struct copies_plan *plan;
    expect_ok(copies_open(&plan, version, &benchmark->region, &options));
    expect_ok(copies_run(plan, &report));
    expect_ok(copies_run(plan, &report)); /* counts are of one run */
    copies_close(plan);
    return report;
}

static void naive_has_phases_and_others_do_not(void)
{
    struct benchmark *benchmark = small_benchmark("conv2d", 1);
    struct copies_report naive = report_of(benchmark, COPIES_NAIVE, 5, 3);
    expect(naive.chunks == 1 && naive.streams == 1 && naive.copies == 2);
    expect(naive.to_device_s > 0 && naive.kernel_s > 0 && naive.from_device_s > 0);
    expect(naive.to_device_s + naive.kernel_s + naive.from_device_s <= naive.time_s);
    expect(naive.device_bytes == dm_region_footprint(&benchmark->region));
    struct copies_report framework = report_of(benchmark, COPIES_RINGS, 5, 3);
    expect(isnan(framework.to_device_s) && isnan(framework.kernel_s));
    benchmark_release(benchmark);
}

/* With one chunk the kernels wait for the copy in, the copies out for the kernels (each takes a
 * record and a wait), and the host for an event. The results begin with row
 * 1, so their ring of as many slots as rows wraps, and they take two copies. */
static void calls_are_counted(void)
{
    struct benchmark *benchmark = small_benchmark("conv2d", 1);
    long iterations = benchmark->region.end - benchmark->region.begin;
    struct copies_report one = report_of(benchmark, COPIES_RINGS, iterations, 1);
    expect(one.copies == 3 && one.api_calls == 3 + 1 + 2 * 2 + 2);
    struct copies_report hand = report_of(benchmark, COPIES_STREAMS, 10, 1);
    expect(hand.copies == 2 * hand.chunks);
    struct copies_report few = report_of(benchmark, COPIES_RINGS, 10, 2);
    struct copies_report many = report_of(benchmark, COPIES_RINGS, 2, 2);
    expect(few.api_calls < many.api_calls && few.copies < many.copies);
    expect(few.bytes_to_device == many.bytes_to_device);
    benchmark_release(benchmark);
}

/* ---- memory ---- */

static void rings_shrink_in_the_promised_order(void)
{
    struct benchmark *benchmark = small_benchmark("conv2d", 1);
    const struct dm_region *region = &benchmark->region;
    const struct {
        size_t budget;
        long chunk_size;
        int streams;
    } cases[] = {
        {copies_ring_bytes(region, 4, 6), 4, 6}, {copies_ring_bytes(region, 4, 6) - 1, 4, 5},
        {copies_ring_bytes(region, 4, 2), 4, 2}, {copies_ring_bytes(region, 4, 2) - 1, 3, 2},
        {copies_ring_bytes(region, 1, 2), 1, 2}, {copies_ring_bytes(region, 1, 2) - 1, 1, 1},
        {copies_minimum_bytes(region), 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct copies_report report;
        struct copies_options options = {
            .chunk_size = 4, .streams = 6, .budget_bytes = cases[i].budget};
        struct copies_plan *plan;
        expect_ok(copies_open(&plan, COPIES_RINGS, region, &options));
        benchmark_reset(benchmark);
        expect_ok(copies_run(plan, &report));
        expect(report.chunk_size == cases[i].chunk_size && report.streams == cases[i].streams);
        expect(benchmark_errors(benchmark) == 0);
        copies_close(plan);
    }
    benchmark_release(benchmark);
}

static void ring_memory_does_not_grow_with_the_data(void)
{
    const struct benchmark_kind *kind = benchmark_kind_of("conv3d");
    struct benchmark small = {.kind = kind, .size = 320}, large = {.kind = kind, .size = 320};
    kind->describe(&small);
    kind->describe(&large);
    for (int a = 0; a < large.region.array_count; a++)
        large.region.arrays[a].slices *= 10;
    large.region.end = small.region.end + 9 * 320;
    expect(copies_ring_bytes(&small.region, 2, 3) == copies_ring_bytes(&large.region, 2, 3));
    expect(10 * copies_ring_bytes(&small.region, 2, 3) < dm_region_footprint(&small.region));
}

/* ---- bad input ---- */

static void expect_refused(enum copies_version version, const struct dm_region *region,
                           struct copies_options options, enum dm_status status, const char *words)
{
    struct copies_plan *plan;
    expect_error(copies_open(&plan, version, region, &options), status, words);
    expect(!plan);
}

static void bad_options_are_refused(void)
{
    struct benchmark *benchmark = small_benchmark("conv2d", 1);
    const struct dm_region *region = &benchmark->region;
    for (enum copies_version v = COPIES_NAIVE; v < COPIES_VERSIONS; v++) {
        expect_refused(v, region, (struct copies_options){.chunk_size = 0, .streams = 2},
                       DM_INVALID, "a chunk size of 0 iterations, at least 1 is needed");
        expect_refused(v, region, (struct copies_options){.chunk_size = -3, .streams = 2},
                       DM_INVALID, "at least 1");
        expect_refused(v, region, (struct copies_options){.chunk_size = 1, .streams = 0},
                       DM_INVALID, "0 streams, 1 to 64 are possible");
        expect_refused(v, region, (struct copies_options){.chunk_size = 1, .streams = 65},
                       DM_INVALID, "65 streams");
    }
    expect_ok(copies_check_options(&(struct copies_options){.chunk_size = 1, .streams = 64}));
    benchmark_release(benchmark);
}

static void bad_regions_are_refused(void)
{
    struct benchmark *benchmark = small_benchmark("conv2d", 1);
    struct copies_options options = {.chunk_size = 1, .streams = 2};
    for (enum copies_version v = COPIES_NAIVE; v < COPIES_VERSIONS; v++) {
        struct dm_region region = benchmark->region;
        region.end = region.begin;
        expect_refused(v, &region, options, DM_INVALID, "no iterations");
        region = benchmark->region;
        region.end++;
        expect_refused(v, &region, options, DM_INVALID, "input");
        region = benchmark->region;
        region.arrays[1].host = NULL;
        expect_refused(v, &region, options, DM_INVALID, "no host memory");
        region = benchmark->region;
        region.rounds = 0;
        expect_refused(v, &region, options, DM_INVALID, "rounds");
    }
    benchmark_release(benchmark);
}

static void small_budgets_are_refused_with_what_is_needed(void)
{
    struct benchmark *benchmark = small_benchmark("conv2d", 1);
    const struct dm_region *region = &benchmark->region;
    char wanted[100];
    size_t minimum = copies_minimum_bytes(region), whole = dm_region_footprint(region);
    snprintf(wanted, sizeof wanted, "framework needs %zu bytes of device memory at least", minimum);
    expect_refused(
        COPIES_RINGS, region,
        (struct copies_options){.chunk_size = 4, .streams = 3, .budget_bytes = minimum - 1},
        DM_NO_MEMORY, wanted);
    snprintf(wanted, sizeof wanted,
             "needs %zu bytes of device memory for whole arrays, the budget "
             "is %zu",
             whole, whole - 1);
    expect_refused(
        COPIES_NAIVE, region,
        (struct copies_options){.chunk_size = 4, .streams = 3, .budget_bytes = whole - 1},
        DM_NO_MEMORY, wanted);
    expect_refused(
        COPIES_STREAMS, region,
        (struct copies_options){.chunk_size = 4, .streams = 3, .budget_bytes = whole - 1},
        DM_NO_MEMORY, wanted);
    benchmark_release(benchmark);
}

/* ---- failures ---- */

static long launches_left;

static cudaError_t launch_until(const struct dm_region *region, const struct dm_slices *views,
                                long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return launches_left-- > 0 ? cudaSuccess : cudaErrorLaunchFailure;
}

static void a_launch_that_fails_ends_the_run_only(void)
{
    struct benchmark *benchmark = small_benchmark("conv2d", 1);
    struct dm_region region = benchmark->region;
    const struct copies_options options = {.chunk_size = 10, .streams = 2};
    region.launch = launch_until;
    for (enum copies_version v = COPIES_NAIVE; v < COPIES_VERSIONS; v++) {
        struct copies_report report;
        struct copies_plan *plan;
        expect_ok(copies_open(&plan, v, &region, &options));
        launches_left = v == COPIES_NAIVE ? 0 : 2;
        expect_error(copies_run(plan, &report), DM_FAILED,
                     v == COPIES_NAIVE ? "conv2d, iterations 1 to" : "conv2d, iterations 21 to 30");
        expect(strstr(dm_message(), "the launch function") != NULL);
        copies_close(plan);
    }
    benchmark_release(benchmark);
}

#if defined(SOFTGPU)
/* With almost all device memory taken, rings shrink to what is left; whole arrays do not fit. */
static void a_full_device_is_no_error(void)
{
    const struct benchmark_kind *kind = benchmark_kind_of("conv2d");
    struct benchmark *benchmark = benchmark_create(kind, 600, 1, MEMORY_PINNED, 3);
    const struct dm_region *region = &benchmark->region;
    size_t available, total, left = 1u << 18;
    check_cuda(cudaMemGetInfo(&available, &total));
    void *ballast = memory_allocate(MEMORY_DEVICE, available - left);
    struct copies_options options = {.chunk_size = 100, .streams = 4};
    expect_refused(COPIES_NAIVE, region, options, DM_NO_MEMORY, "are free");
    expect_refused(COPIES_STREAMS, region, options, DM_NO_MEMORY, "are free");
    expect(copies_ring_bytes(region, 100, 4) > left);
    run_and_check(benchmark, COPIES_RINGS, options);
    void *rest = memory_allocate(MEMORY_DEVICE, left);
    expect_refused(COPIES_RINGS, region, options, DM_NO_MEMORY, "are free");
    memory_release(MEMORY_DEVICE, rest);
    memory_release(MEMORY_DEVICE, ballast);
    benchmark_release(benchmark);
}
#endif

static void closing_nothing_is_allowed(void)
{
    copies_close(NULL);
    copies_trace_release(NULL);
}

int main(void)
{
    run_test(one_round);
    run_test(rounds_follow_without_a_drain);
    run_test(the_host_may_change_data_between_rounds);
    run_test(naive_has_phases_and_others_do_not);
    run_test(calls_are_counted);
    run_test(rings_shrink_in_the_promised_order);
    run_test(ring_memory_does_not_grow_with_the_data);
    run_test(bad_options_are_refused);
    run_test(bad_regions_are_refused);
    run_test(small_budgets_are_refused_with_what_is_needed);
    run_test(a_launch_that_fails_ends_the_run_only);
#if defined(SOFTGPU)
    run_test(a_full_device_is_no_error);
#endif
    run_test(closing_nothing_is_allowed);
    return end_tests();
}
