#include "tunable_grid.h"

#include "conv2d.h"
#include "conv3d.h"

/* The arrays of a kernel that computes n - 2 of n slices of `slice` elements. */
static void add_arrays(struct tunable *tunable, size_t slice)
{
    tunable_add_array(tunable, "input", tunable->size * slice, TUNABLE_READ);
    tunable_add_array(tunable, "output", (tunable->size - 2) * slice, TUNABLE_WRITTEN);
}

/* All interior slices in one launch. */
static cudaError_t launch_interior(dm_region_launch *launch, const void *shape, size_t n,
                                   size_t slice, float *const *arrays, dim3 block,
                                   cudaStream_t stream)
{
    struct dm_region region = dm_region_make("interior", 1, (long)n - 1, launch, shape);
    region.block = block;
    struct dm_slices views[] = {
        [IN_OUT_INPUT] = {.base = arrays[IN_OUT_INPUT],
                          .stride_bytes = slice * sizeof(float),
                          .capacity = (long)n},
        [IN_OUT_OUTPUT] = {.base = arrays[IN_OUT_OUTPUT],
                           .stride_bytes = slice * sizeof(float),
                           .capacity = (long)n - 2},
    };
    return launch(&region, views, region.begin, region.end, stream);
}

/* ---- 2dconv ---- */

static struct conv2d_shape conv2d_shape_of(const struct tunable *tunable)
{
    return (struct conv2d_shape){(long)tunable->size, (long)tunable->size};
}

static void conv2d_describe(struct tunable *tunable)
{
    add_arrays(tunable, tunable->size);
    tunable->flops = conv2d_flops(conv2d_shape_of(tunable));
    tunable->terms = 9.0;
}

static cudaError_t conv2d_launch_block(const struct tunable *tunable, float *const *arrays,
                                       dim3 block, cudaStream_t stream)
{
    struct conv2d_shape shape = conv2d_shape_of(tunable);
    return launch_interior(conv2d_launch, &shape, tunable->size, tunable->size, arrays, block,
                           stream);
}

static const struct tunable_dataset conv2d_datasets[] = {
    {"tiny", 37}, {"small", 160}, {"full", 2048}, {0}};

const struct tunable_kind conv2d_tunable = {
    .name = "2dconv",
    .meaning = "3x3 convolution of a matrix of size x size; x divides the columns, y the rows",
    .datasets = conv2d_datasets,
    .smallest = 3,
    .largest = 1 << 14,
    .describe = conv2d_describe,
    .launch = conv2d_launch_block,
    .reference = conv2d_tunable_reference,
};

/* ---- 3dconv ---- */

static struct conv3d_shape conv3d_shape_of(const struct tunable *tunable)
{
    long n = (long)tunable->size;
    return (struct conv3d_shape){n, n, n};
}

static void conv3d_describe(struct tunable *tunable)
{
    add_arrays(tunable, tunable->size * tunable->size);
    tunable->flops = conv3d_flops(conv3d_shape_of(tunable));
    tunable->terms = 11.0;
}

static cudaError_t conv3d_launch_block(const struct tunable *tunable, float *const *arrays,
                                       dim3 block, cudaStream_t stream)
{
    struct conv3d_shape shape = conv3d_shape_of(tunable);
    return launch_interior(conv3d_launch, &shape, tunable->size, tunable->size * tunable->size,
                           arrays, block, stream);
}

static const struct tunable_dataset conv3d_datasets[] = {
    {"tiny", 25}, {"small", 32}, {"full", 192}, {0}};

const struct tunable_kind conv3d_tunable = {
    .name = "3dconv",
    .meaning = "convolution of a cube of size^3 with 11 points; x divides the columns, y the rows, "
               "each plane has its own blocks",
    .datasets = conv3d_datasets,
    .smallest = 3,
    .largest = 1 << 10,
    .describe = conv3d_describe,
    .launch = conv3d_launch_block,
    .reference = conv3d_tunable_reference,
};

/* ---- epcc ---- */

static struct epcc_shape epcc_shape_of(const struct tunable *tunable)
{
    return (struct epcc_shape){(long)tunable->size};
}

static void epcc_describe(struct tunable *tunable)
{
    add_arrays(tunable, tunable->size * tunable->size);
    tunable->flops = epcc_flops(epcc_shape_of(tunable));
    tunable->terms = 27.0;
}

static cudaError_t epcc_launch_block(const struct tunable *tunable, float *const *arrays,
                                     dim3 block, cudaStream_t stream)
{
    struct epcc_shape shape = epcc_shape_of(tunable);
    return launch_interior(epcc_launch, &shape, tunable->size, tunable->size * tunable->size,
                           arrays, block, stream);
}

static const struct tunable_dataset epcc_datasets[] = {
    {"tiny", 25}, {"small", 32}, {"full", 160}, {0}};

const struct tunable_kind epcc_tunable = {
    .name = "epcc",
    .meaning = "stencil of 27 points on a cube of size^3; x divides the columns, y the rows, each "
               "plane has its own blocks",
    .datasets = epcc_datasets,
    .smallest = 3,
    .largest = 1 << 10,
    .describe = epcc_describe,
    .launch = epcc_launch_block,
    .reference = epcc_tunable_reference,
};
