#include "stencil.h"

/* default: Parboil's small case, 128 x 128 x 32. */
static const struct benchmark_dataset datasets[] = {
    {"tiny", 36}, {"small", 256}, {"default", 128}, {"gib", 812}, {0},
};

static struct stencil_shape shape_of(const struct benchmark *benchmark)
{
    long n = (long)benchmark->size;
    return (struct stencil_shape){n / 4, n, n};
}

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, 12, 1u << 14, 4);
    struct stencil_shape shape = shape_of(benchmark);
    struct dm_region_array planes = {.split = DM_REGION_ROWS,
                                     .slices = shape.planes,
                                     .slice_bytes =
                                         (size_t)(shape.rows * shape.columns) * sizeof(float),
                                     .rows = 1};
    struct dm_region *region = &benchmark->region;
    *region = dm_region_make("stencil", 1, shape.planes - 1, stencil_launch, NULL);
    planes.name = "input", planes.direction = DM_REGION_TO, planes.offset = -1, planes.length = 3;
    region->swap[0] = dm_region_add(region, planes);
    planes.name = "output", planes.direction = DM_REGION_FROM, planes.offset = 0, planes.length = 1;
    region->swap[1] = dm_region_add(region, planes);
    benchmark->flops = stencil_flops(shape);
    benchmark->kernel_bytes = stencil_bytes(shape);
}

static void create(struct benchmark *benchmark)
{
    struct stencil_shape shape = shape_of(benchmark);
    in_out_create(benchmark, &shape, sizeof shape,
                  (struct in_out_method){stencil_reference, benchmark->size, 1e-4});
}

const struct benchmark_kind stencil_benchmark = {
    .name = "stencil",
    .meaning = "7-point stencil on a grid of size x size x size/4, split by planes",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = in_out_release,
    .reset = in_out_reset,
    .errors = in_out_errors,
};
