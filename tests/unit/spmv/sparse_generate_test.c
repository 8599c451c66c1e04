/* The generated matrices have the structure that their names promise, and bad names are refused. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spmv/bench/reference.h"
#include "spmv/bench/generate.h"
#include "tests/unit/test_status.h"

enum { SEED = 3 };

static bool matrix_of(struct spmv_coo *coo, const char *name)
{
    bool done = sparse_matrix_of(coo, name, SEED) == DM_OK;
    if (!done)
        printf("# %s: %s\n", name, dm_message());
    expect(done);
    return done;
}

/* Finished: ascending, different, inside. */
static bool in_order(const struct spmv_coo *coo)
{
    bool good = true;
    for (int64_t k = 0; good && k < coo->entries; k++) {
        good = coo->row[k] >= 0 && coo->row[k] < coo->rows && coo->column[k] >= 0 &&
               coo->column[k] < coo->columns;
        if (k > 0 && coo->row[k] == coo->row[k - 1])
            good = good && coo->column[k] > coo->column[k - 1];
        else if (k > 0)
            good = good && coo->row[k] > coo->row[k - 1];
    }
    return good;
}

static double largest_row_sum(const struct spmv_coo *coo)
{
    double largest = 0, sum = 0;
    for (int64_t k = 0; k < coo->entries; k++) {
        sum = (k > 0 && coo->row[k] == coo->row[k - 1] ? sum : 0) + fabs(coo->value[k]);
        largest = fmax(largest, sum);
    }
    return largest;
}

static bool same(const struct spmv_coo *a, const struct spmv_coo *b)
{
    size_t entries = (size_t)a->entries;
    return a->rows == b->rows && a->columns == b->columns && a->entries == b->entries &&
           memcmp(a->row, b->row, entries * sizeof *a->row) == 0 &&
           memcmp(a->column, b->column, entries * sizeof *a->column) == 0 &&
           memcmp(a->value, b->value, entries * sizeof *a->value) == 0;
}

static double value_at(const struct spmv_coo *coo, int64_t row, int64_t column)
{
    for (int64_t k = 0; k < coo->entries; k++)
        if (coo->row[k] == row && coo->column[k] == column)
            return coo->value[k];
    return NAN;
}

static bool is_random(const char *kind)
{
    const char *const fixed[] = {"pde", "point5", "point7", "point27"};
    for (int i = 0; i < 4; i++)
        if (strcmp(kind, fixed[i]) == 0)
            return false;
    return true;
}

static void every_kind(void)
{
    int kinds = 0;
    for (const struct sparse_generator *g = sparse_generators; g->name; g++, kinds++) {
        const int64_t sizes[] = {1, 2, 20};
        for (int s = 0; s < 3; s++) {
            struct spmv_coo coo, again, other;
            char name[64];
            /* A mean of one entry suits every size. */
            snprintf(name, sizeof name, "%s:%lld%s", g->name, (long long)sizes[s],
                     isnan(g->parameter)         ? ""
                     : strcmp(g->name, "varied") ? ":1"
                                                 : ":0.5");
            if (!matrix_of(&coo, name) || !matrix_of(&again, name))
                continue;
            expect_ok(sparse_matrix_of(&other, name, SEED + 1));
            expect(in_order(&coo));
            expect(coo.duplicates == 0);
            expect(largest_row_sum(&coo) <= 1 + 1e-12);
            expect(same(&coo, &again));
            if (sizes[s] == 20)
                expect(same(&coo, &other) == !is_random(g->name));
            spmv_coo_close(&coo);
            spmv_coo_close(&again);
            spmv_coo_close(&other);
        }
    }
    expect(kinds == 13);
}

static void pde_is_as_described(void)
{
    struct spmv_coo coo;
    if (!matrix_of(&coo, "pde:10"))
        return;
    struct sparse_profile profile = sparse_coo_profile(&coo);
    expect(coo.rows == 1000);
    expect(coo.columns == 1000);
    expect(coo.entries == 7 * 1000 - 6 * 100);
    expect(profile.longest == 7);
    expect(profile.shortest == 4);
    /* The point (5, 5, 5): neighbours along x, y and z; upwind and downwind weights differ. */
    double h = 1. / 11;
    expect(fabs(value_at(&coo, 555, 555) - 0.5) < 1e-15);
    expect(fabs(value_at(&coo, 555, 554) + (1 + h / 2) / 12) < 1e-15);
    expect(fabs(value_at(&coo, 555, 556) + (1 - h / 2) / 12) < 1e-15);
    expect(fabs(value_at(&coo, 555, 545) + (1 + h / 4) / 12) < 1e-15);
    expect(fabs(value_at(&coo, 555, 655) + (1 - h / 8) / 12) < 1e-15);
    /* No neighbour beyond the end of a line. */
    expect(isnan(value_at(&coo, 9, 10)));
    spmv_coo_close(&coo);
}

static void pde_rows_are_rows_of_pde(void)
{
    struct spmv_coo coo, part, expected;
    const int64_t cuts[][2] = {{0, 1}, {0, 343}, {100, 77}, {342, 1}};
    if (!matrix_of(&coo, "pde:7"))
        return;
    for (int c = 0; c < 4; c++) {
        expect_ok(sparse_generate_pde_rows(&part, 7, cuts[c][0], cuts[c][1]));
        expect_ok(spmv_coo_rows(&expected, &coo, cuts[c][0], cuts[c][1]));
        expect(same(&part, &expected));
        spmv_coo_close(&part);
        spmv_coo_close(&expected);
    }
    expect(sparse_generate_pde_rows(&part, 7, 340, 4) != DM_OK);
    expect(sparse_generate_pde_rows(&part, 7, -1, 4) != DM_OK);
    expect(sparse_generate_pde_rows(&part, 7, 0, 0) != DM_OK);
    expect(sparse_generate_pde_rows(&part, 1291, 0, 1) != DM_OK);
    expect_ok(sparse_generate_pde_rows(&part, 1290, 2146688999, 1));
    expect(part.entries == 4);
    spmv_coo_close(&part);
    spmv_coo_close(&coo);
}

static void meshes(void)
{
    const struct {
        const char *name;
        int64_t rows, entries, longest;
    } cases[] = {
        {"point5:9", 81, 5 * 81 - 4 * 9, 5},
        {"point7:6", 216, 7 * 216 - 6 * 36, 7},
        {"point27:5", 125, 13 * 13 * 13, 27}, /* 3 n - 2 pairs along each axis */
        {"fem:5", 375, 9 * 13 * 13 * 13, 81},
        {"banded:50:3", 50, 7 * 50 - 2 * (1 + 2 + 3), 7},
        {"banded:4:100", 4, 16, 4},
        {"diagonal:30", 30, 30, 1},
        {"dense_row:100", 100, 298 + 97, 100},
        {"empty_rows:100:7", 100, 15 * 16, 16},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct spmv_coo coo;
        if (!matrix_of(&coo, cases[c].name))
            continue;
        expect(coo.rows == cases[c].rows);
        expect(coo.columns == cases[c].rows);
        expect(coo.entries == cases[c].entries);
        expect(sparse_coo_profile(&coo).longest == cases[c].longest);
        spmv_coo_close(&coo);
    }
}

static void row_lengths(void)
{
    const struct {
        const char *name;
        double mean, variation, tolerance;
        int64_t longest_from, longest_to;
    } cases[] = {
        {"varied:4096:0", 32, 0, 0, 32, 32},
        {"varied:4096:0.25", 32, 0.25, 0.02, 45, 70},
        {"varied:4096:0.5", 32, 0.5, 0.02, 70, 130},
        {"varied:4096:1", 32, 1, 0.03, 200, 350},
        {"varied:4096:2", 32, 2, 0.05, 600, 1700},
        {"random:4096:16", 16, 0.25, 0.05, 25, 50}, /* binomial: 1 / sqrt(16) */
        {"rectangular:4096:16", 16, 0.25, 0.05, 25, 50},
        {"power:4096:16", 16, 3, 0.8, 900, 4096},
        {"empty_rows:4096:4", 4, 1.732, 0.001, 16, 16},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct spmv_coo coo;
        if (!matrix_of(&coo, cases[c].name))
            continue;
        struct sparse_profile profile = sparse_coo_profile(&coo);
        printf("# %s: mean %.3f variation %.3f longest %lld\n", cases[c].name, profile.mean,
               profile.deviation / profile.mean, (long long)profile.longest);
        expect(fabs(profile.mean / cases[c].mean - 1) < 0.05);
        expect(fabs(profile.deviation / profile.mean / fmax(cases[c].variation, 1e-3) -
                    (cases[c].variation > 0)) <= cases[c].tolerance);
        expect(profile.longest >= cases[c].longest_from);
        expect(profile.longest <= cases[c].longest_to);
        spmv_coo_close(&coo);
    }
}

/* Columns of the random kinds are spread over all of the matrix. */
static void columns_are_spread(void)
{
    const char *const names[] = {"random:2000:20", "rectangular:2000:20", "varied:2000:1",
                                 "power:2000:20"};
    for (int n = 0; n < 4; n++) {
        struct spmv_coo coo;
        int64_t tenth[10] = {0};
        if (!matrix_of(&coo, names[n]))
            continue;
        for (int64_t k = 0; k < coo.entries; k++)
            tenth[10 * (int64_t)coo.column[k] / coo.columns]++;
        for (int t = 0; t < 10; t++)
            expect(fabs(10. * (double)tenth[t] / (double)coo.entries - 1) < 0.1);
        expect(coo.columns == (n == 1 ? 4000 : 2000));
        spmv_coo_close(&coo);
    }
}

/* A vector of ones stays one for the random kinds: products can be iterated for ever. */
static void random_rows_add_up_to_one(void)
{
    struct spmv_coo coo;
    if (!matrix_of(&coo, "varied:500:1"))
        return;
    double *x = calloc((size_t)coo.rows, sizeof *x), *y = calloc((size_t)coo.rows, sizeof *y);
    for (int64_t i = 0; i < coo.rows; i++)
        x[i] = 1;
    sparse_reference(&coo, 1, x, 0, y, NULL);
    double worst = 0;
    for (int64_t i = 0; i < coo.rows; i++)
        worst = fmax(worst, fabs(y[i] - 1));
    expect(worst < 1e-13);
    free(x);
    free(y);
    spmv_coo_close(&coo);
}

static void bad_names_are_refused(void)
{
    const struct {
        const char *name, *says;
    } cases[] = {
        {"", "pde"},
        {"nothing:7", "rectangular"},
        {"pd:7", "kinds"},
        {"/no/such/file.mtx", "no file"},
        {"pde", "expected pde:SIZE"},
        {"pde:", "expected pde:SIZE"},
        {"pde:0", "SIZE from 1"},
        {"pde:-3", "SIZE from 1"},
        {"pde: 3", "SIZE from 1"},
        {"pde:3x", "expected pde:SIZE"},
        {"pde:3:1", "expected pde:SIZE"},
        {"pde:99999999999999999999", "SIZE from 1"},
        {"pde:1291", "2^31"},
        {"point5:46341", "2^31"},
        {"fem:895", "2^31"},
        {"banded:9:", "PARAMETER"},
        {"banded:9:x", "PARAMETER"},
        {"banded:9:-1", "PARAMETER"},
        {"banded:9:nan", "PARAMETER"},
        {"banded:9:1e999", "PARAMETER"},
        {"banded:9:1:2", "PARAMETER"},
        {"random:9:10", "9 columns"},
        {"random:9:0", "mean length"},
        {"power:9:0.5", "mean length"},
        {"varied:9:5", "variation"},
        {"banded:9:2.5", "a half width of 2.5: expected a whole number"},
        {"empty_rows:9:0", "at least 1"},
        {"empty_rows:9:2.5", "a distance of rows of 2.5: expected a whole number"},
        {"empty_rows:9:1e300", "expected a whole number up to 2147483647"},
        {"rectangular:1073741824:1", ""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct spmv_coo coo;
        bool done = sparse_matrix_of(&coo, cases[c].name, SEED) == DM_OK;
        if (done || !strstr(dm_message(), cases[c].says))
            printf("# `%s`: %s\n", cases[c].name, done ? "accepted" : dm_message());
        expect(!done);
        expect(dm_message()[0] != '\0');
        expect(strstr(dm_message(), cases[c].says) != NULL);
        expect(coo.entries == 0);
        expect(coo.value == NULL);
    }
}

static void names_are_known_before_matrices_are_made(void)
{
    expect_ok(sparse_matrix_is_name("pde:1290"));
    expect_ok(sparse_matrix_is_name("banded:2147483647:3"));
    expect_ok(sparse_matrix_is_name("/dev/null"));
    expect(sparse_matrix_is_name("cube:8") != DM_OK && strstr(dm_message(), "kinds"));
    expect(sparse_matrix_is_name("pde:8:1") != DM_OK && strstr(dm_message(), "expected pde:SIZE"));
    expect(sparse_matrix_is_name("/no/such/file.mtx") != DM_OK && strstr(dm_message(), "no file"));
}

int main(void)
{
    run_test(every_kind);
    run_test(pde_is_as_described);
    run_test(pde_rows_are_rows_of_pde);
    run_test(meshes);
    run_test(row_lengths);
    run_test(columns_are_spread);
    run_test(random_rows_add_up_to_one);
    run_test(bad_names_are_refused);
    run_test(names_are_known_before_matrices_are_made);
    return end_tests();
}
