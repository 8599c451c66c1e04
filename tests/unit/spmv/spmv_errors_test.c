/* spmv_errors_test.c: each error of the public functions that no other test has, and what takes
 * NULL or nothing. */
#include <stdlib.h>

#include <datamotion/spmv.h>

#include "tests/unit/test_status.h"

/* Two rows, one entry each. */
static struct spmv_coo two_rows(void)
{
    struct spmv_coo coo;
    expect_ok(spmv_coo_open(&coo, 2, 2, 2));
    expect_ok(spmv_coo_add(&coo, 0, 1, 3));
    expect_ok(spmv_coo_add(&coo, 1, 0, 1e300));
    expect_ok(spmv_coo_finish(&coo));
    return coo;
}

static void lists(void)
{
    struct spmv_coo coo = two_rows(), part;
    expect_error(spmv_coo_add(&coo, 2, 0, 1), DM_INVALID, "outside a matrix of 2 x 2");
    expect_error(spmv_coo_rows(&part, &coo, 1, 2), DM_INVALID, "2 rows from row 1 on");
    expect(!part.row);
    expect_error(spmv_coo_fits_float(&coo), DM_INVALID, "row 2, column 1 holds 1e+300");
    spmv_coo_close(&coo);
    spmv_coo_close(&coo);
    spmv_coo_close(NULL);
}

static void formats(void)
{
    struct spmv_coo coo = two_rows(), back;
    struct spmv_matrix matrix, other;
    const struct spmv_options hacks = {.precision = SPMV_DOUBLE, .hack_rows = 48};
    const struct spmv_options small = {.precision = SPMV_DOUBLE, .memory_limit = 16};
    double x[2] = {1, 1}, y[2];
    expect_error(spmv_matrix_create(&matrix, SPMV_FORMATS, &coo, NULL), DM_INVALID,
                 "formats 0 to 6");
    expect_error(spmv_matrix_create(&matrix, SPMV_HLL, &coo, &hacks), DM_INVALID,
                 "48 rows per hack");
    expect_error(spmv_matrix_create(&matrix, SPMV_CSR, &coo, &small), DM_NO_MEMORY, "the limit is");
    expect(!matrix.host && !matrix.operations);
    expect_ok(spmv_matrix_create(&matrix, SPMV_CSR, &coo, NULL));
    expect_error(spmv_multiply_device(&matrix, 1, x, 0, y, NULL), DM_INVALID,
                 "spmv_matrix_to_device");
    expect_ok(spmv_matrix_to_device(&matrix));
    expect_ok(spmv_matrix_to_device(&matrix));
    expect_error(spmv_matrix_convert_device(&other, SPMV_FORMATS, &matrix, NULL), DM_INVALID,
                 "formats 0 to 6");
    expect_ok(spmv_matrix_convert_device(&other, SPMV_ELL, &matrix, NULL));
    expect_error(spmv_multiply(&other, 1, x, 0, y), DM_INVALID, "lies on the device alone");
    expect_error(spmv_matrix_change(&other, SPMV_CSR), DM_INVALID, "lies on the device alone");
    expect_error(spmv_matrix_to_coo(&other, &back), DM_INVALID, "lies on the device alone");
    expect(!back.row);
    spmv_matrix_release(&other);
    spmv_matrix_release(&other);
    spmv_matrix_release(&matrix);
    spmv_matrix_release(NULL);
    spmv_coo_close(&coo);
}

static void names(void)
{
    expect(strcmp(spmv_format_name(SPMV_CSR), "csr") == 0);
    expect(strcmp(spmv_format_name(SPMV_FORMATS), "unknown") == 0);
    expect(strcmp(spmv_format_meaning((enum spmv_format) - 1), "") == 0);
    expect(spmv_format_meaning(SPMV_HYB)[0] != '\0');
    expect(spmv_format_of("dense") == SPMV_FORMATS);
}

static void hybrid(void)
{
    struct spmv_coo coo = two_rows();
    struct spmv_hybrid *hybrid;
    expect_error(spmv_hybrid_open(&hybrid, &coo, 3, SPMV_HLL, NULL), DM_INVALID,
                 "3 rows of a matrix");
    expect(!hybrid);
    expect_error(spmv_hybrid_open(&hybrid, &coo, 1, SPMV_FORMATS, NULL), DM_INVALID,
                 "formats 0 to 6");
    expect(!hybrid);
    spmv_hybrid_close(NULL);
    spmv_coo_close(&coo);
}

int main(void)
{
    run_test(lists);
    run_test(formats);
    run_test(names);
    run_test(hybrid);
    return end_tests();
}
