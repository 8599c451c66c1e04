/* unified_test.c: regions executed in managed memory give the right results with all hints, move
 * what they should, and refuse what cannot be. */
#include <stdlib.h>
#include <string.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/memory.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test.h"
#include "unified_memory/unified.h"
#include "unified_memory/unified_access.h"
#include "unified_memory/unified_capacity.h"
#include "unified_memory/unified_ways.h"

static struct benchmark *create(const char *name, long rounds, enum memory_kind memory)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    struct benchmark *benchmark =
        benchmark_create(kind, benchmark_size(kind, "tiny"), rounds, memory, 5);

    benchmark_reset(benchmark);
    return benchmark;
}

/* Executes; -1 if it cannot be, else wrong elements. */
static long execute_counted(struct benchmark *benchmark, enum unified_hints hints, long chunk_size,
                            int streams, struct copies_report *report, enum unified_counted counted,
                            struct unified_traffic *traffic)
{
    struct copies_options options = {.chunk_size = chunk_size, .streams = streams};
    const char *complaint;
    struct unified_plan *plan =
        unified_open(hints, &benchmark->region, &options, false, &complaint);

    if (!plan) {
        printf("# %s\n", complaint);
        return -1;
    }
    benchmark_reset(benchmark);
    unified_run(plan, report, counted, traffic);
    unified_close(plan);
    return benchmark_errors(benchmark);
}

static long execute(struct benchmark *benchmark, enum unified_hints hints, long chunk_size,
                    int streams, struct copies_report *report, struct unified_traffic *traffic)
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
    struct copies_report report;

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
    struct copies_report report;
    const struct dm_region_array *output = &benchmark->region.arrays[1];

    expect(execute(benchmark, UNIFIED_BOTH, 2, 2, &report, NULL) == 0);
    ((float *)output->host)[3 * output->slice_bytes / sizeof(float) + 7] += 1.0f;
    expect(benchmark_errors(benchmark) > 0);
    benchmark_release(benchmark);
}

/* ---- hints ---- */

/* Contiguous arrays: a prefetch in the place of each copy of the hand-written pipeline. */
static void prefetches_stand_for_copies(void)
{
    static const char *const names[] = {"conv2d", "conv3d"};

    for (size_t i = 0; i < 2; i++) {
        struct copies_options options = {.chunk_size = 3, .streams = 2};
        struct benchmark *pinned = create(names[i], 2, MEMORY_PINNED);
        struct benchmark *managed = create(names[i], 2, MEMORY_MANAGED);
        struct copies_report copies, prefetches;
        struct copies_plan *plan;
        expect(copies_open(&plan, COPIES_STREAMS, &pinned->region, &options) == DM_OK);
        expect(copies_run(plan, &copies) == DM_OK);
        copies_close(plan);
        expect(execute(managed, UNIFIED_BOTH, 3, 2, &prefetches, NULL) == 0);
        expect(prefetches.copies == copies.copies && copies.copies > 0);
        expect(prefetches.bytes_to_device == copies.bytes_to_device);
        expect(prefetches.bytes_from_device == copies.bytes_from_device);
        expect(prefetches.chunks == copies.chunks);
        benchmark_release(pinned);
        benchmark_release(managed);
    }
}

static void hints_can_be_had_one_by_one(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    struct copies_report none, in, out;

    expect(execute(benchmark, UNIFIED_ON_DEMAND, 3, 2, &none, NULL) == 0);
    expect(none.copies == 0 && none.bytes_to_device == 0 && none.bytes_from_device == 0);
    expect(execute(benchmark, UNIFIED_GPU_PREFETCH, 3, 2, &in, NULL) == 0);
    expect(in.bytes_to_device == dm_region_bytes(&benchmark->region, DM_REGION_TO));
    expect(in.bytes_from_device == 0);
    expect(execute(benchmark, UNIFIED_CPU_PREFETCH, 3, 2, &out, NULL) == 0);
    expect(out.bytes_to_device == 0);
    expect(out.bytes_from_device == dm_region_bytes(&benchmark->region, DM_REGION_FROM));
    benchmark_release(benchmark);
}

/* Panels of columns: the whole array in one call. */
static void columns_are_prefetched_as_a_whole(void)
{
    struct benchmark *benchmark = create("transpose", 1, MEMORY_MANAGED);
    const struct dm_region_array *output = &benchmark->region.arrays[1];
    struct copies_report report;

    expect(output->split == DM_REGION_COLUMNS);
    expect(execute(benchmark, UNIFIED_CPU_PREFETCH, 1, 2, &report, NULL) == 0);
    expect(report.chunks > 1 && report.copies == 1);
    expect(report.bytes_from_device == output->rows * output->pitch_bytes);
    benchmark_release(benchmark);
}

/* ---- traffic, as the software GPU counts it ---- */

static void traffic_is_counted(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    size_t footprint = dm_region_footprint(&benchmark->region);
    struct copies_report report;
    struct unified_traffic demand, hinted;
    const enum unified_hints hints = UNIFIED_BOTH | UNIFIED_PLACE_RESULTS;

    expect(execute(benchmark, UNIFIED_ON_DEMAND, 1000, 1, &report, &demand) == 0);
    if (!demand.known) {
        printf("# %s\n", unified_counters_complaint());
        benchmark_release(benchmark);
        return;
    }
    expect(unified_counters_complaint() == NULL);
    expect(demand.bytes_to_device > 0 && demand.bytes_to_device <= 2 * footprint);
    expect(demand.evictions == 0);
    expect(execute(benchmark, hints, 1000, 1, &report, &hinted) == 0);
    expect(hinted.bytes_to_device > 0 && hinted.bytes_from_device > 0);
    benchmark_release(benchmark);
}

static void faults_are_counted(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    struct copies_report report;
    struct unified_traffic demand, hinted;
    const enum unified_hints hints = UNIFIED_BOTH | UNIFIED_PLACE_RESULTS;

    expect(execute_counted(benchmark, UNIFIED_ON_DEMAND, 1000, 1, &report, UNIFIED_COUNT_FAULTS,
                           &demand) == 0);
    expect(execute_counted(benchmark, hints, 1000, 1, &report, UNIFIED_COUNT_FAULTS, &hinted) == 0);
    expect(demand.faults_known == (unified_counters_complaint() == NULL));
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

    unified_counters_require(&traffic, 100, 50);
    expect(traffic.known);
    unified_counters_require(&traffic, 100, 51);
    expect(!traffic.known);
    traffic.known = true;
    unified_counters_require(&traffic, 101, 0);
    expect(!traffic.known);
}

/* Rounds that exchange pointers leave the data on the device. */
static void rounds_move_data_once(void)
{
    unsigned long long moved[2];
    for (int i = 0; i < 2; i++) {
        struct benchmark *benchmark = create("conv3d", i ? 7 : 2, MEMORY_MANAGED);
        struct copies_report report;
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
    struct copies_report report;
    struct unified_traffic traffic;

    expect(execute(benchmark, map_hints, 3, 2, &report, &traffic) == 0);
    expect(report.bytes_to_device == dm_region_bytes(&benchmark->region, DM_REGION_TO));
    expect(report.bytes_from_device == 0);
    if (traffic.known)
        expect(traffic.bytes_to_device > 0 && traffic.bytes_from_device == 0);
#if defined(SOFTGPU)
    expect(traffic.device_faults == 0 && traffic.host_faults == 0);
#endif
    benchmark_release(benchmark);
}

/* Arrays that are exchanged are results in turn. */
static void exchanged_arrays_stay_on_the_host(void)
{
    for (int updates = 0; updates < 2; updates++) {
        struct benchmark *benchmark = create("conv3d", 4, MEMORY_MANAGED);
        struct copies_report report;
        struct unified_traffic traffic;
        if (updates)
            benchmark_update_between_rounds(benchmark);
        expect(execute(benchmark, map_hints, 3, 2, &report, &traffic) == 0);
        expect(report.copies == 0);
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
        struct copies_report both, mapped;
        expect(execute(benchmark, UNIFIED_BOTH, 3, 2, &both, NULL) == 0);
        expect(execute(benchmark, map_hints, 3, 2, &mapped, NULL) == 0);
        expect(mapped.copies == both.copies);
        expect(mapped.bytes_to_device == both.bytes_to_device);
        expect(mapped.bytes_from_device == both.bytes_from_device && both.bytes_from_device > 0);
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
    struct copies_options options = {.chunk_size = 3, .streams = 2};
    const char *complaint;
    struct copies_report report;
    struct unified_plan *plan =
        unified_open(map_hints, &benchmark->region, &options, false, &complaint);

    expect(plan != NULL);
    unified_run(plan, &report, UNIFIED_COUNT_BYTES, NULL);
    for (int a = 0; a < benchmark->region.array_count; a++)
        expect_no_advice(&benchmark->region.arrays[a]);
    unified_close(plan);
    benchmark_release(benchmark);
}

/* A run whose results stay on the host changes nothing for a later one without that hint. */
static void mapped_runs_leave_nothing_behind(void)
{
    struct benchmark *benchmark = create("conv3d", 1, MEMORY_MANAGED);
    struct copies_report report;
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
    struct copies_options options = {.chunk_size = 10, .streams = 2};
    const char *complaint;
    struct copies_report report;
    struct unified_traffic traffic;
    void *ballast = unified_ballast_take(footprint / 2);

    expect(ballast != NULL);
    expect(unified_open(UNIFIED_BOTH, &benchmark->region, &options, false, &complaint) == NULL);
    expect(strstr(complaint, "managed memory are more than 80 %") != NULL);
    for (int hints = UNIFIED_ON_DEMAND; hints <= UNIFIED_BOTH; hints += UNIFIED_BOTH) {
        struct unified_plan *plan =
            unified_open(hints, &benchmark->region, &options, true, &complaint);
        benchmark_reset(benchmark);
        unified_run(plan, &report, UNIFIED_COUNT_BYTES, &traffic);
        unified_close(plan);
        expect(benchmark_errors(benchmark) == 0);
        expect(traffic.evictions > 0);
    }
    unified_ballast_release(ballast);
    benchmark_release(benchmark);
}
#endif

/* ---- what cannot be ---- */

static void bad_input_is_refused(void)
{
    struct benchmark *managed = create("conv3d", 1, MEMORY_MANAGED);
    struct benchmark *pinned = create("conv3d", 1, MEMORY_PINNED);
    struct copies_options good = {.chunk_size = 2, .streams = 2}, bad = good;
    const char *complaint;

    expect(unified_open(UNIFIED_BOTH, &pinned->region, &good, false, &complaint) == NULL);
    expect(strstr(complaint, "is not managed memory") != NULL);
    bad.chunk_size = 0;
    expect(unified_open(UNIFIED_BOTH, &managed->region, &bad, false, &complaint) == NULL);
    expect(strstr(complaint, "chunk size") != NULL);
    bad = good, bad.streams = COPIES_STREAMS_MAX + 1;
    expect(unified_open(UNIFIED_BOTH, &managed->region, &bad, false, &complaint) == NULL);
    expect(strstr(complaint, "streams") != NULL);
    struct dm_region empty = managed->region;
    empty.end = empty.begin;
    expect(unified_open(UNIFIED_BOTH, &empty, &good, false, &complaint) == NULL);
    expect(complaint != NULL);
    unified_close(NULL);
    benchmark_release(managed);
    benchmark_release(pinned);
}

static void capacity_is_kept(void)
{
    size_t available, total;

    check_cuda(cudaMemGetInfo(&available, &total));
    expect(unified_capacity_complaint(available / 2, false) == NULL);
    expect(unified_capacity_complaint(available / 10 * 9, false) != NULL);
    expect(unified_capacity_complaint(available / 10 * 9, true) == NULL);
    expect(unified_ballast_take(total) == NULL);
}

/* ---- ways and patterns ---- */

static void every_way_is_right(void)
{
    enum { COUNT = 70001, SEED = 3, REPEATS = 2 };

    for (int way = 0; way < WAYS; way++) {
        struct unified_array array;
        unified_array_open(&array, way, COUNT, SEED);
        for (int pattern = 0; pattern < PATTERNS; pattern++)
            for (int time = 0; time < 2; time++) { /* advice is taken back and given again */
                unified_array_fill(&array, SEED);
                unified_array_place(&array);
                uint32_t sum = unified_pattern_run(&array, pattern, REPEATS, SEED);
                expect(unified_pattern_wrong(&array, pattern, REPEATS, SEED, sum) == 0);
            }
        unified_array_close(&array);
    }
}

static void wrong_sums_and_elements_are_seen(void)
{
    struct unified_array array;

    unified_array_open(&array, WAY_EXPLICIT, 5000, 1);
    uint32_t sum = unified_pattern_run(&array, PATTERN_READ_ONCE, 1, 1);
    expect(unified_pattern_wrong(&array, PATTERN_READ_ONCE, 1, 1, sum + 1) == 1);
    unified_array_fill(&array, 1);
    unified_pattern_run(&array, PATTERN_PING_PONG, 2, 1);
    array.host[4096]--;
    expect(unified_pattern_wrong(&array, PATTERN_PING_PONG, 2, 1, 0) == 1);
    expect(unified_pattern_wrong(&array, PATTERN_PING_PONG, 3, 1, 0) == 5000);
    unified_array_close(&array);
}

int main(void)
{
    run_test(every_workload_is_right);
    run_test(chunks_of_one_iteration_are_right);
    run_test(rounds_and_updates_are_right);
    run_test(a_wrong_result_is_seen);
    run_test(prefetches_stand_for_copies);
    run_test(hints_can_be_had_one_by_one);
    run_test(columns_are_prefetched_as_a_whole);
    run_test(traffic_is_counted);
    run_test(faults_are_counted);
    run_test(lost_records_are_seen);
    run_test(rounds_move_data_once);
    run_test(mapped_results_stay_on_the_host);
    run_test(exchanged_arrays_stay_on_the_host);
    run_test(other_results_come_back);
    run_test(advice_is_taken_back);
    run_test(mapped_runs_leave_nothing_behind);
#if defined(SOFTGPU)
    run_test(oversubscription_evicts);
#endif
    run_test(bad_input_is_refused);
    run_test(capacity_is_kept);
    run_test(every_way_is_right);
    run_test(wrong_sums_and_elements_are_seen);
    return end_tests();
}
