/* The layout of ELL, ELG, HLL and HYB: where values lie, how much is padded, what is refused. All
 * numbers are small integers, so that products are exact in both precisions and any order. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "spmv/formats/ell.h"
#include "spmv/formats/hll.h"
#include "spmv/formats/hyb.h"
#include "tests/unit/test_status.h"

enum { SEED = 5, COLUMNS = 3000 };
static const enum spmv_format padded_formats[] = {SPMV_ELL, SPMV_ELG, SPMV_HLL, SPMV_HYB};
enum { PADDED_FORMATS = sizeof padded_formats / sizeof *padded_formats };

/* ---- matrices of given row lengths ---- */

static double small_integer(uint64_t i)
{
    return (double)random_below(SEED, i, 15) - 7;
}

/* Entry j of row i is in column (i + 2 j) % COLUMNS, at most COLUMNS / 2 of them. */
static void with_lengths(struct spmv_coo *coo, int64_t rows, const int64_t *length)
{
    bool done = spmv_coo_open(coo, rows, COLUMNS, 0) == DM_OK;
    for (int64_t i = 0; i < rows && done; i++)
        for (int64_t j = 0; j < length[i] && done; j++)
            done = spmv_coo_add(coo, i, (i + 2 * j) % COLUMNS,
                                small_integer((uint64_t)(i * COLUMNS + j))) == DM_OK;
    if (!done || spmv_coo_finish(coo) != DM_OK)
        fail("%s", dm_message());
}

static void with_random_lengths(struct spmv_coo *coo, int64_t rows, uint64_t longest, uint64_t seed)
{
    int64_t *length = allocate_or_fail((unsigned long)rows, sizeof *length);
    for (int64_t i = 0; i < rows; i++) /* a third of the rows is empty */
        length[i] = random_below(seed, (uint64_t)i, 3) == 0
                        ? 0
                        : (int64_t)random_below(seed + 1, (uint64_t)i, longest + 1);
    with_lengths(coo, rows, length);
    free(length);
}

static int64_t length_of(const struct spmv_coo *coo, int64_t row)
{
    int64_t length = 0;
    for (int64_t k = 0; k < coo->entries; k++)
        length += coo->row[k] == row;
    return length;
}

static struct spmv_matrix create(enum spmv_format format, const struct spmv_coo *coo,
                                 const struct spmv_options *options)
{
    struct spmv_matrix matrix;
    if (spmv_matrix_create(&matrix, format, coo, options) != DM_OK)
        fail("%s", dm_message());
    return matrix;
}

/* ---- products ---- */

static int64_t wrong_in(const struct spmv_coo *coo, const double *x, double beta,
                        const double *before, const void *result, enum spmv_precision precision)
{
    double *exact = allocate_or_fail((unsigned long)coo->rows, sizeof *exact);
    int64_t wrong = 0;
    for (int64_t i = 0; i < coo->rows; i++)
        exact[i] = beta == 0 ? 0 : beta * before[i];
    for (int64_t k = 0; k < coo->entries; k++)
        exact[coo->row[k]] += 2 * coo->value[k] * x[coo->column[k]];
    for (int64_t i = 0; i < coo->rows; i++)
        wrong += sparse_value_at(result, precision, i) != exact[i];
    free(exact);
    return wrong;
}

/* Rows of y <- 2 A x + beta y that are wrong, on the host and on the device together. With beta 0,
 * y is NaN before. */
static int64_t wrong_rows(struct spmv_matrix *matrix, const struct spmv_coo *coo, const double *x,
                          double beta)
{
    enum spmv_precision precision = matrix->options.precision;
    size_t each = spmv_value_bytes(precision), y_bytes = (size_t)coo->rows * each;
    double *before = allocate_or_fail((unsigned long)coo->rows, sizeof *before);
    void *y = allocate_or_fail((unsigned long)coo->rows, each);
    void *x_copy = allocate_or_fail((unsigned long)coo->columns, each);
    for (int64_t i = 0; i < coo->rows; i++)
        before[i] = beta == 0 ? NAN : small_integer((uint64_t)i);
    for (int64_t i = 0; i < coo->rows; i++)
        sparse_value_set(y, precision, i, before[i]);
    for (int64_t i = 0; i < coo->columns; i++)
        sparse_value_set(x_copy, precision, i, x[i]);
    void *device_x, *device_y;
    if (sparse_device_copy(&device_x, x_copy, (size_t)coo->columns * each) != DM_OK ||
        sparse_device_copy(&device_y, y, y_bytes) != DM_OK ||
        spmv_matrix_to_device(matrix) != DM_OK)
        fail("no device memory");

    expect_ok(spmv_multiply(matrix, 2, x_copy, beta, y));
    int64_t wrong = wrong_in(coo, x, beta, before, y, precision);
    expect_ok(spmv_multiply_device(matrix, 2, device_x, beta, device_y, NULL));
    check_cuda(cudaMemcpy(y, device_y, y_bytes, cudaMemcpyDeviceToHost));
    wrong += wrong_in(coo, x, beta, before, y, precision);

    sparse_device_release(device_x);
    sparse_device_release(device_y);
    free(before);
    free(y);
    free(x_copy);
    return wrong;
}

static int64_t wrong_products(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    double x[COLUMNS];
    for (int64_t i = 0; i < COLUMNS; i++)
        x[i] = small_integer((uint64_t)i + 99);
    return wrong_rows(matrix, coo, x, 0) + wrong_rows(matrix, coo, x, -1);
}

/* ---- ELL and ELG ---- */

static const int64_t few_lengths[] = {2, 0, 4, 1, 3};
enum { FEW = sizeof few_lengths / sizeof *few_lengths };

/* Value j of row i of a rectangle is that entry, or padding. */
static bool is_at(const struct spmv_coo *coo, const int32_t *column, const double *value,
                  int64_t at, int64_t row, int64_t j)
{
    int64_t first = 0;
    while (first < coo->entries && coo->row[first] < row)
        first++;
    if (j >= length_of(coo, row))
        return column[at] == -1 && value[at] == 0;
    return column[at] == coo->column[first + j] && value[at] == coo->value[first + j];
}

static void ell_is_a_rectangle_column_after_column(void)
{
    struct spmv_coo coo;
    with_lengths(&coo, FEW, few_lengths);
    struct spmv_matrix matrix = create(SPMV_ELL, &coo, NULL);
    const struct sparse_ell *ell = matrix.host;
    expect(ell->width == 4);
    expect(ell->pitch == 32);
    expect(!ell->length);
    expect(matrix.stored == 128);
    expect(matrix.value_bytes == 128 * sizeof(double));
    expect(matrix.index_bytes == 128 * sizeof(int32_t));
    for (int64_t i = 0; i < FEW; i++)
        for (int64_t j = 0; j < 4; j++)
            expect(is_at(&coo, ell->column, ell->value, j * 32 + i, i, j));
    spmv_matrix_release(&matrix);
    spmv_coo_close(&coo);
}

static void elg_knows_the_lengths(void)
{
    struct spmv_coo coo;
    with_lengths(&coo, FEW, few_lengths);
    struct spmv_matrix matrix = create(SPMV_ELG, &coo, NULL);
    const struct sparse_ell *ell = matrix.host;
    expect(matrix.stored == 128);
    expect(matrix.index_bytes == (128 + 32) * sizeof(int32_t));
    for (int64_t i = 0; i < 32; i++)
        expect(ell->length[i] == (i < FEW ? few_lengths[i] : 0));
    spmv_matrix_release(&matrix);
    spmv_coo_close(&coo);
}

/* Padding of a row must not meet an infinite element of x that the row has nothing to do with. */
static void infinite_x_spoils_only_rows_that_use_it(void)
{
    struct spmv_coo coo;
    with_lengths(&coo, FEW, few_lengths);
    double x[COLUMNS];
    for (int64_t i = 0; i < COLUMNS; i++)
        x[i] = coo.column[0] == i || coo.column[1] == i || i > 9 ? INFINITY : 1;
    for (int f = 0; f < PADDED_FORMATS; f++) {
        struct spmv_matrix matrix = create(padded_formats[f], &coo, NULL);
        double y[FEW];
        expect_ok(spmv_multiply(&matrix, 1, x, 0, y));
        for (int64_t i = 0; i < FEW; i++) {
            double sum = 0;
            for (int64_t k = 0; k < coo.entries; k++)
                sum += coo.row[k] == i ? coo.value[k] * x[coo.column[k]] : 0;
            expect(y[i] == sum || (isnan(y[i]) && isnan(sum)));
        }
        expect(y[1] == 0);
        spmv_matrix_release(&matrix);
    }
    spmv_coo_close(&coo);
}

/* ---- HLL ---- */

static void check_hacks(const struct spmv_coo *coo, const struct spmv_matrix *matrix,
                        int64_t hack_rows)
{
    const struct sparse_hll *hll = matrix->host;
    int64_t hacks = (coo->rows + hack_rows - 1) / hack_rows, start = 0;
    expect(hll->hack_rows == hack_rows);
    expect(hll->starts.count == hacks);
    for (int64_t hack = 0; hack < hacks; hack++) {
        int64_t width = 0;
        expect(sparse_start(&hll->starts, hack) == start);
        for (int64_t row = hack * hack_rows; row < (hack + 1) * hack_rows; row++) {
            int64_t length = length_of(coo, row);
            expect(hll->length[row] == length);
            width = length > width ? length : width;
        }
        expect(sparse_hll_width(hll, hack) == width);
        for (int64_t row = hack * hack_rows; row < (hack + 1) * hack_rows; row++)
            for (int64_t j = 0; j < width; j++)
                expect(is_at(coo, hll->column, hll->value, start + j * hack_rows + row % hack_rows,
                             row, j));
        start += width * hack_rows;
    }
    expect(sparse_start(&hll->starts, hacks) == start);
    expect(matrix->stored == start);
    expect(matrix->value_bytes == (size_t)start * sizeof(double));
    size_t each_start = matrix->options.wide_starts ? sizeof(int64_t) : sizeof(int32_t);
    expect(matrix->index_bytes == (size_t)(start + hacks * hack_rows) * sizeof(int32_t) +
                                      (size_t)(hacks + 1) * each_start);
}

static void hll_is_a_rectangle_per_hack(void)
{
    struct spmv_coo coo;
    with_random_lengths(&coo, 150, 9, SEED);
    for (int wide = 0; wide < 2; wide++)
        for (int hack_rows = 0; hack_rows <= 96; hack_rows += 32) {
            struct spmv_options options = {
                .precision = SPMV_DOUBLE, .hack_rows = hack_rows, .wide_starts = wide};
            struct spmv_matrix matrix = create(SPMV_HLL, &coo, &options);
            check_hacks(&coo, &matrix, hack_rows > 0 ? hack_rows : 32);
            expect(wrong_products(&matrix, &coo) == 0);
            spmv_matrix_release(&matrix);
        }
    spmv_coo_close(&coo);
}

static void hll_refuses_hacks_that_are_no_warps(void)
{
    static const int bad[] = {-32, 1, 33, 48};
    struct spmv_coo coo;
    with_lengths(&coo, FEW, few_lengths);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spmv_options options = {.precision = SPMV_DOUBLE, .hack_rows = bad[i]};
        struct spmv_matrix matrix;
        expect_error(spmv_matrix_create(&matrix, SPMV_HLL, &coo, &options), DM_INVALID,
                     "a multiple of 32");
    }
    spmv_coo_close(&coo);
}

/* A device cuts rows that are longer than SPARSE_HLL_SEGMENT; here at and around its multiples. */
static void hll_cuts_long_rows_on_the_device(void)
{
    enum { ROWS = 100, S = SPARSE_HLL_SEGMENT };
    static const int64_t longs[] = {S - 1, S, S + 1, 2 * S, 2 * S + 1, 5 * S + 3};
    int64_t length[ROWS];
    for (int64_t i = 0; i < ROWS; i++)
        length[i] = i % 9 == 0 ? longs[i / 9 % 6] : i % 4;
    struct spmv_coo coo;
    with_lengths(&coo, ROWS, length);
    for (int i = 0; i < 4; i++) {
        struct spmv_options options = {.precision = i % 2 ? SPMV_DOUBLE : SPMV_FLOAT,
                                       .hack_rows = i < 2 ? 32 : 64,
                                       .wide_starts = i == 3};
        struct spmv_matrix matrix = create(SPMV_HLL, &coo, &options);
        expect(wrong_products(&matrix, &coo) == 0);
        const struct sparse_hll *device = matrix.device;
        expect(device->segment_count > 0);
        spmv_matrix_release(&matrix);
    }
    spmv_coo_close(&coo);
}

/* ---- HYB ---- */

static void check_cut(const struct spmv_coo *coo)
{
    struct sparse_hyb_cut cut = sparse_hyb_cut(coo);
    int64_t filling = 0, more = 0, rest = 0;
    for (int64_t i = 0; i < coo->rows; i++) {
        int64_t length = length_of(coo, i);
        filling += length >= cut.width;
        more += length > cut.width;
        rest += length > cut.width ? length - cut.width : 0;
    }
    expect(3 * filling >= coo->rows);
    expect(3 * more < coo->rows); /* one wider, and fewer than a third would fill it */
    expect(cut.rest == rest);
    struct spmv_matrix matrix = create(SPMV_HYB, coo, NULL);
    expect(matrix.stored == sparse_ell_pitch(coo->rows) * cut.width + rest);
    expect(matrix.value_bytes == (size_t)matrix.stored * sizeof(double));
    expect(matrix.index_bytes == (size_t)(matrix.stored + rest) * sizeof(int32_t));
    expect(wrong_products(&matrix, coo) == 0);
    spmv_matrix_release(&matrix);
}

static void hyb_rectangle_is_filled_by_a_third(void)
{
    int64_t length[90];
    struct spmv_coo coo;
    for (int longs = 29; longs <= 31; longs++) {
        for (int i = 0; i < 90; i++)
            length[i] = i < longs ? 5 : 2;
        with_lengths(&coo, 90, length);
        expect(sparse_hyb_cut(&coo).width == (longs < 30 ? 2 : 5));
        check_cut(&coo);
        spmv_coo_close(&coo);
    }
    for (uint64_t seed = 1; seed <= 6; seed++) {
        with_random_lengths(&coo, 100, seed * seed, seed);
        check_cut(&coo);
        spmv_coo_close(&coo);
    }
}

/* ---- all ---- */

static void random_lengths_give_right_products(void)
{
    static const int64_t rows[] = {1, 31, 32, 33, 300, 1025};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spmv_coo coo;
        with_random_lengths(&coo, rows[i], 20, i + 40);
        for (int f = 0; f < 2 * PADDED_FORMATS; f++) {
            struct spmv_options options = {.precision = f % 2 ? SPMV_FLOAT : SPMV_DOUBLE};
            struct spmv_matrix matrix = create(padded_formats[f / 2], &coo, &options);
            expect(wrong_products(&matrix, &coo) == 0);
            spmv_matrix_release(&matrix);
        }
        spmv_coo_close(&coo);
    }
}

static void a_matrix_without_entries_scales_y(void)
{
    struct spmv_coo coo;
    int64_t length[40] = {0};
    with_lengths(&coo, 40, length);
    for (int f = 0; f < PADDED_FORMATS; f++) {
        struct spmv_matrix matrix = create(padded_formats[f], &coo, NULL);
        struct spmv_coo back;
        expect(matrix.stored == 0);
        expect(wrong_products(&matrix, &coo) == 0);
        expect_ok(spmv_matrix_to_coo(&matrix, &back));
        expect(back.entries == 0);
        spmv_coo_close(&back);
        spmv_matrix_release(&matrix);
    }
    spmv_coo_close(&coo);
}

/* 4000 rows of two entries and one of 1500: 72 MB as a rectangle, under 2 MB in hacks. */
static void a_dense_row_is_refused_by_ell_alone(void)
{
    enum { ROWS = 4001 };
    static int64_t length[ROWS];
    for (int64_t i = 0; i < ROWS; i++)
        length[i] = i == 1234 ? COLUMNS / 2 : 2;
    struct spmv_coo coo;
    with_lengths(&coo, ROWS, length);
    struct spmv_options options = {.precision = SPMV_DOUBLE, .memory_limit = 2 << 20};
    for (int f = 0; f < PADDED_FORMATS; f++) {
        struct spmv_matrix matrix;
        bool is_rectangle = padded_formats[f] == SPMV_ELL || padded_formats[f] == SPMV_ELG;
        bool done = spmv_matrix_create(&matrix, padded_formats[f], &coo, &options) == DM_OK;
        expect(done == !is_rectangle);
        if (is_rectangle)
            expect(strstr(dm_message(), sparse_operations[padded_formats[f]]->name) &&
                   strstr(dm_message(), "needs 0.07") && strstr(dm_message(), "GB"));
        else
            expect(wrong_products(&matrix, &coo) == 0);
        if (done)
            spmv_matrix_release(&matrix);
    }
    spmv_coo_close(&coo);
}

int main(void)
{
#if defined(__SANITIZE_THREAD__)
    omp_set_num_threads(1); /* OpenMP's run time is not instrumented */
#else
    omp_set_num_threads(3);
#endif
    run_test(ell_is_a_rectangle_column_after_column);
    run_test(elg_knows_the_lengths);
    run_test(infinite_x_spoils_only_rows_that_use_it);
    run_test(hll_is_a_rectangle_per_hack);
    run_test(hll_refuses_hacks_that_are_no_warps);
    run_test(hll_cuts_long_rows_on_the_device);
    run_test(hyb_rectangle_is_filled_by_a_third);
    run_test(random_lengths_give_right_products);
    run_test(a_matrix_without_entries_scales_y);
    run_test(a_dense_row_is_refused_by_ell_alone);
    return end_tests();
}
