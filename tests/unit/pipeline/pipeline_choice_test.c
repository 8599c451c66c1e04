/* What the link can do, the bound, the prediction, and the choice that follows from them. */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/random.h"
#include "common/regions/copies.h"
#include "common/workloads/benchmark.h"
#include "pipeline/choice.h"
#include "pipeline/model.h"
#include "pipeline/parts.h"
#include "tests/unit/test_status.h"

static bool about(double value, double expected)
{
    return fabs(value - expected) <= 1e-9 * fabs(expected);
}

/* 10 byte/s in, 8 out; together 7 + 6. */
static const struct link_rates slow_link = {
    .to_device = 10, .from_device = 8, .both = 13, .both_to_device = 7};

/* 100 iterations, each with a slice of 20 bytes in and one of 20 bytes out. */
static struct dm_region region_of_100(void)
{
    struct dm_region region = dm_region_make("test", 0, 100, NULL, NULL);
    struct dm_region_array array = {
        .split = DM_REGION_ROWS, .slices = 100, .slice_bytes = 20, .rows = 1, .length = 1};
    array.direction = DM_REGION_TO;
    dm_region_add(&region, array);
    array.direction = DM_REGION_FROM;
    dm_region_add(&region, array);
    return region;
}

/* ---- link and bound ---- */

static void a_direction_gets_the_link_when_the_other_is_done(void)
{
    expect(about(link_time_s(&slow_link, 100, 0), 10));
    expect(about(link_time_s(&slow_link, 0, 80), 10));
    expect(about(link_time_s(&slow_link, 70, 60), 10));
    expect(about(link_time_s(&slow_link, 170, 60), 20));
    expect(about(link_time_s(&slow_link, 70, 140), 20));
    expect(link_time_s(&slow_link, 0, 0) == 0);
}

static void the_bound_has_the_copies_that_cannot_overlap(void)
{
    struct dm_region region = region_of_100();
    /* first and last chunk of 10: 200 bytes each; 1800 bytes are left in both directions */
    double edges_s = 200 / 10.0 + 200 / 8.0, middle_s = 1800 / 7.0 + (1800 - 6 * 1800 / 7.0) / 8;
    expect(about(link_bound_s(&slow_link, &region, 1, 10), edges_s + middle_s));
    expect(about(link_bound_s(&slow_link, &region, 1e6, 10), edges_s + 1e6));
    expect(about(link_bound_s(&slow_link, &region, 1, 1000), 2000 / 10.0 + 2000 / 8.0 + 1));
}

static void the_bound_of_parts_is_that_of_the_longest(void)
{
    struct dm_region region = region_of_100();
    struct link_rates links[] = {slow_link, slow_link, slow_link};
    links[0].to_device *= 2, links[0].from_device *= 2;
    links[0].both *= 2, links[0].both_to_device *= 2;
    /* of 50 iterations: 200 bytes at either end, 800 between them */
    double edges_s = 200 / 10.0 + 200 / 8.0, middle_s = 800 / 7.0 + (800 - 6 * 800 / 7.0) / 8;
    expect(about(parts_bound_s(links, &region, 2, 1, 10), edges_s + middle_s));
    expect(about(parts_bound_s(links, &region, 2, 1e6, 10), edges_s + 1e6 / 2));
    /* 33, 33 and 34 iterations: the last part is the longest */
    expect(about(parts_bound_s(links, &region, 3, 1e6, 1), 20 / 10.0 + 20 / 8.0 + 0.34e6));
    region.end = region.begin + 2;
    expect(isnan(parts_bound_s(links, &region, 3, 1, 1)));
}

static void a_measured_link_has_rates(void)
{
    struct link_rates link;
    expect_ok(link_measure(&link, 1u << 20));
    expect(link.to_device > 0 && link.from_device > 0);
    expect(link.both_to_device > 0 && link.both_to_device <= link.to_device);
    expect(link.both > link.both_to_device);
    expect(link.both - link.both_to_device <= link.from_device * (1 + 1e-12));
    expect(link.call_s > 0 && link.operation_s > 0);
    expect_ok(link_measure(&link, 0));
    expect(link.to_device > 0);
}

/* ---- prediction ---- */

static struct model model_of(const struct dm_region *region, const struct link_rates *link)
{
    return (struct model){
        .region = region,
        .link = link,
        .samples = {{1, 3, 3, 3, 0, 0}, {4, 6, 6, 6, 0, 0}, {16, 12, 12, 12, 0, 0}},
        .count = 3};
}

static void samples_are_joined_by_lines(void)
{
    struct dm_region region = region_of_100();
    struct model model = model_of(&region, &slow_link);
    expect(about(model_chunk(&model, 1).kernel_s, 3));
    expect(about(model_chunk(&model, 3).kernel_s, 5));
    expect(about(model_chunk(&model, 10).kernel_s, 9));
    expect(about(model_chunk(&model, 32).kernel_s, 24));
    expect(about(model_kernel_s(&model, 16), 6 * 12 + 6));
}

/* With one chunk nothing overlaps; with one chunk in flight copies in and kernels take turns, and
 * only copies out go beside them. */
static void without_overlap_times_add_up(void)
{
    struct dm_region region = region_of_100();
    struct model model = model_of(&region, &slow_link);
    double in_s = 2000 / 10.0, out_s = 2000 / 8.0, kernels_s = 10 * 9;
    expect(about(model_round_s(&model, 100, 4), in_s + out_s + 75));
    expect(model_round_s(&model, 10, 1) >= in_s + kernels_s + out_s / 10);
    expect(model_round_s(&model, 10, 1) < in_s + kernels_s + out_s);
}

static void predictions_respect_the_bound(void)
{
    for (uint64_t i = 0; i < 300; i++) {
        struct link_rates link = {.to_device = 1 + 20 * random_uniform(i, 0),
                                  .from_device = 1 + 20 * random_uniform(i, 1),
                                  .call_s = random_uniform(i, 2),
                                  .operation_s = random_uniform(i, 3)};
        double share = random_uniform(i, 4); /* both together: more than in turns */
        link.both_to_device = share * link.to_device;
        link.both = link.both_to_device + (1 - 0.5 * share) * link.from_device;
        struct dm_region region = region_of_100();
        struct model model = model_of(&region, &link);
        for (int s = 0; s < model.count; s++) {
            model.samples[s].alone_s *= 1 + random_uniform(i, 7);
            model.samples[s].first_s *= 1 + random_uniform(i, 8);
        }
        long chunk_size = 1 + (long)random_below(i, 5, 30);
        int streams = 1 + (int)random_below(i, 6, 8);
        double predicted_s = model_round_s(&model, chunk_size, streams);
        double kernel_s = model_kernel_s(&model, chunk_size);
        double bound_s = link_bound_s(&link, &region, kernel_s, chunk_size);
        expect(predicted_s >= bound_s * (1 - 1e-9));
        expect(predicted_s <= model_round_s(&model, chunk_size, 1) * (1 + 1e-9));
    }
}

static void costly_calls_favour_large_chunks(void)
{
    struct dm_region region = region_of_100();
    struct link_rates link = slow_link;
    struct model model = model_of(&region, &link);
    link.call_s = 20;
    expect(model_round_s(&model, 1, 3) > model_round_s(&model, 20, 3));
    link.call_s = 0;
    expect(model_round_s(&model, 5, 3) < model_round_s(&model, 50, 3));
}

/* Four chunks of 25: 50 s in, 62.5 s out; 1000 s of kernels each when they follow one another. */
static struct model model_of_four(const struct dm_region *region, double alone_s, double first_s)
{
    return (struct model){.region = region,
                          .link = &slow_link,
                          .samples = {{25, 1000, alone_s, first_s, 0, 0}},
                          .count = 1};
}

static void kernels_that_share_the_gpu_leave_their_slots_together(void)
{
    struct dm_region region = region_of_100();
    const double in_turn_s = 50 + 4 * 1000 + 62.5;
    struct model model = model_of_four(&region, 1000, 1000);
    expect(about(model_round_s(&model, 25, 2), in_turn_s));
    expect(about(model_round_s(&model, 25, 4), in_turn_s));
    model = model_of_four(&region, 1000, 2000);
    /* The first two end 50 s apart, when the next two begin to be copied in. */
    expect(model_round_s(&model, 25, 2) > in_turn_s + 20);
    expect(model_round_s(&model, 25, 2) < in_turn_s + 200);
    /* With a slot for each chunk nothing waits for slots. */
    expect(model_round_s(&model, 25, 4) < in_turn_s + 63);
    region.ordered = true;
    expect(about(model_round_s(&model, 25, 2), in_turn_s));
}

/* Half of the GPU is enough for one. */
static void kernels_that_do_not_fill_the_gpu_need_company(void)
{
    struct dm_region region = region_of_100();
    struct model model = model_of_four(&region, 2000, 2000);
    expect(model_round_s(&model, 25, 1) >= 50 + 4 * (2000 + 62.5));
    expect(model_round_s(&model, 25, 1) < 50 + 4 * (2000 + 62.5) + 3 * 50);
    expect(model_round_s(&model, 25, 4) < 50 + 2 * 2000 + 200);
    expect(model_round_s(&model, 25, 2) > model_round_s(&model, 25, 4));
    model.samples[0].kernel_s = 0; /* less than an event can tell */
    expect(model_round_s(&model, 25, 2) >= 200 && model_round_s(&model, 25, 2) < 500);
}

/* The slots of an array that is both are filled when its results have left them. */
static void results_in_place_leave_before_the_next_copy_in(void)
{
    struct dm_region region = dm_region_make("test", 0, 100, NULL, NULL);
    dm_region_add(&region, (struct dm_region_array){.split = DM_REGION_ROWS,
                                                    .direction = DM_REGION_TOFROM,
                                                    .slices = 100,
                                                    .slice_bytes = 20,
                                                    .rows = 1,
                                                    .length = 1});
    struct model model = model_of_four(&region, 1000, 1000);
    expect(about(model_round_s(&model, 25, 1), 4 * (50 + 1000 + 62.5)));
    expect(about(model_round_s(&model, 25, 2), 50 + 4 * 1000 + 62.5));
}

/* ---- choice ---- */

static uint64_t sum_of_host(const struct dm_region *region)
{
    uint64_t sum = 0;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        const unsigned *words = array->host;
        size_t count =
            ((array->rows - 1) * array->pitch_bytes + (size_t)array->slices * array->slice_bytes) /
            sizeof *words;
        for (size_t i = 0; words && i < count; i++)
            sum = sum * 31 + words[i];
    }
    return sum;
}

static void check_choice(struct benchmark *benchmark, const struct link_rates *link, size_t budget)
{
    struct pipeline_choice choice;
    struct copies_report report;
    benchmark_reset(benchmark);
    uint64_t before = sum_of_host(&benchmark->region);
    expect_ok(choice_make(&choice, &benchmark->region, link, budget));
    expect(sum_of_host(&benchmark->region) == before);
    expect(choice.kernel_s > 0 && choice.predicted_s >= choice.kernel_s);
    const struct copies_options options = {
        .chunk_size = choice.chunk_size, .streams = choice.streams, .budget_bytes = budget};
    struct copies_plan *plan;
    expect_ok(copies_open(&plan, COPIES_RINGS, &benchmark->region, &options));
    expect_ok(copies_run(plan, &report));
    expect(report.chunk_size == choice.chunk_size && report.streams == choice.streams);
    expect(benchmark_errors(benchmark) == 0);
    copies_close(plan);
}

/* Against all streams and chunk sizes: no other takes less memory within 1 % of the best time. */
static void the_choice_takes_least_memory_within_a_hundredth(void)
{
    for (uint64_t i = 0; i < 60; i++) {
        struct link_rates link = slow_link;
        struct dm_region region = region_of_100();
        struct model model = model_of(&region, &link);
        size_t available = 200 + random_below(i, 0, 4000), least = SIZE_MAX;
        double shortest_s = INFINITY;
        link.call_s = random_uniform(i, 1) / 4;
        struct pipeline_choice choice = choice_of_model(&model, available);
        size_t bytes = copies_ring_bytes(&region, choice.chunk_size, choice.streams);
        for (int pass = 0; pass < 2; pass++)
            for (int streams = 1; streams <= 8; streams++)
                for (long size = 1, step = 1; size <= 100; size += step) {
                    step = size >= 64 ? 16 : size >= 32 ? 8 : size >= 16 ? 4 : size >= 8 ? 2 : 1;
                    size_t needed = copies_ring_bytes(&region, size, streams);
                    double predicted_s = model_round_s(&model, size, streams);
                    if (needed > available)
                        continue;
                    if (pass == 0)
                        shortest_s = fmin(shortest_s, predicted_s);
                    else if (predicted_s <= 1.01 * shortest_s && needed < least)
                        least = needed;
                }
        expect(bytes == least && bytes <= available);
        expect(choice.predicted_s <= 1.01 * shortest_s);
        expect(choice.predicted_s == model_round_s(&model, choice.chunk_size, choice.streams));
        expect(choice.kernel_s == model_kernel_s(&model, choice.chunk_size));
    }
}

static void choices_fit_and_write_nothing(void)
{
    struct link_rates link;
    expect_ok(link_measure(&link, 1u << 20));
    for (int k = 0; benchmark_kinds[k]; k++) {
        size_t size = benchmark_size(benchmark_kinds[k], "tiny");
        struct benchmark *benchmark =
            benchmark_create(benchmark_kinds[k], size, 1, MEMORY_PINNED, 9);
        size_t minimum = copies_minimum_bytes(&benchmark->region);
        check_choice(benchmark, &link, 0);
        check_choice(benchmark, &link, minimum);
        check_choice(benchmark, &link, minimum + minimum / 2);
        benchmark_release(benchmark);
    }
}

static void nothing_fits_in_too_little(void)
{
    struct link_rates link;
    expect_ok(link_measure(&link, 1u << 16));
    const struct benchmark_kind *kind = benchmark_kind_of("conv2d");
    struct benchmark *benchmark =
        benchmark_create(kind, benchmark_size(kind, "tiny"), 1, MEMORY_PINNED, 9);
    struct pipeline_choice choice;
    const size_t minimum = copies_minimum_bytes(&benchmark->region);
    expect_error(choice_make(&choice, &benchmark->region, &link, minimum - 1), DM_NO_MEMORY,
                 "at least, the budget is");
    struct dm_region region = benchmark->region;
    region.end = region.begin;
    expect_error(choice_make(&choice, &region, &link, 0), DM_INVALID, "no iterations");
    benchmark_release(benchmark);
}

int main(void)
{
    run_test(a_direction_gets_the_link_when_the_other_is_done);
    run_test(the_bound_has_the_copies_that_cannot_overlap);
    run_test(the_bound_of_parts_is_that_of_the_longest);
    run_test(a_measured_link_has_rates);
    run_test(samples_are_joined_by_lines);
    run_test(without_overlap_times_add_up);
    run_test(predictions_respect_the_bound);
    run_test(costly_calls_favour_large_chunks);
    run_test(kernels_that_share_the_gpu_leave_their_slots_together);
    run_test(kernels_that_do_not_fill_the_gpu_need_company);
    run_test(results_in_place_leave_before_the_next_copy_in);
    run_test(the_choice_takes_least_memory_within_a_hundredth);
    run_test(choices_fit_and_write_nothing);
    run_test(nothing_fits_in_too_little);
    return end_tests();
}
