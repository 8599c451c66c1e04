/* sparse_test: the list of entries that all formats come from, and the product that all are
 * compared with. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/spmv.h>

#include "common/random.h"

#include "spmv/bench/reference.h"
#include "tests/unit/test_status.h"

static void add_or_note(struct spmv_coo *coo, int64_t row, int64_t column, double value)
{
    expect_ok(spmv_coo_add(coo, row, column, value));
}

/* ---- entries ---- */

static void sizes_out_of_range_are_refused(void)
{
    static const int64_t sizes[][3] = {{0, 1, 0},         {1, 0, 0},         {-1, 1, 0},
                                       {1, 1, -1},        {1LL << 31, 1, 0}, {1, 1LL << 31, 0},
                                       {1, 1, 1LL << 60}, {1, 1, INT64_MAX}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct spmv_coo coo;
        bool is_too_large = sizes[i][2] > 1;
        expect_error(spmv_coo_open(&coo, sizes[i][0], sizes[i][1], sizes[i][2]),
                     is_too_large ? DM_NO_MEMORY : DM_INVALID, "entries");
        expect(!coo.row && !coo.column && !coo.value);
        spmv_coo_close(&coo);
    }
}

static void places_outside_are_refused(void)
{
    struct spmv_coo coo;
    expect_ok(spmv_coo_open(&coo, 3, 4, 0));
    static const int64_t places[][2] = {{3, 0}, {0, 4}, {-1, 0}, {0, -1}, {1LL << 32, 0}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        expect_error(spmv_coo_add(&coo, places[i][0], places[i][1], 1), DM_INVALID,
                     "outside a matrix of 3 x 4");
    }
    expect(coo.entries == 0);
    add_or_note(&coo, 2, 3, 1);
    expect(coo.entries == 1);
    spmv_coo_close(&coo);
}

static void the_largest_sizes_need_no_memory_for_rows(void)
{
    struct spmv_coo coo;
    expect_ok(spmv_coo_open(&coo, INT32_MAX, INT32_MAX, 0));
    add_or_note(&coo, INT32_MAX - 1, INT32_MAX - 1, 3);
    add_or_note(&coo, INT32_MAX - 1, 0, 2);
    add_or_note(&coo, 0, INT32_MAX - 1, 1);
    expect_ok(spmv_coo_finish(&coo));
    for (int k = 0; k < 3; k++)
        expect(coo.value[k] == k + 1);
    spmv_coo_close(&coo);
}

/* Entries at random places of a small matrix, also summed in a dense one. */
static void fill_both(struct spmv_coo *coo, double *dense, int64_t entries, uint64_t seed)
{
    for (int64_t k = 0; k < entries; k++) {
        uint64_t i = 3 * (uint64_t)k;
        int64_t row = (int64_t)random_below(seed, i, (uint64_t)coo->rows);
        int64_t column = (int64_t)random_below(seed, i + 1, (uint64_t)coo->columns);
        double value = (double)random_below(seed, i + 2, 1000) - 500; /* sums are exact */
        add_or_note(coo, row, column, value);
        dense[row * coo->columns + column] += value;
    }
}

static void check_order(const struct spmv_coo *coo)
{
    for (int64_t k = 1; k < coo->entries; k++)
        expect(coo->row[k] > coo->row[k - 1] ||
               (coo->row[k] == coo->row[k - 1] && coo->column[k] > coo->column[k - 1]));
}

/* 3000 columns and rows need two digits of the sort each; 20 make many duplicates. */
static void finish_sorts_and_adds_up(void)
{
    static const int64_t shapes[][3] = {{20, 30, 5000},     {3000, 20, 4000}, {20, 3000, 4000},
                                        {3000, 2500, 9000}, {1, 1, 7},        {5, 5, 0},
                                        {5, 5, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct spmv_coo coo;
        double *dense = calloc((size_t)(shapes[i][0] * shapes[i][1]), sizeof *dense);
        expect_ok(spmv_coo_open(&coo, shapes[i][0], shapes[i][1], 1));
        fill_both(&coo, dense, shapes[i][2], 77 + i);
        expect_ok(spmv_coo_finish(&coo));
        expect(coo.entries + coo.duplicates == shapes[i][2]);
        check_order(&coo);
        double left = 0;
        for (int64_t k = 0; k < coo.entries; k++)
            dense[coo.row[k] * coo.columns + coo.column[k]] -= coo.value[k];
        for (int64_t k = 0; k < coo.rows * coo.columns; k++)
            left += fabs(dense[k]);
        expect(left == 0);
        spmv_coo_close(&coo);
        free(dense);
    }
}

/* 1e16 + 1 - 1e16 is 0 in this order, and 1 in another. */
static void duplicates_are_added_in_their_order(void)
{
    struct spmv_coo coo;
    expect_ok(spmv_coo_open(&coo, 2, 2, 0));
    add_or_note(&coo, 1, 1, 1e16);
    add_or_note(&coo, 0, 1, 5);
    add_or_note(&coo, 1, 1, 1);
    add_or_note(&coo, 0, 1, 6);
    add_or_note(&coo, 1, 1, -1e16);
    expect_ok(spmv_coo_finish(&coo));
    expect(coo.entries == 2 && coo.duplicates == 3);
    expect(coo.value[0] == 11 && coo.value[1] == 0);
    expect_ok(spmv_coo_finish(&coo)); /* a finished matrix stays as it is */
    expect(coo.entries == 2 && coo.duplicates == 3);
    spmv_coo_close(&coo);
}

static void rows_are_cut_out(void)
{
    struct spmv_coo coo, part;
    double *dense = calloc(100 * 7, sizeof *dense);
    expect_ok(spmv_coo_open(&coo, 100, 7, 0));
    fill_both(&coo, dense, 90, 5); /* some rows are empty */
    expect_ok(spmv_coo_finish(&coo));
    int64_t cuts[] = {0, 1, 40, 41, 99, 100}, entries = 0;
    for (int i = 0; i < 5; i++) {
        int64_t count = cuts[i + 1] - cuts[i];
        expect_ok(spmv_coo_rows(&part, &coo, cuts[i], count));
        expect(part.rows == count && part.columns == 7);
        for (int64_t k = 0; k < part.entries; k++) {
            expect(part.row[k] == coo.row[entries + k] - cuts[i]);
            expect(part.column[k] == coo.column[entries + k]);
            expect(part.value[k] == coo.value[entries + k]);
        }
        entries += part.entries;
        spmv_coo_close(&part);
    }
    expect(entries == coo.entries);
    expect(spmv_coo_rows(&part, &coo, 50, 51) != DM_OK);
    expect(spmv_coo_rows(&part, &coo, -1, 5) != DM_OK);
    expect(spmv_coo_rows(&part, &coo, 0, 0) != DM_OK);
    expect_error(spmv_coo_rows(&part, &coo, INT64_MAX, 2), DM_INVALID, "of 100 rows");
    spmv_coo_close(&coo);
    free(dense);
}

static void the_profile_counts_rows(void)
{
    struct spmv_coo coo;
    expect_ok(spmv_coo_open(&coo, 4, 10, 0));
    for (int column = 0; column < 8; column++)
        add_or_note(&coo, 2, column, 1);
    for (int column = 0; column < 4; column++)
        add_or_note(&coo, 3, column, 1);
    expect_ok(spmv_coo_finish(&coo));
    struct sparse_profile profile = sparse_coo_profile(&coo); /* lengths 0, 0, 8, 4 */
    expect(profile.shortest == 0 && profile.longest == 8 && profile.empty_rows == 2);
    expect(profile.mean == 3 && fabs(profile.deviation - sqrt(11)) < 1e-12);
    spmv_coo_close(&coo);
}

/* ---- reference ---- */

/* [1 2 0; 0 0 0; 0 1e300 -4] */
static void open_small(struct spmv_coo *coo)
{
    expect_ok(spmv_coo_open(coo, 3, 3, 4));
    add_or_note(coo, 0, 0, 1);
    add_or_note(coo, 0, 1, 2);
    add_or_note(coo, 2, 1, 1e300);
    add_or_note(coo, 2, 2, -4);
    expect_ok(spmv_coo_finish(coo));
}

static void the_reference_is_a_product(void)
{
    struct spmv_coo coo;
    double x[] = {3, -5, 7}, y[] = {1, 2, 4}, magnitude[3];
    open_small(&coo);
    sparse_reference(&coo, -2, x, 0.5, y, magnitude);
    expect(y[0] == 14.5 && y[1] == 1 && y[2] == 1e301 + 58);
    expect(magnitude[0] == 26.5 && magnitude[1] == 1 && magnitude[2] == 1e301 + 58);
    double old[] = {NAN, NAN, NAN};
    sparse_reference(&coo, 1, x, 0, old, NULL);
    expect(old[0] == -7 && old[1] == 0 && old[2] == -5e300 - 28);
    spmv_coo_close(&coo);
}

/* Sums that cancel keep what double loses. */
static void the_reference_is_more_precise(void)
{
    struct spmv_coo coo;
    double x[] = {1, 1, 1}, y[1], magnitude[1];
    expect_ok(spmv_coo_open(&coo, 1, 3, 3));
    add_or_note(&coo, 0, 0, 1e16);
    add_or_note(&coo, 0, 1, 1);
    add_or_note(&coo, 0, 2, -1e16);
    expect_ok(spmv_coo_finish(&coo));
    sparse_reference(&coo, 1, x, 0, y, magnitude);
    if (LDBL_MANT_DIG > DBL_MANT_DIG)
        expect(y[0] == 1);
    double lost[] = {0}; /* in double; a right product by the bound */
    expect(sparse_error_ratio(&coo, lost, true, y, magnitude) <= 1);
    double wrong[] = {30};
    expect(sparse_error_ratio(&coo, wrong, true, y, magnitude) > 1);
    spmv_coo_close(&coo);
}

static void the_error_ratio_knows_the_bound(void)
{
    struct spmv_coo coo; /* rows of 2, 0 and 2 entries: 4, 2 and 4 eps magnitude are allowed */
    double exact[] = {1, 0, -8}, magnitude[] = {2, 0, 8}, scaled[] = {2, 1, 8};
    open_small(&coo);
    double of_empty[] = {1, 6 * DBL_EPSILON, -8};
    expect(fabs(sparse_error_ratio(&coo, of_empty, true, exact, scaled) - 3) < 1e-9);
    double right[] = {1 + 8 * DBL_EPSILON, 0, -8};
    expect(fabs(sparse_error_ratio(&coo, right, true, exact, magnitude) - 1) < 1e-9);
    double wrong[] = {1, 0, -8 - 64 * DBL_EPSILON};
    expect(fabs(sparse_error_ratio(&coo, wrong, true, exact, magnitude) - 2) < 1e-9);
    double empty_row[] = {1, 1e-300, -8};
    expect(sparse_error_ratio(&coo, empty_row, true, exact, magnitude) > 1e9);
    float single[] = {1 + 4 * FLT_EPSILON, 0, -8};
    expect(fabs(sparse_error_ratio(&coo, single, false, exact, magnitude) - 0.5) < 1e-6);
    expect(sparse_error_ratio(&coo, exact, true, exact, magnitude) == 0);
    spmv_coo_close(&coo);
}

static void what_is_not_finite_must_agree(void)
{
    struct spmv_coo coo;
    double exact[] = {NAN, INFINITY, 1}, magnitude[] = {NAN, INFINITY, 1};
    open_small(&coo);
    expect(sparse_error_ratio(&coo, exact, true, exact, magnitude) == 0);
    static const double wrong[][3] = {
        {1, INFINITY, 1}, {INFINITY, INFINITY, 1}, {NAN, -INFINITY, 1},      {NAN, 1e308, 1},
        {NAN, NAN, 1},    {NAN, INFINITY, NAN},    {NAN, INFINITY, INFINITY}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect(isinf(sparse_error_ratio(&coo, wrong[i], true, exact, magnitude)));
    spmv_coo_close(&coo);
}

int main(void)
{
    run_test(sizes_out_of_range_are_refused);
    run_test(places_outside_are_refused);
    run_test(the_largest_sizes_need_no_memory_for_rows);
    run_test(finish_sorts_and_adds_up);
    run_test(duplicates_are_added_in_their_order);
    run_test(rows_are_cut_out);
    run_test(the_profile_counts_rows);
    run_test(the_reference_is_a_product);
    run_test(the_reference_is_more_precise);
    run_test(the_error_ratio_knows_the_bound);
    run_test(what_is_not_finite_must_agree);
    return end_tests();
}
