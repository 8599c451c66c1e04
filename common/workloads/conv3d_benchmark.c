#include "conv3d.h"

/* default and medium: Cui, table 4.2. */
static const struct benchmark_dataset datasets[] = {
    {"tiny", 20}, {"small", 128}, {"default", 320}, {"medium", 800}, {"gib", 512}, {0},
};

static struct conv3d_shape shape_of(const struct benchmark *benchmark)
{
    long n = (long)benchmark->size;
    return (struct conv3d_shape){n, n, n};
}

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, 3, 1u << 14, 1);
    struct conv3d_shape shape = shape_of(benchmark);
    struct dm_region_array planes = {.split = DM_REGION_ROWS,
                                     .slices = shape.planes,
                                     .slice_bytes =
                                         (size_t)(shape.rows * shape.columns) * sizeof(float),
                                     .rows = 1};
    struct dm_region *region = &benchmark->region;
    *region = dm_region_make("conv3d", 1, shape.planes - 1, conv3d_launch, NULL);
    planes.name = "input", planes.direction = DM_REGION_TO, planes.offset = -1, planes.length = 3;
    region->swap[0] = dm_region_add(region, planes);
    planes.name = "output", planes.direction = DM_REGION_FROM, planes.offset = 0, planes.length = 1;
    region->swap[1] = dm_region_add(region, planes);
    benchmark->flops = conv3d_flops(shape);
    benchmark->kernel_bytes = conv3d_bytes(shape);
}

static void create(struct benchmark *benchmark)
{
    struct conv3d_shape shape = shape_of(benchmark);
    in_out_create(benchmark, &shape, sizeof shape,
                  (struct in_out_method){conv3d_reference, benchmark->size, 1e-4});
}

const struct benchmark_kind conv3d_benchmark = {
    .name = "conv3d",
    .meaning = "convolution of a cube of size^3 with 11 points, split by planes",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = in_out_release,
    .reset = in_out_reset,
    .errors = in_out_errors,
};
