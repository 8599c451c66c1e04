#include "atax.h"
#include "in_out.h"
#include "multi_in.h"

/* default and medium: Cui, table 4.2. gib: rows of whole 128 bytes. */
static const struct benchmark_dataset datasets[] = {
    {"tiny", 100}, {"small", 1024}, {"default", 16384}, {"medium", 32384}, {"gib", 16352}, {0},
};

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, 1, 1u << 20, 1);
    size_t n = benchmark->size, row = n * sizeof(float);
    struct dm_region_array by_row = {
        .split = DM_REGION_ROWS, .slices = (long)n, .rows = 1, .offset = 0, .length = 1};
    struct dm_region_array whole = {
        .split = DM_REGION_WHOLE, .slices = 1, .slice_bytes = row, .rows = 1, .length = 1};
    benchmark->region = dm_region_make("atax", 0, (long)n, atax_launch, NULL);
    benchmark->region.ordered = true;
    by_row.name = "A", by_row.direction = DM_REGION_TO, by_row.slice_bytes = row;
    dm_region_add(&benchmark->region, by_row);
    whole.name = "x", whole.direction = DM_REGION_TO;
    dm_region_add(&benchmark->region, whole);
    by_row.name = "tmp", by_row.direction = DM_REGION_SCRATCH, by_row.slice_bytes = sizeof(float);
    dm_region_add(&benchmark->region, by_row);
    whole.name = "y", whole.direction = DM_REGION_FROM;
    dm_region_add(&benchmark->region, whole);
    benchmark->flops = atax_flops((double)n);
    benchmark->kernel_bytes = atax_bytes((double)n);
}

/* With x of magnitude 1/n, y is of magnitude 1 for every n. */
static void scale_x(const void *shape, int array, float *values)
{
    long n = ((const struct atax_shape *)shape)->n;
    if (array == ATAX_X)
        for (long j = 0; j < n; j++)
            values[j] /= (float)n;
}

static void reference(const void *shape, float *const *arrays, float *expected)
{
    atax_reference(arrays[ATAX_A], arrays[ATAX_X], *(const struct atax_shape *)shape, expected);
}

static void create(struct benchmark *benchmark)
{
    struct atax_shape shape = {(long)benchmark->size};
    struct multi_in_method method = {.adjust = scale_x, .reference = reference, .tolerance = 1e-5};
    multi_in_create(benchmark, &shape, sizeof shape, method);
}

const struct benchmark_kind atax_benchmark = {
    .name = "atax",
    .meaning = "y = A^T (A x) with A of size x size, split by rows",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = multi_in_release,
    .reset = multi_in_reset,
    .errors = multi_in_errors,
};
