/* The public functions that execute a region: elements of any size, a launch function of the
 * caller's, chunk size and streams chosen, and each error. */
#include <stdlib.h>
#include <string.h>

#include <datamotion/pipeline.h>

#include "tests/unit/test_status.h"

enum { SLICES = 40, LENGTH = 3 };

/* An element of 24 bytes, which no power of two divides into slices. */
struct element {
    double real, imaginary;
    long number;
};

static struct element *input, *output;

static const void *slice_of(const struct dm_slices *array, long slice)
{
    const long slot = slice % array->capacity;
    return (const char *)array->base + (size_t)slot * array->stride_bytes;
}

/* In the place of a kernel: slice i + 1 of the input becomes slice i of the output. */
static cudaError_t launch_copies(const struct dm_region *region, const struct dm_slices *views,
                                 long begin, long end, cudaStream_t stream)
{
    const size_t bytes = *(const size_t *)region->context;
    for (long i = begin; i < end; i++) {
        cudaError_t error =
            cudaMemcpyAsync((void *)slice_of(&views[1], i), slice_of(&views[0], i + 1), bytes,
                            cudaMemcpyDeviceToDevice, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

static cudaError_t launch_nothing(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)end, (void)stream;
    return begin < SLICES / 2 ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

/* Iteration i reads the slices i and i + 1 of the input and writes slice i of the output. */
static struct dm_region shift(dm_region_launch *launch)
{
    static const size_t slice_bytes = LENGTH * sizeof(struct element);
    struct dm_region region = dm_region_make("shift", 0, SLICES - 1, launch, &slice_bytes);
    struct dm_region_array array = {.name = "input",
                                    .host = input,
                                    .direction = DM_REGION_TO,
                                    .split = DM_REGION_ROWS,
                                    .slices = SLICES,
                                    .slice_bytes = slice_bytes,
                                    .rows = 1,
                                    .length = 2};
    dm_region_add(&region, array);
    array.name = "output", array.host = output, array.direction = DM_REGION_FROM, array.length = 1;
    dm_region_add(&region, array);
    return region;
}

static void fill(void)
{
    for (long i = 0; i < (long)SLICES * LENGTH; i++)
        input[i] = (struct element){(double)i, -(double)i, i};
    memset(output, 0xff, (size_t)SLICES * LENGTH * sizeof *output);
}

static bool is_shifted(void)
{
    return memcmp(output, input + LENGTH, (size_t)(SLICES - 1) * LENGTH * sizeof *output) == 0;
}

/* ---- what is executed ---- */

static struct pipeline_report run_once(struct pipeline_options options)
{
    const struct dm_region region = shift(launch_copies);
    struct pipeline_report report = {0};
    struct pipeline_plan *plan;
    fill();
    expect_ok(pipeline_open(&plan, &region, &options));
    expect_ok(pipeline_run(plan, &report));
    expect(is_shifted());
    expect_ok(pipeline_run(plan, NULL));
    pipeline_close(plan);
    return report;
}

static void elements_of_any_size_arrive(void)
{
    const struct pipeline_report report =
        run_once((struct pipeline_options){.chunk_size = 4, .streams = 3});
    const size_t slice = LENGTH * sizeof(struct element);
    expect(report.chunk_size == 4 && report.streams == 3 && report.chunks == 10);
    expect(report.bytes_to_device == SLICES * slice);
    expect(report.bytes_from_device == (SLICES - 1) * slice);
    expect(report.copies >= 2 * report.chunks && report.api_calls > report.copies);
    expect(report.time_s > 0 && report.host_cpu_s > 0);
    expect(report.device_bytes == (4 * 3 + 1) * slice + 4 * 3 * slice);
}

static void a_graph_copies_the_same_by_one_call(void)
{
    const struct pipeline_report report =
        run_once((struct pipeline_options){.chunk_size = 4, .streams = 3, .graph = true});
    expect(report.chunks == 10 && report.copies >= 20 && report.api_calls == 3);
}

static void a_budget_is_kept(void)
{
    const struct dm_region region = shift(launch_copies);
    const size_t minimum = pipeline_minimum_bytes(&region);
    expect(minimum == pipeline_ring_bytes(&region, 1, 1));
    const struct pipeline_report tight =
        run_once((struct pipeline_options){.chunk_size = 4, .streams = 3, .budget_bytes = minimum});
    expect(tight.chunk_size == 1 && tight.streams == 1 && tight.device_bytes == minimum);
    const size_t two = pipeline_ring_bytes(&region, 4, 2);
    const struct pipeline_report fewer =
        run_once((struct pipeline_options){.chunk_size = 4, .streams = 3, .budget_bytes = two});
    expect(fewer.chunk_size == 4 && fewer.streams == 2 && fewer.device_bytes == two);
}

static void what_is_left_out_is_chosen(void)
{
    const struct dm_region region = shift(launch_copies);
    const size_t budget = pipeline_ring_bytes(&region, 5, 2);
    const struct pipeline_report report = run_once((struct pipeline_options){0});
    expect(report.chunk_size >= 1 && report.streams >= 1);
    expect(run_once((struct pipeline_options){.budget_bytes = budget}).device_bytes <= budget);
    struct pipeline_choice choice;
    expect_ok(pipeline_choose(&choice, &region, budget));
    expect(pipeline_ring_bytes(&region, choice.chunk_size, choice.streams) <= budget);
    expect(choice.predicted_s > 0 && choice.kernel_s > 0);
}

/* ---- what is refused ---- */

static void bad_options_and_regions_are_refused(void)
{
    struct dm_region region = shift(launch_copies);
    struct pipeline_plan *plan;
    struct pipeline_choice choice;
    expect_error(
        pipeline_open(&plan, &region, &(struct pipeline_options){.chunk_size = -1, .streams = 2}),
        DM_INVALID, "a chunk size of -1 iterations");
    expect(plan == NULL);
    expect_error(
        pipeline_open(&plan, &region, &(struct pipeline_options){.chunk_size = 1, .streams = 0}),
        DM_INVALID, "0 streams, 1 to 64");
    expect_error(
        pipeline_open(&plan, &region, &(struct pipeline_options){.chunk_size = 1, .streams = 65}),
        DM_INVALID, "65 streams, 1 to 64");
    region.end = SLICES;
    expect_error(
        pipeline_open(&plan, &region, &(struct pipeline_options){.chunk_size = 1, .streams = 2}),
        DM_INVALID, "input");
    expect_error(pipeline_open(&plan, &region, &(struct pipeline_options){0}), DM_INVALID, "input");
    expect_error(pipeline_choose(&choice, &region, 0), DM_INVALID, "input");
    expect(plan == NULL);
    pipeline_close(NULL);
}

static void a_small_budget_is_refused_with_what_is_needed(void)
{
    const struct dm_region region = shift(launch_copies);
    const size_t minimum = pipeline_minimum_bytes(&region);
    struct pipeline_plan *plan;
    struct pipeline_choice choice;
    char words[64];
    snprintf(words, sizeof words, "needs %zu bytes of device memory at least", minimum);
    expect_error(pipeline_open(&plan, &region,
                               &(struct pipeline_options){
                                   .chunk_size = 1, .streams = 1, .budget_bytes = minimum - 1}),
                 DM_NO_MEMORY, words);
    expect_error(
        pipeline_open(&plan, &region, &(struct pipeline_options){.budget_bytes = minimum - 1}),
        DM_NO_MEMORY, words);
    expect_error(pipeline_choose(&choice, &region, minimum - 1), DM_NO_MEMORY, words);
}

static void an_error_of_the_launch_function_is_returned(void)
{
    const struct dm_region region = shift(launch_nothing);
    struct pipeline_plan *plan;
    struct pipeline_report report;
    expect_ok(
        pipeline_open(&plan, &region, &(struct pipeline_options){.chunk_size = 1, .streams = 2}));
    expect_error(pipeline_run(plan, &report), DM_FAILED, "shift, iterations 20 to 20");
    pipeline_close(plan);
    /* A choice needs only the first iterations. */
    struct pipeline_choice choice;
    expect_ok(pipeline_choose(&choice, &region, 0));
}

int main(void)
{
    const size_t bytes = (size_t)SLICES * LENGTH * sizeof *input;
    if (cudaMallocHost((void **)&input, bytes) != cudaSuccess ||
        cudaMallocHost((void **)&output, bytes) != cudaSuccess)
        return 1;
    run_test(elements_of_any_size_arrive);
    run_test(a_graph_copies_the_same_by_one_call);
    run_test(a_budget_is_kept);
    run_test(what_is_left_out_is_chosen);
    run_test(bad_options_and_regions_are_refused);
    run_test(a_small_budget_is_refused_with_what_is_needed);
    run_test(an_error_of_the_launch_function_is_returned);
    cudaFreeHost(input);
    cudaFreeHost(output);
    return end_tests();
}
