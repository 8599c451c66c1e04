#include <string.h>

#include "in_out.h"
#include "multi_in.h"
#include "qcd.h"

/* small, medium and large are Cui's (3.3.1). */
static const struct benchmark_dataset datasets[] = {
    {"tiny", 4}, {"small", 12}, {"medium", 24}, {"large", 36}, {"gib", 38}, {0},
};

static size_t slice_bytes(size_t n, size_t components)
{
    return n * n * n * components * 2 * sizeof(float);
}

static void describe(struct benchmark *benchmark)
{
    in_out_check_size(benchmark, 2, 256, 1);
    size_t n = benchmark->size;
    struct dm_region_array psi = {.name = "psi",
                                  .direction = DM_REGION_TO,
                                  .split = DM_REGION_ROWS,
                                  .slices = (long)n + 2,
                                  .slice_bytes = slice_bytes(n, QCD_SPINOR),
                                  .rows = 1,
                                  .offset = 0,
                                  .length = 3};
    struct dm_region_array links = psi, hop = psi, result;
    links.name = "links", links.slices = (long)n + 1, links.length = 2;
    links.slice_bytes = slice_bytes(n, QCD_LINKS);
    hop.name = "hop", hop.direction = DM_REGION_SCRATCH, hop.slices = (long)n, hop.length = 1;
    result = hop, result.name = "result", result.direction = DM_REGION_FROM;
    benchmark->region = dm_region_make("qcd", 0, (long)n, qcd_launch, NULL);
    dm_region_add(&benchmark->region, psi);
    dm_region_add(&benchmark->region, links);
    dm_region_add(&benchmark->region, hop);
    dm_region_add(&benchmark->region, result);
    benchmark->flops = qcd_flops((double)n);
    benchmark->kernel_bytes = qcd_bytes((double)n);
}

static void fill_ghosts(const void *shape, int array, float *values)
{
    long n = ((const struct qcd_shape *)shape)->n;
    if (array == QCD_PSI)
        qcd_fill_ghosts_of_psi(values, n);
    if (array == QCD_LINK)
        qcd_fill_ghosts_of_links(values, n);
}

static void reference(const void *shape, float *const *arrays, float *expected)
{
    qcd_reference(arrays[QCD_PSI], arrays[QCD_LINK], *(const struct qcd_shape *)shape, expected);
}

static void create(struct benchmark *benchmark)
{
    struct qcd_shape shape = {(long)benchmark->size, 0.125f};
    struct multi_in_method method = {
        .adjust = fill_ghosts, .reference = reference, .tolerance = 1e-5};
    multi_in_create(benchmark, &shape, sizeof shape, method);
}

const struct benchmark_kind qcd_benchmark = {
    .name = "qcd",
    .meaning = "Wilson's lattice operator on size^4 sites, in two kernels, split by time slices",
    .datasets = datasets,
    .describe = describe,
    .create = create,
    .release = multi_in_release,
    .reset = multi_in_reset,
    .errors = multi_in_errors,
};
