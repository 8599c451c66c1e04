#include "gemm_check.h"

static void reference(const void *shape, float *const *arrays, float *expected)
{
    gemm_reference(arrays[GEMM_A], arrays[GEMM_B], arrays[GEMM_C],
                   *(const struct gemm_shape *)shape, expected);
}

static void expected_sums(const void *shape, float *const *arrays, float *expected)
{
    gemm_expected_sums(arrays[GEMM_A], arrays[GEMM_B], arrays[GEMM_C],
                       *(const struct gemm_shape *)shape, expected);
}

static long wrong_sums(const void *shape, const float *result, const float *expected)
{
    return gemm_wrong_sums(result, expected, *(const struct gemm_shape *)shape);
}

void gemm_check_create(struct benchmark *benchmark, struct gemm_shape shape)
{
    struct multi_in_method by_element = {.reference = reference, .tolerance = 5e-5};
    struct multi_in_method by_row = {
        .reference = expected_sums, .expected_count = (size_t)shape.n, .count_wrong = wrong_sums};
    multi_in_create(benchmark, &shape, sizeof shape,
                    shape.n <= GEMM_REFERENCE_LIMIT ? by_element : by_row);
}
