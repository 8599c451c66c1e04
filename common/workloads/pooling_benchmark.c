#include "pooling.h"

static const struct benchmark_dataset datasets[] = {
    {"tiny", 100}, {"small", 3072}, {"default", 6144}, {"gib", 14648}, {0},
};

static struct pooling_shape shape_of(const struct benchmark *benchmark)
{
    long n = (long)benchmark->size;
    return (struct pooling_shape){n / 2, n / 2};
}

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, 2, 1u << 20, 2);
    struct pooling_shape shape = shape_of(benchmark);
    struct dm_region_array rows = {
        .split = DM_REGION_ROWS, .slices = shape.rows, .offset = 0, .length = 1, .rows = 1};
    size_t row_bytes = (size_t)shape.columns * sizeof(float);
    benchmark->region = dm_region_make("pooling", 0, shape.rows, pooling_launch, NULL);
    rows.name = "input", rows.direction = DM_REGION_TO, rows.slice_bytes = 4 * row_bytes;
    dm_region_add(&benchmark->region, rows);
    rows.name = "output", rows.direction = DM_REGION_FROM, rows.slice_bytes = row_bytes;
    dm_region_add(&benchmark->region, rows);
    benchmark->flops = pooling_flops(shape);
    benchmark->kernel_bytes = pooling_bytes(shape);
}

static void create(struct benchmark *benchmark)
{
    struct pooling_shape shape = shape_of(benchmark);
    in_out_create(benchmark, &shape, sizeof shape,
                  (struct in_out_method){pooling_reference, benchmark->size / 2, 0.0});
}

const struct benchmark_kind pooling_benchmark = {
    .name = "pooling",
    .meaning = "2x2 maxima of a matrix of size x size, split by rows",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = in_out_release,
    .reset = in_out_reset,
    .errors = in_out_errors,
};
