#include "fdtd2d.h"
#include "in_out.h"
#include "multi_in.h"

/* default and medium: Cui, table 4.2. */
static const struct benchmark_dataset datasets[] = {
    {"tiny", 100}, {"small", 1024}, {"default", 4096}, {"medium", 18528}, {"gib", 8192}, {0},
};

static const struct dm_region_array arrays[FDTD2D_ARRAYS] = {
    [FDTD2D_EX] = {.name = "ex", .direction = DM_REGION_TO, .offset = 0, .length = 1},
    [FDTD2D_EY] = {.name = "ey", .direction = DM_REGION_TO, .offset = 0, .length = 2},
    [FDTD2D_HZ] = {.name = "hz", .direction = DM_REGION_TO, .offset = -1, .length = 3},
    [FDTD2D_EY_NEW] = {.name = "ey_new", .direction = DM_REGION_SCRATCH, .offset = 0, .length = 2},
    [FDTD2D_EX_NEW] = {.name = "ex_new", .direction = DM_REGION_SCRATCH, .offset = 0, .length = 1},
    [FDTD2D_HZ_NEW] = {.name = "hz_new", .direction = DM_REGION_FROM, .offset = 0, .length = 1},
};

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, 3, 1u << 20, 1);
    long n = (long)benchmark->size;
    benchmark->region = dm_region_make("fdtd2d", 1, n - 1, fdtd2d_launch, NULL);
    benchmark->region.ordered = true;
    for (int a = 0; a < FDTD2D_ARRAYS; a++) {
        struct dm_region_array array = arrays[a];
        array.split = DM_REGION_ROWS;
        array.slices = n;
        array.slice_bytes = benchmark->size * sizeof(float);
        array.rows = 1;
        dm_region_add(&benchmark->region, array);
    }
    benchmark->flops = fdtd2d_flops((double)n);
    benchmark->kernel_bytes = fdtd2d_bytes((double)n);
}

static void reference(const void *shape, float *const *inputs, float *expected)
{
    fdtd2d_reference(inputs[FDTD2D_EX], inputs[FDTD2D_EY], inputs[FDTD2D_HZ],
                     *(const struct fdtd2d_shape *)shape, expected);
}

static void create(struct benchmark *benchmark)
{
    struct fdtd2d_shape shape = {(long)benchmark->size};
    multi_in_create(benchmark, &shape, sizeof shape,
                    (struct multi_in_method){.reference = reference, .tolerance = 1e-5});
}

const struct benchmark_kind fdtd2d_benchmark = {
    .name = "fdtd2d",
    .meaning = "a time step of a finite-difference method on size x size points, in three "
               "dependent kernels, split by rows",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = multi_in_release,
    .reset = multi_in_reset,
    .errors = multi_in_errors,
};
