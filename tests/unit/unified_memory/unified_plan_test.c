/* unified_plan_test.c: regions executed in managed memory give the right results with all hints,
 * move what they should, and reject what cannot be. */
#include <datamotion/unified_memory.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/regions/copies.h"
#include "common/regions/managed_limit.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test_status.h"
#include "unified_memory/plan.h"

static struct benchmark *create(const char *name, long rounds, enum memory_kind memory)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    struct benchmark *benchmark =
        benchmark_create(kind, benchmark_size(kind, "tiny"), rounds, memory, 5);

    benchmark_reset(benchmark);
    return benchmark;
}

/* Executes; wrong elements. */
static long execute_counted(struct benchmark *benchmark, enum unified_hints hints, long chunk_size,
                            int streams, struct unified_report *report,
                            enum unified_counted counted, struct unified_traffic *traffic)
{
    const struct unified_config config = {
        .hints = hints, .chunk_size = chunk_size, .streams = streams};
    struct unified_plan *plan = NULL;

    expect_ok(unified_open(&plan, &benchmark->region, &config));
    if (!plan)
        return -1;
    benchmark_reset(benchmark);
    expect_ok(unified_run(plan, report, counted, traffic));
    unified_close(plan);
    return benchmark_errors(benchmark);
}

static long execute(struct benchmark *benchmark, enum unified_hints hints, long chunk_size,
                    int streams, struct unified_report *report, struct unified_traffic *traffic)
{
    return execute_counted(benchmark, hints, chunk_size, streams, report, UNIFIED_COUNT_BYTES,
                           traffic);
}

/* ---- results ---- */

/* With all hints, in about so many chunks on so many streams. */
static void results_of(const char *name, long rounds, bool updates, long chunks, int streams)
{
    static const enum unified_hints hints[] = {UNIFIED_ON_DEMAND,
                                               UNIFIED_GPU_PREFETCH,
                                               UNIFIED_CPU_PREFETCH,
                                               UNIFIED_BOTH,
                                               UNIFIED_BOTH | UNIFIED_PLACE_RESULTS,
                                               UNIFIED_GPU_PREFETCH | UNIFIED_MAP_RESULTS,
                                               UNIFIED_BOTH | UNIFIED_PLACE_RESULTS |
                                                   UNIFIED_MAP_RESULTS};
    struct benchmark *benchmark = create(name, rounds, MEMORY_MANAGED);
    long iterations = benchmark->region.end - benchmark->region.begin;
    struct unified_report report;

    if (updates)
        benchmark_update_between_rounds(benchmark);
    for (size_t h = 0; h < sizeof hints / sizeof *hints; h++) {
        long wrong = execute(benchmark, hints[h], (iterations + chunks - 1) / chunks, streams,
                             &report, NULL);
        if (wrong)
            printf("# %s, %ld rounds, hints %d, %ld chunks, %d streams: %ld\n", name, rounds,
                   hints[h], chunks, streams, wrong);
        expect(wrong == 0);
    }
    benchmark_release(benchmark);
}

static void every_workload_is_right(void)
{
    for (size_t k = 0; benchmark_kinds[k]; k++) {
        results_of(benchmark_kinds[k]->name, 1, false, 1, 2);
        results_of(benchmark_kinds[k]->name, 1, false, 3, 1);
        results_of(benchmark_kinds[k]->name, 1, false, 9, 3);
    }
}

static void chunks_of_one_iteration_are_right(void)
{
    results_of("conv3d", 1, false, 1000, 3);
    results_of("qcd", 1, false, 1000, 2);
}

static void rounds_and_updates_are_right(void)
{
    results_of("conv3d", 3, false, 4, 3);
    results_of("conv3d", 2, false, 3, 1);
    results_of("stencil", 2, true, 5, 2);
    results_of("matmul", 2, true, 2, 2);
}

/* A wrong element is found, so the tests above can fail. */
static void a_wrong_result_is_seen(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    struct unified_report report;
    const struct dm_region_array *output = &benchmark->region.arrays[1];

    expect(execute(benchmark, UNIFIED_BOTH, 2, 2, &report, NULL) == 0);
    ((float *)output->host)[3 * output->slice_bytes / sizeof(float) + 7] += 1.0f;
    expect(benchmark_errors(benchmark) > 0);
    benchmark_release(benchmark);
}

/* ---- hints ---- */

/* Contiguous arrays: a prefetch replaces each copy of an execution with copies. */
static void prefetches_replace_copies(void)
{
    static const char *const names[] = {"conv2d", "conv3d"};

    for (size_t i = 0; i < 2; i++) {
        const struct copies_options options = {.chunk_size = 3, .streams = 2};
        struct benchmark *pinned = create(names[i], 2, MEMORY_PINNED);
        struct benchmark *managed = create(names[i], 2, MEMORY_MANAGED);
        struct copies_report copies;
        struct unified_report prefetches;
        struct copies_plan *plan;
        check_status(copies_open(&plan, COPIES_STREAMS, &pinned->region, &options));
        check_status(copies_run(plan, &copies));
        copies_close(plan);
        expect(execute(managed, UNIFIED_BOTH, 3, 2, &prefetches, NULL) == 0);
        expect(prefetches.prefetches == copies.copies && copies.copies > 0);
        expect(prefetches.prefetched_to_device == copies.bytes_to_device);
        expect(prefetches.prefetched_to_host == copies.bytes_from_device);
        expect(prefetches.chunks == copies.chunks);
        benchmark_release(pinned);
        benchmark_release(managed);
    }
}

static void hints_can_be_had_one_by_one(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    struct unified_report none, in, out;

    expect(execute(benchmark, UNIFIED_ON_DEMAND, 3, 2, &none, NULL) == 0);
    expect(none.prefetches == 0 && none.prefetched_to_device == 0 && none.prefetched_to_host == 0);
    expect(execute(benchmark, UNIFIED_GPU_PREFETCH, 3, 2, &in, NULL) == 0);
    expect(in.prefetched_to_device == dm_region_bytes(&benchmark->region, DM_REGION_TO));
    expect(in.prefetched_to_host == 0);
    expect(execute(benchmark, UNIFIED_CPU_PREFETCH, 3, 2, &out, NULL) == 0);
    expect(out.prefetched_to_device == 0);
    expect(out.prefetched_to_host == dm_region_bytes(&benchmark->region, DM_REGION_FROM));
    benchmark_release(benchmark);
}

/* Panels of columns: the whole array in one call. */
static void columns_are_prefetched_as_a_whole(void)
{
    struct benchmark *benchmark = create("transpose", 1, MEMORY_MANAGED);
    const struct dm_region_array *output = &benchmark->region.arrays[1];
    struct unified_report report;

    expect(output->split == DM_REGION_COLUMNS);
    expect(execute(benchmark, UNIFIED_CPU_PREFETCH, 1, 2, &report, NULL) == 0);
    expect(report.chunks > 1 && report.prefetches == 1);
    expect(report.prefetched_to_host == output->rows * output->pitch_bytes);
    benchmark_release(benchmark);
}

/* ---- traffic, as the software GPU counts it ---- */

static void traffic_is_counted(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    size_t footprint = dm_region_footprint(&benchmark->region);
    struct unified_report report;
    struct unified_traffic demand, hinted;
    const enum unified_hints hints = UNIFIED_BOTH | UNIFIED_PLACE_RESULTS;

    expect(execute(benchmark, UNIFIED_ON_DEMAND, 1000, 1, &report, &demand) == 0);
    if (!demand.known) {
        expect_error(unified_count_check(), DM_UNAVAILABLE, "CUPTI");
        printf("# %s\n", dm_message());
        benchmark_release(benchmark);
        return;
    }
    expect_ok(unified_count_check());
    expect(demand.bytes_to_device > 0 && demand.bytes_to_device <= 2 * footprint);
    expect(demand.evictions == 0);
    expect(execute(benchmark, hints, 1000, 1, &report, &hinted) == 0);
    expect(hinted.bytes_to_device > 0 && hinted.bytes_from_device > 0);
    benchmark_release(benchmark);
}

static void faults_are_counted(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    struct unified_report report;
    struct unified_traffic demand, hinted;
    const enum unified_hints hints = UNIFIED_BOTH | UNIFIED_PLACE_RESULTS;

    expect(execute_counted(benchmark, UNIFIED_ON_DEMAND, 1000, 1, &report, UNIFIED_COUNT_FAULTS,
                           &demand) == 0);
    expect(execute_counted(benchmark, hints, 1000, 1, &report, UNIFIED_COUNT_FAULTS, &hinted) == 0);
    expect(demand.faults_known == (unified_count_check() == DM_OK));
    if (demand.faults_known) {
        expect(demand.device_faults > 0 && demand.host_faults > 0);
        expect(hinted.device_faults < demand.device_faults);
    }
    benchmark_release(benchmark);
}

static void lost_records_are_seen(void)
{
    struct unified_traffic traffic = {
        .known = true, .bytes_to_device = 100, .bytes_from_device = 50};

    require_bytes(&traffic, 100, 50);
    expect(traffic.known);
    require_bytes(&traffic, 100, 51);
    expect(!traffic.known);
    traffic.known = true;
    require_bytes(&traffic, 101, 0);
    expect(!traffic.known);
}

/* Rounds that swap pointers leave the data on the device. */
static void rounds_move_data_once(void)
{
    unsigned long long moved[2];
    for (int i = 0; i < 2; i++) {
        struct benchmark *benchmark = create("conv3d", i ? 7 : 2, MEMORY_MANAGED);
        struct unified_report report;
        struct unified_traffic traffic;
        expect(execute(benchmark, UNIFIED_ON_DEMAND, 1000, 1, &report, &traffic) == 0);
        moved[i] = traffic.bytes_to_device;
        benchmark_release(benchmark);
    }
    expect(moved[0] == moved[1]);
}

/* ---- results that stay on the host ---- */

static const enum unified_hints map_hints =
    UNIFIED_BOTH | UNIFIED_PLACE_RESULTS | UNIFIED_MAP_RESULTS;

/* Arrays of more than 2 MiB: the driver puts smaller ones onto one page. */
static void mapped_results_stay_on_the_host(void)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of("conv3d"), 84, 1, MEMORY_MANAGED, 5);
    struct unified_report report;
    struct unified_traffic traffic;

    expect(execute(benchmark, map_hints, 3, 2, &report, &traffic) == 0);
    expect(report.prefetched_to_device == dm_region_bytes(&benchmark->region, DM_REGION_TO));
    expect(report.prefetched_to_host == 0);
    if (traffic.known)
        expect(traffic.bytes_to_device > 0 && traffic.bytes_from_device == 0);
#if defined(SOFTGPU)
    expect(traffic.device_faults == 0 && traffic.host_faults == 0);
#endif
    benchmark_release(benchmark);
}

/* Arrays that rounds swap are results in turn. */
static void swapped_arrays_stay_on_the_host(void)
{
    for (int updates = 0; updates < 2; updates++) {
        struct benchmark *benchmark = create("conv3d", 4, MEMORY_MANAGED);
        struct unified_report report;
        struct unified_traffic traffic;
        if (updates)
            benchmark_update_between_rounds(benchmark);
        expect(execute(benchmark, map_hints, 3, 2, &report, &traffic) == 0);
        expect(report.prefetches == 0);
        if (traffic.known)
            expect(traffic.bytes_to_device == 0 && traffic.bytes_from_device == 0);
        benchmark_release(benchmark);
    }
}

/* What is input and result at once, and what each chunk uses again, moves as without the hint. */
static void other_results_come_back(void)
{
    static const char *const names[] = {"gemm", "atax"};

    for (size_t i = 0; i < 2; i++) {
        struct benchmark *benchmark = create(names[i], 1, MEMORY_MANAGED);
        struct unified_report both, mapped;
        expect(execute(benchmark, UNIFIED_BOTH, 3, 2, &both, NULL) == 0);
        expect(execute(benchmark, map_hints, 3, 2, &mapped, NULL) == 0);
        expect(mapped.prefetches == both.prefetches);
        expect(mapped.prefetched_to_device == both.prefetched_to_device);
        expect(mapped.prefetched_to_host == both.prefetched_to_host && both.prefetched_to_host > 0);
        benchmark_release(benchmark);
    }
}

static void expect_no_advice(const struct dm_region_array *array)
{
    int place = 0, device = 0;

    check_cuda(cudaMemRangeGetAttribute(&place, sizeof place,
                                        cudaMemRangeAttributePreferredLocation, array->host,
                                        array->slice_bytes));
    check_cuda(cudaMemRangeGetAttribute(&device, sizeof device, cudaMemRangeAttributeAccessedBy,
                                        array->host, array->slice_bytes));
    expect(place == cudaInvalidDeviceId);
    expect(device == cudaInvalidDeviceId);
}

/* A plan whose run is over leaves the arrays to others as they were, though it is still open. */
static void advice_is_taken_back(void)
{
    struct benchmark *benchmark = create("conv3d", 2, MEMORY_MANAGED);
    const struct unified_config config = {.hints = map_hints, .chunk_size = 3, .streams = 2};
    struct unified_report report;
    struct unified_plan *plan;

    check_status(unified_open(&plan, &benchmark->region, &config));
    expect_ok(unified_run(plan, &report, UNIFIED_COUNT_BYTES, NULL));
    for (int a = 0; a < benchmark->region.array_count; a++)
        expect_no_advice(&benchmark->region.arrays[a]);
    unified_close(plan);
    benchmark_release(benchmark);
}

/* A run whose results stay on the host changes nothing for a later one without that hint. */
static void mapped_runs_leave_nothing_behind(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    struct unified_report report;
    struct unified_traffic before, after;

    expect(execute(benchmark, UNIFIED_BOTH, 3, 2, &report, &before) == 0);
    expect(execute(benchmark, map_hints, 3, 2, &report, NULL) == 0);
    expect(execute(benchmark, UNIFIED_BOTH, 3, 2, &report, &after) == 0);
    expect(before.known == after.known);
    if (before.known)
        expect(before.bytes_from_device > 0 && after.bytes_from_device > 0);
    benchmark_release(benchmark);
}

#if defined(SOFTGPU)
/* A device with room for half of the data: the results are right, and pages are evicted. */
static void oversubscription_evicts(void)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of("conv3d"), 40, 2, MEMORY_MANAGED, 5);
    size_t footprint = dm_region_footprint(&benchmark->region);
    struct unified_config config = {.hints = UNIFIED_BOTH, .chunk_size = 10, .streams = 2};
    struct unified_plan *plan;
    struct unified_report report;
    struct unified_traffic traffic;
    void *ballast;

    expect_ok(managed_take_ballast(footprint / 2, &ballast));
    expect(ballast != NULL);
    expect_error(unified_open(&plan, &benchmark->region, &config), DM_NO_MEMORY,
                 "managed memory are more than 80 %");
    expect(plan == NULL);
    config.oversubscribe = true;
    for (int hints = UNIFIED_ON_DEMAND; hints <= UNIFIED_BOTH; hints += UNIFIED_BOTH) {
        config.hints = (enum unified_hints)hints;
        check_status(unified_open(&plan, &benchmark->region, &config));
        benchmark_reset(benchmark);
        expect_ok(unified_run(plan, &report, UNIFIED_COUNT_BYTES, &traffic));
        unified_close(plan);
        expect(benchmark_errors(benchmark) == 0);
        expect(traffic.evictions > 0);
    }
    managed_release_ballast(ballast);
    benchmark_release(benchmark);
}
#endif

/* ---- what cannot be ---- */

static void bad_input_is_rejected(void)
{
    struct benchmark *managed = create("conv3d", 1, MEMORY_MANAGED);
    struct benchmark *pinned = create("conv3d", 1, MEMORY_PINNED);
    const struct unified_config good = {.hints = UNIFIED_BOTH, .chunk_size = 2, .streams = 2};
    struct unified_config bad = good;
    struct dm_region empty = managed->region;
    struct unified_plan *plan;

    expect_error(unified_open(&plan, &pinned->region, &good), DM_INVALID, "is not managed memory");
    expect(plan == NULL);
    bad.chunk_size = 0;
    expect_error(unified_open(&plan, &managed->region, &bad), DM_INVALID, "chunk size");
    bad = good, bad.streams = UNIFIED_STREAMS_MAX + 1;
    expect_error(unified_open(&plan, &managed->region, &bad), DM_INVALID, "streams");
    empty.end = empty.begin;
    expect_error(unified_open(&plan, &empty, &good), DM_INVALID, "iterations");
    unified_close(NULL);
    benchmark_release(managed);
    benchmark_release(pinned);
}

static cudaError_t launch_nothing(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaErrorLaunchOutOfResources;
}

/* Also with advice, which is left on the arrays, and while it is counted; the plan can be closed.
 */
static void a_launch_that_fails_ends_the_run(void)
{
    static const enum unified_hints hints[] = {
        UNIFIED_ON_DEMAND, UNIFIED_BOTH | UNIFIED_PLACE_RESULTS | UNIFIED_MAP_RESULTS};

    for (int h = 0; h < 2; h++) {
        struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
        struct dm_region region = benchmark->region;
        const struct unified_config config = {.hints = hints[h], .chunk_size = 2, .streams = 2};
        struct unified_plan *plan;
        struct unified_report report;
        struct unified_traffic traffic;
        region.launch = launch_nothing;
        check_status(unified_open(&plan, &region, &config));
        expect_error(unified_run(plan, &report, UNIFIED_COUNT_BYTES, h ? &traffic : NULL),
                     DM_FAILED, "launch");
        unified_close(plan);
        benchmark_release(benchmark);
    }
}

static void the_limit_is_kept(void)
{
    size_t available, total;
    void *ballast;

    check_cuda(cudaMemGetInfo(&available, &total));
    expect_ok(managed_check_limit(available / 2, false));
    expect_error(managed_check_limit(available / 10 * 9, false), DM_NO_MEMORY, "more than 80 %");
    expect_ok(managed_check_limit(available / 10 * 9, true));
    expect_ok(managed_take_ballast(total, &ballast));
    expect(ballast == NULL);
}

int main(void)
{
    run_test(every_workload_is_right);
    run_test(chunks_of_one_iteration_are_right);
    run_test(rounds_and_updates_are_right);
    run_test(a_wrong_result_is_seen);
    run_test(prefetches_replace_copies);
    run_test(hints_can_be_had_one_by_one);
    run_test(columns_are_prefetched_as_a_whole);
    run_test(traffic_is_counted);
    run_test(faults_are_counted);
    run_test(lost_records_are_seen);
    run_test(rounds_move_data_once);
    run_test(mapped_results_stay_on_the_host);
    run_test(swapped_arrays_stay_on_the_host);
    run_test(other_results_come_back);
    run_test(advice_is_taken_back);
    run_test(mapped_runs_leave_nothing_behind);
#if defined(SOFTGPU)
    run_test(oversubscription_evicts);
#endif
    run_test(bad_input_is_rejected);
    run_test(a_launch_that_fails_ends_the_run);
    run_test(the_limit_is_kept);
    return end_tests();
}
