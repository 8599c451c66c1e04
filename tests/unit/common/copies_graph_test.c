/* Runs as CUDA graphs: the same results and the same copies by three calls. */
#include "common/regions/copies.h"
#include "common/regions/copies_trace.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test_status.h"

static const enum copies_version versions[] = {COPIES_STREAMS, COPIES_RINGS};

static void run_twice(struct benchmark *benchmark, enum copies_version version,
                      struct copies_options options)
{
    struct copies_plan *plain, *graph;
    struct copies_report enqueued, launched;
    expect_ok(copies_open(&plain, version, &benchmark->region, &options));
    expect_ok(copies_run(plain, &enqueued));
    copies_close(plain);
    options.graph = true;
    expect_ok(copies_open(&graph, version, &benchmark->region, &options));
    for (int run = 0; run < 2; run++) {
        benchmark_reset(benchmark);
        expect_ok(copies_run(graph, &launched));
        expect(benchmark_errors(benchmark) == 0);
        expect(launched.api_calls == 3 && launched.copies == enqueued.copies);
        expect(launched.bytes_to_device == enqueued.bytes_to_device);
        expect(launched.bytes_from_device == enqueued.bytes_from_device);
    }
    copies_close(graph);
}

static void every_workload(void)
{
    for (int k = 0; benchmark_kinds[k]; k++) {
        struct benchmark *benchmark = benchmark_create(
            benchmark_kinds[k], benchmark_size(benchmark_kinds[k], "tiny"), 1, MEMORY_PINNED, 7);
        for (int choice = 0; choice < 6; choice++)
            run_twice(
                benchmark, versions[choice % 2],
                (struct copies_options){.chunk_size = 1 + choice, .streams = 1 + choice / 2 * 2});
        benchmark_release(benchmark);
    }
}

static void rounds_with_exchanged_arrays(void)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of("stencil"), 12, 5, MEMORY_PINNED, 3);
    for (int choice = 0; choice < 4; choice++)
        run_twice(benchmark, versions[choice % 2],
                  (struct copies_options){.chunk_size = 3, .streams = 1 + choice});
    benchmark_release(benchmark);
}

static void expect_refused(const struct benchmark *benchmark, enum copies_version version,
                           struct copies_trace *trace, const char *words)
{
    const struct copies_options options = {
        .chunk_size = 3, .streams = 2, .trace = trace, .graph = true};
    struct copies_plan *plan;
    expect_error(copies_open(&plan, version, &benchmark->region, &options), DM_INVALID, words);
    expect(!plan);
}

static void what_no_graph_can_do(void)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of("stencil"), 12, 2, MEMORY_PINNED, 3);
    struct copies_trace *trace;
    expect_ok(copies_trace_create(&trace));
    expect_refused(benchmark, COPIES_NAIVE, NULL, "graphs of pipeline and framework");
    expect_refused(benchmark, COPIES_RINGS, trace, "without traces");
    benchmark_update_between_rounds(benchmark);
    expect_refused(benchmark, COPIES_RINGS, NULL, "cannot call the host between");
    copies_trace_release(trace);
    benchmark_release(benchmark);
}

static cudaError_t cannot_launch(const struct dm_region *region, const struct dm_slices *views,
                                 long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaErrorInvalidConfiguration;
}

static void a_launch_that_fails_ends_the_capture(void)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of("conv3d"), 12, 1, MEMORY_PINNED, 3);
    struct copies_options options = {.chunk_size = 3, .streams = 2, .graph = true};
    dm_region_launch *launch = benchmark->region.launch;
    struct copies_plan *plan;
    benchmark->region.launch = cannot_launch;
    expect_error(copies_open(&plan, COPIES_RINGS, &benchmark->region, &options), DM_FAILED,
                 "the launch function");
    expect(!plan);
    benchmark->region.launch = launch;
    options.graph = false;
    run_twice(benchmark, COPIES_RINGS, options);
    benchmark_release(benchmark);
}

int main(void)
{
    run_test(every_workload);
    run_test(rounds_with_exchanged_arrays);
    run_test(what_no_graph_can_do);
    run_test(a_launch_that_fails_ends_the_capture);
    return end_tests();
}
