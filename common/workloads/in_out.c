#include "in_out.h"

#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "workload.h"

/* Elements with a common scale: enough for one of them to be of the usual magnitude. */
enum { PIECE = 32 };

/* The scale of what is damped to nothing: far above the smallest normal number. */
static const double least_scale = 1e-30;

struct in_out {
    struct in_out_method method;
    void *shape;
    float *expected; /* NULL: not computed yet */
    long expected_rounds;
    bool expected_updates;
};

void in_out_check_size(const struct benchmark *benchmark, size_t smallest, size_t largest,
                       size_t multiple)
{
    size_t size = benchmark->size;
    if (size < smallest || size > largest)
        fail("%s: size %zu is impossible, it must be from %zu to %zu", benchmark->kind->name, size,
             smallest, largest);
    if (size % multiple)
        fail("%s: size %zu is impossible, it must be a multiple of %zu", benchmark->kind->name,
             size, multiple);
}

void in_out_create(struct benchmark *benchmark, const void *shape, size_t shape_bytes,
                   struct in_out_method method)
{
    struct in_out *own = allocate_or_fail(1, sizeof *own);
    *own = (struct in_out){.method = method, .shape = allocate_or_fail(1, shape_bytes)};
    memcpy(own->shape, shape, shape_bytes);
    benchmark->own = own;
    benchmark->region.context = own->shape;
}

void in_out_release(struct benchmark *benchmark)
{
    struct in_out *own = benchmark->own;
    free(own->expected);
    free(own->shape);
    free(own);
}

static bool is_swapped(const struct dm_region *region)
{
    return region->swap[0] != DM_REGION_NO_SWAP;
}

static size_t elements(const struct dm_region *region, int array)
{
    const struct dm_region_array *a = &region->arrays[array];
    return (size_t)a->slices * dm_region_slice_size(a) / sizeof(float);
}

static void fill(const struct benchmark *benchmark, float *input, float *output)
{
    const struct dm_region *region = &benchmark->region;
    random_fill_float(input, elements(region, IN_OUT_INPUT), benchmark->seed);
    size_t count = elements(region, IN_OUT_OUTPUT);
    for (size_t i = 0; i < count; i++)
        output[i] = NAN;
    if (!is_swapped(region))
        return;
    const struct dm_region_array *result = &region->arrays[IN_OUT_OUTPUT];
    long first, end;
    dm_region_window(result, region->begin, region->end, &first, &end);
    size_t slice = dm_region_slice_size(result) / sizeof(float);
    size_t after = (size_t)end * slice;
    memcpy(output, input, (size_t)first * slice * sizeof(float));
    memcpy(output + after, input + after, (count - after) * sizeof(float));
}

void in_out_reset(struct benchmark *benchmark)
{
    fill(benchmark, benchmark->region.arrays[IN_OUT_INPUT].host,
         benchmark->region.arrays[IN_OUT_OUTPUT].host);
}

/* The results of all rounds, on arrays of its own: the benchmark's may have been changed. */
static float *compute_expected(const struct benchmark *benchmark)
{
    const struct dm_region *region = &benchmark->region;
    const struct in_out *own = benchmark->own;
    size_t count = elements(region, IN_OUT_INPUT);
    float *input = allocate_or_fail(count, sizeof *input);
    float *output = allocate_or_fail(elements(region, IN_OUT_OUTPUT), sizeof *output);
    fill(benchmark, input, output);
    for (long round = 0; round < region->rounds; round++) {
        if (round > 0 && is_swapped(region)) {
            float *previous = input;
            input = output;
            output = previous;
        }
        if (round > 0 && benchmark->host_updates)
            benchmark_update(input, count);
        own->method.reference(own->shape, input, output);
    }
    free(input);
    return output;
}

static const float *expected_results(struct benchmark *benchmark)
{
    struct in_out *own = benchmark->own;
    bool known = own->expected && own->expected_rounds == benchmark->region.rounds &&
                 own->expected_updates == benchmark->host_updates;
    if (known)
        return own->expected;
    free(own->expected);
    own->expected = compute_expected(benchmark);
    own->expected_rounds = benchmark->region.rounds;
    own->expected_updates = benchmark->host_updates;
    return own->expected;
}

static double largest_magnitude(const float *values, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(values[i]));
    return largest;
}

static size_t count_wrong_piece(const float *result, const float *expected, size_t count,
                                double scale, double tolerance)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !(fabs((double)result[i] - expected[i]) <= tolerance * fmax(scale, least_scale));
    return wrong;
}

/* Borders are copies and must be equal. The last piece of a row shares the scale of a full one. */
static size_t count_wrong_row(const float *result, const float *expected, size_t row,
                              double tolerance)
{
    size_t wrong = (size_t)(result[0] != expected[0]) + (result[row - 1] != expected[row - 1]);
    for (size_t at = 1; at < row - 1; at += PIECE) {
        size_t end = at + PIECE < row - 1 ? at + PIECE : row - 1;
        size_t from = end > 1 + PIECE ? end - PIECE : 1;
        double scale = largest_magnitude(expected + from, end - from);
        wrong += count_wrong_piece(result + at, expected + at, end - at, scale, tolerance);
    }
    return wrong;
}

static size_t count_wrong(const struct in_out *own, const float *result, const float *expected,
                          size_t count, bool damped)
{
    if (!damped)
        return workload_count_wrong(result, expected, count, own->method.tolerance);
    size_t wrong = 0, row = own->method.row;
    for (size_t at = 0; at < count; at += row)
        wrong += count_wrong_row(result + at, expected + at, row, own->method.tolerance);
    return wrong;
}

long in_out_errors(struct benchmark *benchmark)
{
    const struct dm_region *region = &benchmark->region;
    const struct dm_region_array *output = &region->arrays[IN_OUT_OUTPUT];
    const float *expected = expected_results(benchmark);
    const float *result = dm_region_host(region, IN_OUT_OUTPUT, region->rounds - 1);
    if (output->split == DM_REGION_COLUMNS)
        return (long)count_wrong(benchmark->own, result, expected, elements(region, IN_OUT_OUTPUT),
                                 false);
    long first, end;
    dm_region_window(output, region->begin, region->end, &first, &end);
    size_t slice = dm_region_slice_size(output) / sizeof(float);
    size_t before = (size_t)first * slice;
    return (long)count_wrong(benchmark->own, result + before, expected + before,
                             (size_t)(end - first) * slice,
                             is_swapped(region) && region->rounds > 1);
}
