/* A loop on several GPUs: the same bits as on one, rounds that meet, and each error. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/pipeline.h>

#include "common/error_cuda.h"
#include "common/workloads/benchmark.h"
#include "tests/unit/test_status.h"

static const struct {
    const char *name;
    size_t size;
    long rounds;
} loops[] = {{"conv2d", 60, 1}, {"conv2d", 4, 1},   {"conv3d", 12, 1}, {"gemm", 96, 1},
             {"qcd", 4, 1},     {"stencil", 24, 1}, {"stencil", 24, 5}};
enum { LOOPS = sizeof loops / sizeof *loops, GPUS = 3 };

static struct benchmark *make(const char *name, size_t size, long rounds)
{
    return benchmark_create(benchmark_kind_of(name), size, rounds, MEMORY_PINNED, 5);
}

static struct pipeline_report execute(struct benchmark *benchmark, struct pipeline_options options)
{
    struct pipeline_plan *plan;
    struct pipeline_report report = {0};
    expect_ok(pipeline_open(&plan, &benchmark->region, &options));
    for (int run = 0; run < 2 && plan; run++) {
        benchmark_reset(benchmark);
        expect_ok(pipeline_run(plan, &report));
        expect(benchmark_errors(benchmark) == 0);
    }
    pipeline_close(plan);
    return report;
}

static size_t bytes_of(const struct dm_region_array *array)
{
    if (array->split == DM_REGION_COLUMNS)
        return array->rows * array->pitch_bytes;
    return (size_t)array->slices * array->slice_bytes;
}

static void several_gpus_give_the_same_bits(void)
{
    for (int l = 0; l < LOOPS; l++) {
        struct benchmark *benchmark = make(loops[l].name, loops[l].size, loops[l].rounds);
        const struct dm_region *region = &benchmark->region;
        struct pipeline_options options = {.chunk_size = 2, .streams = 2};
        const struct pipeline_report one = execute(benchmark, options);
        void *results[DM_REGION_ARRAYS] = {NULL};
        for (int a = 0; a < region->array_count; a++)
            if (region->arrays[a].direction & DM_REGION_FROM) {
                results[a] = malloc(bytes_of(&region->arrays[a]));
                memcpy(results[a], region->arrays[a].host, bytes_of(&region->arrays[a]));
            }
        for (options.gpus = 2; options.gpus <= GPUS; options.gpus++) {
            const struct pipeline_report several = execute(benchmark, options);
            expect(several.bytes_from_device == one.bytes_from_device);
            expect(several.bytes_to_device >= one.bytes_to_device);
            expect(several.chunks >= one.chunks && several.time_s > 0);
            for (int a = 0; a < region->array_count; a++)
                expect(!results[a] || memcmp(results[a], region->arrays[a].host,
                                             bytes_of(&region->arrays[a])) == 0);
        }
        for (int a = 0; a < region->array_count; a++)
            free(results[a]);
        benchmark_release(benchmark);
    }
}

static void all_other_options_go_with_it(void)
{
    struct benchmark *benchmark = make("conv2d", 60, 1);
    size_t minimum = pipeline_minimum_bytes(&benchmark->region);
    execute(benchmark, (struct pipeline_options){.gpus = 2});
    execute(benchmark,
            (struct pipeline_options){.chunk_size = 8, .streams = 2, .gpus = 2, .graph = true});
    const struct pipeline_report tight =
        execute(benchmark, (struct pipeline_options){
                               .chunk_size = 8, .streams = 3, .gpus = 2, .budget_bytes = minimum});
    expect(tight.chunk_size == 1 && tight.device_bytes == 2 * minimum);
    benchmark_release(benchmark);
}

/* ---- the host between rounds ---- */

static pthread_t caller;
static long calls;

static void count_calls(const struct dm_region *region, long round, void *context)
{
    expect(pthread_equal(pthread_self(), caller) && round == calls && region == context);
    calls++;
}

static void between_is_called_by_the_caller(void)
{
    struct benchmark *benchmark = make("stencil", 24, 6);
    struct dm_region *region = &benchmark->region;
    struct pipeline_plan *plan;
    caller = pthread_self();
    region->between = count_calls;
    region->between_context = region;
    expect_ok(pipeline_open(
        &plan, region, &(struct pipeline_options){.chunk_size = 2, .streams = 2, .gpus = GPUS}));
    for (int run = 0; run < 2; run++) {
        calls = 0;
        benchmark_reset(benchmark);
        expect_ok(pipeline_run(plan, NULL));
        expect(calls == 5 && benchmark_errors(benchmark) == 0);
    }
    pipeline_close(plan);
    benchmark_release(benchmark);
}

/* ---- what is refused, and what fails ---- */

static void refuse(struct benchmark *benchmark, struct pipeline_options options, const char *words)
{
    struct pipeline_plan *plan;
    expect_error(pipeline_open(&plan, &benchmark->region, &options), DM_INVALID, words);
    expect(plan == NULL);
}

static void what_cannot_be_divided_is_refused(void)
{
    struct pipeline_options options = {.chunk_size = 1, .streams = 2, .gpus = 2};
    struct benchmark *benchmark = make("atax", 60, 1);
    refuse(benchmark, options, "iterations need results of earlier ones");
    benchmark->region.ordered = false;
    refuse(benchmark, options, "is copied out as a whole, of which each of 2 GPUs");
    benchmark_release(benchmark);
    benchmark = make("stencil", 24, 3);
    options.graph = true;
    refuse(benchmark, options, "a graph has all of its 3 rounds");
    options.graph = false, options.gpus = GPUS + 1;
    refuse(benchmark, options, "4 GPUs from number 0 on: there are 3 in all");
    options.gpus = -1;
    refuse(benchmark, options, "-1 GPUs, 1 to 16 are possible");
    options.gpus = 17;
    refuse(benchmark, options, "17 GPUs, 1 to 16 are possible");
    options.gpus = 2, options.streams = 0;
    refuse(benchmark, options, "GPU 0: 0 streams");
    expect_ok(status_of_cuda(cudaSetDevice(2)));
    options.streams = 2;
    refuse(benchmark, options, "2 GPUs from number 2 on");
    expect_ok(status_of_cuda(cudaSetDevice(0)));
    benchmark_release(benchmark);
}

static dm_region_launch *real_launch;
static long failing;

static cudaError_t launch_or_fail(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    if (begin <= failing && failing < end)
        return cudaErrorLaunchOutOfResources;
    return real_launch(region, views, begin, end, stream);
}

/* On the first GPU, and on another one: the others do not wait for it for ever. */
static void a_failure_on_one_gpu_ends_all(void)
{
    for (int half = 0; half < 2; half++)
        for (long rounds = 1; rounds <= 4; rounds += 3) {
            struct benchmark *benchmark = make("stencil", 24, rounds);
            struct pipeline_plan *plan;
            failing = half ? benchmark->region.end - 1 : benchmark->region.begin;
            real_launch = benchmark->region.launch;
            benchmark->region.launch = launch_or_fail;
            benchmark_reset(benchmark);
            expect_ok(pipeline_open(
                &plan, &benchmark->region,
                &(struct pipeline_options){.chunk_size = 1, .streams = 2, .gpus = 2}));
            expect_error(pipeline_run(plan, NULL), DM_FAILED,
                         half ? "GPU 1: stencil, iterations" : "GPU 0: stencil, iterations");
            pipeline_close(plan);
            benchmark_release(benchmark);
        }
}

int main(void)
{
    setenv("SOFTGPU_DEVICES", "3", 1);
    run_test(several_gpus_give_the_same_bits);
    run_test(all_other_options_go_with_it);
    run_test(between_is_called_by_the_caller);
    run_test(what_cannot_be_divided_is_refused);
    run_test(a_failure_on_one_gpu_ends_all);
    return end_tests();
}
