#include "transpose.h"

static const struct benchmark_dataset datasets[] = {
    {"tiny", 96}, {"small", 2048}, {"default", 6144}, {"gib", 11584}, {0},
};

static struct transpose_shape shape_of(const struct benchmark *benchmark)
{
    return (struct transpose_shape){(long)benchmark->size, (long)benchmark->size};
}

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, TRANSPOSE_PANEL, 1u << 20, TRANSPOSE_PANEL);
    struct transpose_shape shape = shape_of(benchmark);
    size_t row_bytes = benchmark->size * sizeof(float);
    struct dm_region_array input = {.name = "input",
                                    .direction = DM_REGION_TO,
                                    .split = DM_REGION_ROWS,
                                    .slices = shape.rows / TRANSPOSE_PANEL,
                                    .slice_bytes = TRANSPOSE_PANEL * row_bytes,
                                    .rows = 1,
                                    .offset = 0,
                                    .length = 1};
    struct dm_region_array output = {.name = "output",
                                     .direction = DM_REGION_FROM,
                                     .split = DM_REGION_COLUMNS,
                                     .slices = input.slices,
                                     .slice_bytes = TRANSPOSE_PANEL * sizeof(float),
                                     .rows = benchmark->size,
                                     .pitch_bytes = row_bytes,
                                     .offset = 0,
                                     .length = 1};
    benchmark->region = dm_region_make("transpose", 0, input.slices, transpose_launch, NULL);
    dm_region_add(&benchmark->region, input);
    dm_region_add(&benchmark->region, output);
    benchmark->flops = 0.0;
    benchmark->kernel_bytes = transpose_bytes(shape);
}

static void create(struct benchmark *benchmark)
{
    struct transpose_shape shape = shape_of(benchmark);
    in_out_create(benchmark, &shape, sizeof shape,
                  (struct in_out_method){transpose_reference, benchmark->size, 0.0});
}

const struct benchmark_kind transpose_benchmark = {
    .name = "transpose",
    .meaning = "transposition of a matrix of size x size; input split by rows, output by columns",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = in_out_release,
    .reset = in_out_reset,
    .errors = in_out_errors,
};
