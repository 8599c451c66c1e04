/* The arrays for cuSPARSE: a product computed from them by the rules of the formats is the
 * reference product. */
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "spmv/bench/reference.h"
#include "spmv/bench/generate.h"
#include "spmv/bench/cusparse_arrays.h"
#include "tests/unit/test_status.h"

static double value_at(const struct spmv_arrays *arrays, bool is_double, int64_t k)
{
    return is_double ? ((const double *)arrays->value)[k] : ((const float *)arrays->value)[k];
}

static void multiply_csr(const struct spmv_arrays *arrays, bool is_double, int64_t rows,
                         const double *x, double *y)
{
    for (int64_t row = 0; row < rows; row++) {
        y[row] = 0;
        for (int32_t k = arrays->starts[row]; k < arrays->starts[row + 1]; k++)
            y[row] += value_at(arrays, is_double, k) * x[arrays->column[k]];
    }
}

/* Entry j of row r of a slice stands at start + 32 j + r; column -1 is none. */
static void multiply_slices(const struct spmv_arrays *arrays, bool is_double, int64_t rows,
                            const double *x, double *y)
{
    for (int64_t row = 0; row < rows; row++) {
        int64_t slice = row / 32;
        y[row] = 0;
        for (int64_t k = arrays->starts[slice] + row % 32; k < arrays->starts[slice + 1]; k += 32)
            if (arrays->column[k] != -1)
                y[row] += value_at(arrays, is_double, k) * x[arrays->column[k]];
    }
}

static int64_t count_padding(const struct spmv_arrays *arrays)
{
    int64_t padding = 0;
    for (int64_t k = 0; k < arrays->stored; k++)
        padding += arrays->column[k] == -1;
    return padding;
}

static double ratio_of(const struct spmv_coo *coo, const struct spmv_arrays *arrays, bool is_double,
                       bool is_sliced)
{
    double *x = allocate_or_fail((size_t)coo->columns, sizeof *x);
    double *y = allocate_or_fail(3 * (size_t)coo->rows, sizeof *y);
    double *exact = y + coo->rows, *magnitude = exact + coo->rows;
    random_fill_double(x, (size_t)coo->columns, 5);
    sparse_reference(coo, 1, x, 0, exact, magnitude);
    if (is_sliced)
        multiply_slices(arrays, is_double, coo->rows, x, y);
    else
        multiply_csr(arrays, is_double, coo->rows, x, y);
    double ratio = sparse_error_ratio(coo, y, true, exact, magnitude);
    free(x);
    free(y);
    return is_double ? ratio : ratio / 0x1p29; /* floats have 29 bits less */
}

static void test_matrix(const char *name, enum spmv_precision precision)
{
    bool is_double = precision == SPMV_DOUBLE;
    struct spmv_options options = {.precision = precision};
    struct spmv_arrays entries = {0}, slices = {0};
    struct spmv_coo coo;
    printf("# %s\n", name);
    expect_ok(sparse_matrix_of(&coo, name, 7));
    spmv_arrays_entries(&entries, &coo, precision);
    expect_ok(spmv_arrays_slices(&slices, &coo, &options));
    expect(ratio_of(&coo, &entries, is_double, false) <= 1);
    expect(ratio_of(&coo, &slices, is_double, true) <= 1);
    expect(entries.stored == coo.entries);
    expect(slices.stored - count_padding(&slices) == coo.entries);
    expect(slices.starts[slices.slices] == slices.stored);
    spmv_arrays_free(&entries);
    spmv_arrays_free(&slices);
    spmv_coo_close(&coo);
}

static void arrays_hold_the_matrix(void)
{
    static const char *const names[] = {"pde:1",     "pde:5",         "power:100",   "dense_row:70",
                                        "fem:2",     "empty_rows:97", "diagonal:64", "diagonal:65",
                                        "random:90", "rectangular:40"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_matrix(names[i], SPMV_DOUBLE);
        test_matrix(names[i], SPMV_FLOAT);
    }
}

/* One row of 200 makes its slice of 32 rows that wide. */
static void padding_beyond_the_limit_is_refused(void)
{
    struct spmv_arrays slices = {0};
    struct spmv_coo coo;
    struct spmv_options options = {.precision = SPMV_DOUBLE, .memory_limit = 32 * 200 * 12};
    expect_ok(sparse_matrix_of(&coo, "dense_row:200", 7));
    expect_error(spmv_arrays_slices(&slices, &coo, &options), DM_NO_MEMORY, "GB, and the limit is");
    spmv_arrays_free(&slices);
    spmv_coo_close(&coo);
}

int main(void)
{
    run_test(arrays_hold_the_matrix);
    run_test(padding_beyond_the_limit_is_refused);
    return end_tests();
}
