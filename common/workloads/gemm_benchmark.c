#include "common/harness/exit.h"

#include "gemm.h"
#include "gemm_check.h"
#include "in_out.h"

static const struct benchmark_dataset datasets[] = {
    {"tiny", 64}, {"small", 256}, {"default", 512}, {"gib", 8192}, {0},
};

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, GEMM_TILE, 1u << 20, GEMM_TILE);
    size_t n = benchmark->size, row = n * sizeof(float);
    struct dm_region_array a = {.name = "A",
                                .direction = DM_REGION_TO,
                                .split = DM_REGION_WHOLE,
                                .slices = 1,
                                .slice_bytes = n * row,
                                .rows = 1,
                                .length = 1};
    struct dm_region_array b = {.name = "B",
                                .direction = DM_REGION_TO,
                                .split = DM_REGION_COLUMNS,
                                .slices = (long)(n / GEMM_TILE),
                                .slice_bytes = GEMM_TILE * sizeof(float),
                                .rows = n,
                                .pitch_bytes = row,
                                .length = 1};
    struct dm_region_array c = b;
    c.name = "C", c.direction = DM_REGION_TOFROM;
    benchmark->region = dm_region_make("gemm", 0, b.slices, gemm_launch, NULL);
    dm_region_add(&benchmark->region, a);
    dm_region_add(&benchmark->region, b);
    dm_region_add(&benchmark->region, c);
    benchmark->flops = gemm_flops((double)n);
    benchmark->kernel_bytes = gemm_bytes((double)n);
}

static void create(struct benchmark *benchmark)
{
    if (benchmark->region.rounds != 1)
        fail("gemm: %ld rounds are impossible, C is input and output of its only one",
             benchmark->region.rounds);
    gemm_check_create(benchmark, (struct gemm_shape){(long)benchmark->size, 1.5f, 0.5f});
}

const struct benchmark_kind gemm_benchmark = {
    .name = "gemm",
    .meaning = "C = alpha A B + beta C of size x size, B and C split into panels of 32 columns",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = multi_in_release,
    .reset = multi_in_reset,
    .errors = multi_in_errors,
};
