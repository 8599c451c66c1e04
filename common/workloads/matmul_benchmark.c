#include "gemm.h"
#include "gemm_check.h"
#include "in_out.h"

/* Others by number: 1024 to 16384. */
static const struct benchmark_dataset datasets[] = {
    {"tiny", 64}, {"small", 256}, {"default", 4096}, {"gib", 9440}, {0},
};

static void describe_with(struct benchmark *benchmark, dm_region_launch *launch)
{
    in_out_check_size(benchmark, GEMM_TILE, 1u << 20, GEMM_TILE);
    size_t n = benchmark->size, row = n * sizeof(float);
    struct dm_region_array a = {.name = "A",
                                .direction = DM_REGION_TO,
                                .split = DM_REGION_COLUMNS,
                                .slices = (long)(n / GEMM_TILE),
                                .slice_bytes = GEMM_TILE * sizeof(float),
                                .rows = n,
                                .pitch_bytes = row,
                                .length = 1};
    struct dm_region_array b = {.name = "B",
                                .direction = DM_REGION_TO,
                                .split = DM_REGION_ROWS,
                                .slices = a.slices,
                                .slice_bytes = GEMM_TILE * row,
                                .rows = 1,
                                .length = 1};
    struct dm_region_array c = {.name = "C",
                                .direction = DM_REGION_FROM,
                                .split = DM_REGION_WHOLE,
                                .slices = 1,
                                .slice_bytes = n * row,
                                .rows = 1,
                                .length = 1};
    benchmark->region = dm_region_make(benchmark->kind->name, 0, a.slices, launch, NULL);
    benchmark->region.ordered = true;
    dm_region_add(&benchmark->region, a);
    dm_region_add(&benchmark->region, b);
    dm_region_add(&benchmark->region, c);
    benchmark->flops = matmul_flops((double)n);
    benchmark->kernel_bytes = matmul_bytes((double)n);
}

static void describe_tiles(struct benchmark *benchmark)
{
    describe_with(benchmark, matmul_launch);
}

static void describe_naive(struct benchmark *benchmark)
{
    describe_with(benchmark, matmul_naive_launch);
}

static void create(struct benchmark *benchmark)
{
    gemm_check_create(benchmark, (struct gemm_shape){(long)benchmark->size, 1.0f, 0.0f});
}

const struct benchmark_kind matmul_benchmark = {
    .name = "matmul",
    .meaning = "C = A B of size x size in tiles in shared memory, A split into panels of 32 "
               "columns and B into slices of 32 rows",
    .datasets = datasets,
    .describe = describe_tiles,
    .create = create,
    .release = multi_in_release,
    .reset = multi_in_reset,
    .errors = multi_in_errors,
};

const struct benchmark_kind matmul_naive_benchmark = {
    .name = "matmul_naive",
    .meaning = "C = A B as matmul, with a thread for each element of C",
    .datasets = datasets,
    .describe = describe_naive,
    .create = create,
    .release = multi_in_release,
    .reset = multi_in_reset,
    .errors = multi_in_errors,
};
