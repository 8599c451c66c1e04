#include "multi_in.h"

#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "workload.h"

struct multi_in {
    struct multi_in_method method;
    void *shape;
    float *expected; /* NULL: not computed yet */
    long expected_updates;
};

void multi_in_create(struct benchmark *benchmark, const void *shape, size_t shape_bytes,
                     struct multi_in_method method)
{
    struct multi_in *own = allocate_or_fail(1, sizeof *own);
    *own = (struct multi_in){.method = method, .shape = allocate_or_fail(1, shape_bytes)};
    memcpy(own->shape, shape, shape_bytes);
    benchmark->own = own;
    benchmark->region.context = own->shape;
}

void multi_in_release(struct benchmark *benchmark)
{
    struct multi_in *own = benchmark->own;
    free(own->expected);
    free(own->shape);
    free(own);
}

static size_t elements(const struct dm_region_array *array)
{
    return (size_t)array->slices * dm_region_slice_size(array) / sizeof(float);
}

static const struct dm_region_array *result_of(const struct benchmark *benchmark)
{
    return &benchmark->region.arrays[benchmark->region.array_count - 1];
}

static void fill(const struct benchmark *benchmark, int array, float *values)
{
    const struct multi_in *own = benchmark->own;
    const struct dm_region_array *described = &benchmark->region.arrays[array];
    size_t count = elements(described);
    if (described->direction & DM_REGION_TO) {
        random_fill_float(values, count, benchmark->seed + (uint64_t)array);
        if (own->method.adjust)
            own->method.adjust(own->shape, array, values);
    } else {
        for (size_t i = 0; i < count; i++)
            values[i] = NAN;
    }
}

void multi_in_reset(struct benchmark *benchmark)
{
    for (int a = 0; a < benchmark->region.array_count; a++)
        if (benchmark->region.arrays[a].direction != DM_REGION_SCRATCH)
            fill(benchmark, a, benchmark->region.arrays[a].host);
}

/* How often the host has changed the inputs before the last round. */
static long updates_of(const struct benchmark *benchmark)
{
    return benchmark->host_updates ? benchmark->region.rounds - 1 : 0;
}

/* Works on inputs of its own: the benchmark's may have been changed. */
static float *compute_expected(const struct benchmark *benchmark)
{
    const struct multi_in *own = benchmark->own;
    float *arrays[DM_REGION_ARRAYS] = {NULL};
    for (int a = 0; a < benchmark->region.array_count; a++) {
        const struct dm_region_array *array = &benchmark->region.arrays[a];
        if (!(array->direction & DM_REGION_TO))
            continue;
        arrays[a] = allocate_or_fail(elements(array), sizeof(float));
        fill(benchmark, a, arrays[a]);
        for (long update = 0; update < updates_of(benchmark); update++)
            benchmark_update(arrays[a], elements(array));
    }
    size_t count = own->method.expected_count;
    if (count == 0)
        count = elements(result_of(benchmark));
    float *expected = allocate_or_fail(count, sizeof(float));
    own->method.reference(own->shape, arrays, expected);
    for (int a = 0; a < DM_REGION_ARRAYS; a++)
        free(arrays[a]);
    return expected;
}

static const float *expected_results(struct benchmark *benchmark)
{
    struct multi_in *own = benchmark->own;
    if (!own->expected || own->expected_updates != updates_of(benchmark)) {
        free(own->expected);
        own->expected = compute_expected(benchmark);
        own->expected_updates = updates_of(benchmark);
    }
    return own->expected;
}

long multi_in_errors(struct benchmark *benchmark)
{
    const struct multi_in *own = benchmark->own;
    const struct dm_region_array *result = result_of(benchmark);
    const float *expected = expected_results(benchmark), *values = result->host;
    if (own->method.count_wrong)
        return own->method.count_wrong(own->shape, values, expected);
    size_t first = 0, count = elements(result);
    if (result->split == DM_REGION_ROWS) {
        long first_slice, end_slice;
        dm_region_window(result, benchmark->region.begin, benchmark->region.end, &first_slice,
                         &end_slice);
        size_t slice = result->slice_bytes / sizeof(float);
        first = (size_t)first_slice * slice;
        count = (size_t)(end_slice - first_slice) * slice;
    }
    return (long)workload_count_wrong(values + first, expected + first, count,
                                      own->method.tolerance);
}
