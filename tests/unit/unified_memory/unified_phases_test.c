/* unified_phases_test.c: the phases of a run are told where they are asked for, are within its
 * time, and change no result. */
#include <datamotion/unified_memory.h>
#include <math.h>

#include "common/workloads/benchmark.h"
#include "tests/unit/test_status.h"

static struct benchmark *create(void)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of("conv3d"), 40, 3, MEMORY_MANAGED, 5);

    benchmark_update_between_rounds(benchmark);
    benchmark_reset(benchmark);
    return benchmark;
}

static struct unified_report run(const struct benchmark *benchmark, enum unified_hints hints,
                                 bool phases)
{
    const struct unified_config config = {
        .hints = hints, .chunk_size = 7, .streams = 1, .phases = phases};
    struct unified_plan *plan;
    struct unified_report report = {0};

    expect_ok(unified_open(&plan, &benchmark->region, &config));
    for (int time = 0; time < 2; time++) /* the second begins anew */
        expect_ok(unified_run(plan, &report, UNIFIED_COUNT_BYTES, NULL));
    unified_close(plan);
    return report;
}

static void phases_are_within_the_time(void)
{
    static const enum unified_hints all[] = {
        UNIFIED_ON_DEMAND, UNIFIED_BOTH, UNIFIED_BOTH | UNIFIED_PLACE_RESULTS,
        UNIFIED_BOTH | UNIFIED_PLACE_RESULTS | UNIFIED_MAP_RESULTS};
    struct benchmark *benchmark = create();

    for (size_t h = 0; h < sizeof all / sizeof *all; h++) {
        benchmark_reset(benchmark);
        const struct unified_report report = run(benchmark, all[h], true);
        const double sum_s = report.to_device_s + report.kernel_s + report.from_device_s +
                             report.between_s + report.read_s;
        expect(report.to_device_s >= 0 && report.kernel_s > 0 && report.from_device_s >= 0);
        expect(report.between_s > 0 && report.read_s > 0);
        expect(sum_s <= report.time_s);
    }
    benchmark_release(benchmark);
}

static void without_being_asked_for_there_are_none(void)
{
    struct benchmark *benchmark = create();
    const struct unified_report report = run(benchmark, UNIFIED_BOTH, false);

    expect(isnan(report.to_device_s) && isnan(report.kernel_s) && isnan(report.from_device_s));
    expect(report.between_s > 0 && report.read_s > 0);
    benchmark_release(benchmark);
}

static void results_are_the_same(void)
{
    struct benchmark *benchmark = create();
    const struct unified_config config = {
        .hints = UNIFIED_BOTH, .chunk_size = 7, .streams = 1, .phases = true};
    struct unified_plan *plan;
    struct unified_report report;

    expect_ok(unified_open(&plan, &benchmark->region, &config));
    expect_ok(unified_run(plan, &report, UNIFIED_COUNT_BYTES, NULL));
    expect(benchmark_errors(benchmark) == 0);
    unified_close(plan);
    benchmark_release(benchmark);
}

static void several_streams_have_none(void)
{
    struct benchmark *benchmark = create();
    const struct unified_config config = {.chunk_size = 7, .streams = 2, .phases = true};
    struct unified_plan *plan;

    expect_error(unified_open(&plan, &benchmark->region, &config), DM_INVALID, "one stream");
    expect(plan == NULL);
    benchmark_release(benchmark);
}

int main(void)
{
    run_test(phases_are_within_the_time);
    run_test(without_being_asked_for_there_are_none);
    run_test(results_are_the_same);
    run_test(several_streams_have_none);
    return end_tests();
}
