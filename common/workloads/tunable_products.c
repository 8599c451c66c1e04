#include "tunable_products.h"

enum { SMALLEST = 1, LARGEST = 2048 }; /* the CPU needs seconds for 2048 */

static void add_matrix(struct tunable *tunable, const char *name, enum tunable_role role)
{
    tunable_add_array(tunable, name, tunable->size * tunable->size, role);
}

static void describe_gemm(struct tunable *tunable)
{
    add_matrix(tunable, "A", TUNABLE_READ);
    add_matrix(tunable, "B", TUNABLE_READ);
    add_matrix(tunable, "C", TUNABLE_UPDATED);
    tunable->flops = gemm_flops((double)tunable->size);
    tunable->terms = (double)tunable->size;
}

static void describe_mm2(struct tunable *tunable)
{
    double n = (double)tunable->size;
    add_matrix(tunable, "A", TUNABLE_READ);
    add_matrix(tunable, "B", TUNABLE_READ);
    add_matrix(tunable, "C", TUNABLE_READ);
    add_matrix(tunable, "D", TUNABLE_UPDATED);
    add_matrix(tunable, "AB", TUNABLE_WRITTEN);
    tunable->flops = gemm_flops(n) + matmul_flops(n);
    tunable->terms = 2.0 * n;
}

/* Elements of G are sums of n products of sums of n products, of magnitude n sqrt(n) / 9. Roundings
 * in single precision add up to about sqrt(n) * 2^-24 of that, also in elements that happen to be
 * small; six times as much is 1e-6 * n^2 / 25. (In 2mm a matrix less makes it less than 2e-6 * n.)
 */
static void describe_mm3(struct tunable *tunable)
{
    double n = (double)tunable->size;
    add_matrix(tunable, "A", TUNABLE_READ);
    add_matrix(tunable, "B", TUNABLE_READ);
    add_matrix(tunable, "C", TUNABLE_READ);
    add_matrix(tunable, "D", TUNABLE_READ);
    add_matrix(tunable, "AB", TUNABLE_WRITTEN);
    add_matrix(tunable, "CD", TUNABLE_WRITTEN);
    add_matrix(tunable, "G", TUNABLE_WRITTEN);
    tunable->flops = 3.0 * matmul_flops(n);
    tunable->terms = 2.0 * n + n * n / 25.0;
}

static void describe_syrk(struct tunable *tunable)
{
    add_matrix(tunable, "A", TUNABLE_READ);
    add_matrix(tunable, "C", TUNABLE_UPDATED);
    tunable->flops = gemm_flops((double)tunable->size);
    tunable->terms = (double)tunable->size;
}

static void describe_syr2k(struct tunable *tunable)
{
    double n = (double)tunable->size;
    add_matrix(tunable, "A", TUNABLE_READ);
    add_matrix(tunable, "B", TUNABLE_READ);
    add_matrix(tunable, "C", TUNABLE_UPDATED);
    tunable->flops = gemm_flops(n) + matmul_flops(n);
    tunable->terms = 2.0 * n;
}

/* tiny is odd so that blocks do not divide it; a launch of small takes the software GPU 0.1 to 0.3
 * ms. */
static const struct tunable_dataset gemm_sizes[] = {
    {"tiny", 33}, {"small", 64}, {"full", 512}, {0}};
static const struct tunable_dataset mm2_sizes[] = {{"tiny", 31}, {"small", 48}, {"full", 384}, {0}};
static const struct tunable_dataset mm3_sizes[] = {{"tiny", 29}, {"small", 40}, {"full", 384}, {0}};
static const struct tunable_dataset syrk_sizes[] = {
    {"tiny", 35}, {"small", 64}, {"full", 384}, {0}};
static const struct tunable_dataset syr2k_sizes[] = {
    {"tiny", 37}, {"small", 64}, {"full", 384}, {0}};

#define DIVIDED                                                                                    \
    "; x of the block divides the columns of each product, y its rows; size: rows and "            \
    "columns of the matrices"

const struct tunable_kind gemm_tunable = {.name = "gemm",
                                          .meaning = "C = alpha A B + beta C" DIVIDED,
                                          .datasets = gemm_sizes,
                                          .smallest = SMALLEST,
                                          .largest = LARGEST,
                                          .describe = describe_gemm,
                                          .launch = gemm_tunable_launch,
                                          .reference = gemm_tunable_reference};
const struct tunable_kind mm2_tunable = {
    .name = "2mm",
    .meaning = "D = alpha A B C + beta D in two launches, A B first" DIVIDED,
    .datasets = mm2_sizes,
    .smallest = SMALLEST,
    .largest = LARGEST,
    .describe = describe_mm2,
    .launch = mm2_tunable_launch,
    .reference = mm2_tunable_reference};
const struct tunable_kind mm3_tunable = {.name = "3mm",
                                         .meaning = "G = (A B) (C D) in three launches" DIVIDED,
                                         .datasets = mm3_sizes,
                                         .smallest = SMALLEST,
                                         .largest = LARGEST,
                                         .describe = describe_mm3,
                                         .launch = mm3_tunable_launch,
                                         .reference = mm3_tunable_reference};
const struct tunable_kind syrk_tunable = {.name = "syrk",
                                          .meaning =
                                              "C = alpha A A' + beta C, both triangles" DIVIDED,
                                          .datasets = syrk_sizes,
                                          .smallest = SMALLEST,
                                          .largest = LARGEST,
                                          .describe = describe_syrk,
                                          .launch = syrk_tunable_launch,
                                          .reference = syrk_tunable_reference};
const struct tunable_kind syr2k_tunable = {
    .name = "syr2k",
    .meaning = "C = alpha (A B' + B A') + beta C, both triangles" DIVIDED,
    .datasets = syr2k_sizes,
    .smallest = SMALLEST,
    .largest = LARGEST,
    .describe = describe_syr2k,
    .launch = syr2k_tunable_launch,
    .reference = syr2k_tunable_reference};
