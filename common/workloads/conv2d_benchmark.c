#include "conv2d.h"

/* default and medium: Cui, table 4.2. */
static const struct benchmark_dataset datasets[] = {
    {"tiny", 100}, {"small", 2048}, {"default", 6144}, {"medium", 22912}, {"gib", 11584}, {0},
};

static struct conv2d_shape shape_of(const struct benchmark *benchmark)
{
    return (struct conv2d_shape){(long)benchmark->size, (long)benchmark->size};
}

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, 3, 1u << 20, 1);
    struct conv2d_shape shape = shape_of(benchmark);
    struct dm_region_array rows = {.split = DM_REGION_ROWS,
                                   .slices = shape.rows,
                                   .slice_bytes = benchmark->size * sizeof(float),
                                   .rows = 1};
    benchmark->region = dm_region_make("conv2d", 1, shape.rows - 1, conv2d_launch, NULL);
    rows.name = "input", rows.direction = DM_REGION_TO, rows.offset = -1, rows.length = 3;
    dm_region_add(&benchmark->region, rows);
    rows.name = "output", rows.direction = DM_REGION_FROM, rows.offset = 0, rows.length = 1;
    dm_region_add(&benchmark->region, rows);
    benchmark->flops = conv2d_flops(shape);
    benchmark->kernel_bytes = conv2d_bytes(shape);
}

static void create(struct benchmark *benchmark)
{
    struct conv2d_shape shape = shape_of(benchmark);
    in_out_create(benchmark, &shape, sizeof shape,
                  (struct in_out_method){conv2d_reference, benchmark->size, 1e-5});
}

const struct benchmark_kind conv2d_benchmark = {
    .name = "conv2d",
    .meaning = "3x3 convolution of a matrix of size x size, split by rows",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = in_out_release,
    .reset = in_out_reset,
    .errors = in_out_errors,
};
