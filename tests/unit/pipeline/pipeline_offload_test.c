/* pipeline_offload_test.c: the loops of OpenACC and OpenMP compute what the CPU does. Where there
 * is no NVIDIA GPU their run-time libraries execute them on the host, which tests the loops, but no
 * copies; programs leave them out then, as offload_check says. */
#include "pipeline/offload.h"
#include "tests/unit/test_status.h"

static void loop_is_right(enum offload_model model, const char *name, const char *dataset,
                          long chunk, int queues)
{
    const struct benchmark_kind *kind = benchmark_kind_of(name);
    struct benchmark *benchmark =
        benchmark_create(kind, benchmark_size(kind, dataset), 1, MEMORY_PINNED, 1);
    const struct execution execution = {.options = {.chunk_size = chunk, .streams = queues},
                                        .benchmark = benchmark};
    const struct bench_method *method = &offload_methods[model];
    struct copies_report report;
    void *plan;
    double time_s;

    benchmark_reset(benchmark);
    expect_ok(method->open(&benchmark->region, &execution, &plan));
    expect_ok(method->run(plan, &report, &time_s));
    method->close(plan);
    expect(benchmark_errors(benchmark) == 0);
    const long iterations = benchmark->region.end - benchmark->region.begin;
    expect(time_s > 0 && report.chunks == (iterations + chunk - 1) / chunk);
    expect(report.bytes_from_device == dm_region_bytes(&benchmark->region, DM_REGION_FROM));
    expect(report.bytes_to_device >= dm_region_bytes(&benchmark->region, DM_REGION_TO));
    benchmark_release(benchmark);
}

static void every_loop_is_right(void)
{
    static const char *const names[] = {"conv2d", "conv3d", "atax"};

    for (int model = 0; model < OFFLOAD_MODELS; model++)
        for (int i = 0; i < 3; i++) {
            loop_is_right(model, names[i], "tiny", 1, 1);
            loop_is_right(model, names[i], "tiny", 7, 3);
            loop_is_right(model, names[i], "tiny", 1000, 2);
        }
}

static void what_cannot_run_is_said(void)
{
    const struct benchmark_kind *kind = benchmark_kind_of("qcd");
    struct benchmark *benchmark =
        benchmark_create(kind, benchmark_size(kind, "tiny"), 1, MEMORY_PINNED, 1);

    expect_error(offload_check(OFFLOAD_OPENACC, benchmark), DM_UNAVAILABLE, "qcd has no loop");
    benchmark_release(benchmark);
    kind = benchmark_kind_of("conv3d");
    benchmark = benchmark_create(kind, benchmark_size(kind, "tiny"), 2, MEMORY_PINNED, 1);
    expect_error(offload_check(OFFLOAD_OPENMP, benchmark), DM_UNAVAILABLE, "one round");
    benchmark_release(benchmark);
}

int main(void)
{
    run_test(every_loop_is_right);
    run_test(what_cannot_run_is_said);
    return end_tests();
}
