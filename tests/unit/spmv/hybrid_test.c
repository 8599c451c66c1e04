/* Products on CPU and GPU together: any cut, matrix, format and precision gives the reference. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/memory.h"
#include "common/random.h"
#include "spmv/hybrid.h"
#include "spmv/sparse_generate.h"
#include "spmv/spmv_bus.h"
#include "spmv/spmv_disturb.h"
#include "tests/unit/test.h"

#ifdef __SANITIZE_THREAD__
enum { SEVERAL_THREADS = 1 };
#else
enum { SEVERAL_THREADS = 3 };
#endif

static struct sparse_error error;

static struct hybrid *open_or_fail(const struct sparse_coo *coo, int64_t cut,
                                   enum sparse_format format)
{
    struct hybrid *hybrid = hybrid_open(coo, cut, format, NULL, &error);
    if (!hybrid)
        fail("cut %lld: %s", (long long)cut, error.text);
    return hybrid;
}

/* ---- one product after the other, each against the reference of the one before ---- */

struct trial {
    const struct sparse_coo *coo;
    struct hybrid *hybrid;
    enum sparse_precision precision;
    void *values; /* x, then y, in the precision */
    double *x, *y, *magnitude;
};

static double value_at(const struct trial *trial, int64_t i)
{
    return trial->precision == SPARSE_DOUBLE ? ((double *)trial->values)[i]
                                             : ((float *)trial->values)[i];
}

static bool open_trial(struct trial *trial, const struct sparse_coo *coo, int64_t cut,
                       enum sparse_format format, enum sparse_precision precision)
{
    struct sparse_options options = {.precision = precision};
    size_t rows = (size_t)coo->rows;
    *trial = (struct trial){.coo = coo, .precision = precision};
    trial->hybrid = hybrid_open(coo, cut, format, &options, &error);
    if (!trial->hybrid)
        return false;
    trial->values = allocate_or_fail(rows, sizeof(double));
    trial->x = allocate_or_fail(rows, sizeof(double));
    trial->y = allocate_or_fail(rows, sizeof(double));
    trial->magnitude = allocate_or_fail(rows, sizeof(double));
    if (precision == SPARSE_DOUBLE)
        random_fill_double(trial->values, rows, 7);
    else
        random_fill_float(trial->values, rows, 7);
    hybrid_set(trial->hybrid, trial->values);
    return true;
}

static void close_trial(struct trial *trial)
{
    hybrid_close(trial->hybrid);
    free(trial->values);
    free(trial->x);
    free(trial->y);
    free(trial->magnitude);
}

/* The error ratio of one more product. */
static double next_ratio(struct trial *trial, int threads)
{
    for (int64_t i = 0; i < trial->coo->rows; i++)
        trial->x[i] = value_at(trial, i);
    sparse_reference(trial->coo, 1, trial->x, 0, trial->y, trial->magnitude);
    hybrid_run(trial->hybrid, 1, threads);
    memset(trial->values, 0xff, (size_t)trial->coo->rows * sparse_value_bytes(trial->precision));
    hybrid_result(trial->hybrid, trial->values);
    return sparse_error_ratio(trial->coo, trial->values, trial->precision == SPARSE_DOUBLE,
                              trial->y, trial->magnitude);
}

static bool is_right(const struct sparse_coo *coo, int64_t cut, enum sparse_format format,
                     enum sparse_precision precision, int threads)
{
    struct trial trial;
    double worst = 0;
    if (!open_trial(&trial, coo, cut, format, precision)) {
        printf("# cut %lld: %s\n", (long long)cut, error.text);
        return false;
    }
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, next_ratio(&trial, threads));
    close_trial(&trial);
    if (worst > 1)
        printf("# cut %lld, format %d, %d threads: error ratio %g\n", (long long)cut, format,
               threads, worst);
    return worst <= 1;
}

static const char *const matrices[] = {"pde:7",        "banded:300:5",  "random:200:6",
                                       "power:250:8",  "dense_row:200", "empty_rows:150:4",
                                       "diagonal:100", "fem:3",         "point5:1"};
enum { MATRICES = sizeof matrices / sizeof *matrices };

static struct sparse_coo matrix_of(const char *name)
{
    struct sparse_coo coo;
    if (!sparse_matrix_of(&coo, name, 3, &error))
        fail("%s: %s", name, error.text);
    return coo;
}

static void every_cut_of_a_small_matrix(void)
{
    for (int m = 0; m < 2; m++) {
        struct sparse_coo coo = matrix_of(m ? "random:40:3" : "pde:3");
        for (int64_t cut = 0; cut <= coo.rows; cut++)
            expect(is_right(&coo, cut, SPARSE_HLL, SPARSE_DOUBLE, 1));
        sparse_coo_close(&coo);
    }
}

static void all_matrices_at_some_cuts(void)
{
    for (int m = 0; m < MATRICES; m++) {
        struct sparse_coo coo = matrix_of(matrices[m]);
        const int64_t n = coo.rows, cuts[] = {0, 1, n / 3, n / 2, n - 1, n};
        for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
            expect(is_right(&coo, cuts[i], SPARSE_HLL, i % 2 ? SPARSE_FLOAT : SPARSE_DOUBLE,
                            SEVERAL_THREADS));
        sparse_coo_close(&coo);
    }
}

static void all_formats_and_precisions(void)
{
    struct sparse_coo coo = matrix_of("random:200:6");
    for (int format = 0; format < SPARSE_FORMATS; format++)
        for (int precision = SPARSE_FLOAT; precision <= SPARSE_DOUBLE; precision++)
            expect(is_right(&coo, 77, format, precision, 1));
    sparse_coo_close(&coo);
}

static void nan_crosses_the_cut(void)
{
    struct sparse_coo coo = matrix_of("pde:5");
    for (int side = 0; side < 2; side++) {
        struct trial trial;
        expect(open_trial(&trial, &coo, 62, SPARSE_HLL, SPARSE_DOUBLE));
        ((double *)trial.values)[side ? 61 : 62] = NAN;
        hybrid_set(trial.hybrid, trial.values);
        expect(next_ratio(&trial, 1) <= 1);
        expect(isnan(value_at(&trial, side ? 62 : 61))); /* a neighbour on the other side */
        expect(!isnan(value_at(&trial, 124)));
        close_trial(&trial);
    }
    sparse_coo_close(&coo);
}

/* ---- many products in one run ---- */

/* Each row takes its own element and that `shift` rows on: with shift > 0 only the CPU needs
 * elements, with shift < 0 only the GPU. */
static struct sparse_coo shifted_matrix(int64_t rows, int64_t shift)
{
    struct sparse_coo coo;
    bool added = sparse_coo_open(&coo, rows, rows, 2 * rows, &error);
    for (int64_t row = 0; row < rows && added; row++)
        added = sparse_coo_add(&coo, row, row, 0.5, &error) &&
                (row + shift < 0 || row + shift >= rows ||
                 sparse_coo_add(&coo, row, row + shift, 0.5, &error));
    if (!added || !sparse_coo_finish(&coo, &error))
        fail("%s", error.text);
    return coo;
}

/* The largest difference from the reference after so many products at once. */
static double iterated_difference(const struct sparse_coo *coo, int64_t cut, int times)
{
    size_t rows = (size_t)coo->rows;
    double *x = allocate_or_fail(rows, sizeof *x), *y = allocate_or_fail(rows, sizeof *y);
    double *result = allocate_or_fail(rows, sizeof *result), difference = 0;
    struct hybrid *hybrid = open_or_fail(coo, cut, SPARSE_ELG);
    random_fill_double(x, rows, 11);
    hybrid_set(hybrid, x);
    hybrid_run(hybrid, times - times / 3, SEVERAL_THREADS);
    hybrid_run(hybrid, times / 3, 1);
    hybrid_result(hybrid, result);
    for (int i = 0; i < times; i++) {
        sparse_reference(coo, 1, x, 0, y, NULL);
        memcpy(x, y, rows * sizeof *x);
    }
    for (size_t i = 0; i < rows; i++)
        difference = fmax(difference, fabs(x[i] - result[i]));
    hybrid_close(hybrid);
    free(x);
    free(y);
    free(result);
    return difference;
}

static void long_runs_keep_the_order(void)
{
    const int64_t shifts[] = {1, -1, 40, -40};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        struct sparse_coo coo = shifted_matrix(2000, shifts[i]);
        expect(iterated_difference(&coo, 900, 60) < 1e-13);
        sparse_coo_close(&coo);
    }
    for (int m = 0; m < 4; m++) {
        struct sparse_coo coo = matrix_of(matrices[m]);
        expect(iterated_difference(&coo, coo.rows / 2, 61) < 1e-13);
        sparse_coo_close(&coo);
    }
}

/* ---- what is reported ---- */

static int64_t count_needed(const struct sparse_coo *coo, int64_t cut, bool by_gpu)
{
    char *needed = calloc((size_t)coo->columns, 1);
    int64_t count = 0;
    for (int64_t k = 0; k < coo->entries; k++)
        if ((coo->row[k] >= cut) == by_gpu && (coo->column[k] >= cut) != by_gpu)
            needed[coo->column[k]] = 1;
    for (int64_t column = 0; column < coo->columns; column++)
        count += needed[column];
    free(needed);
    return count;
}

static struct hybrid_report report_of(const struct sparse_coo *coo, int64_t cut)
{
    struct hybrid *hybrid = open_or_fail(coo, cut, SPARSE_HLL);
    double *x = allocate_or_fail((size_t)coo->rows, sizeof *x);
    random_fill_double(x, (size_t)coo->rows, 1);
    hybrid_set(hybrid, x);
    hybrid_run(hybrid, 20, 1);
    struct hybrid_report report = hybrid_report(hybrid);
    hybrid_close(hybrid);
    free(x);
    return report;
}

static void the_halo_is_what_the_other_side_reads(void)
{
    for (int m = 0; m < MATRICES; m++) {
        struct sparse_coo coo = matrix_of(matrices[m]);
        for (int64_t cut = 0; cut <= coo.rows; cut += coo.rows / 3 + 1) {
            struct hybrid_report report = report_of(&coo, cut);
            expect(report.to_device_elements == count_needed(&coo, cut, true));
            expect(report.from_device_elements == count_needed(&coo, cut, false));
        }
        sparse_coo_close(&coo);
    }
}

static void a_cube_exchanges_one_plane(void)
{
    struct sparse_coo coo = matrix_of("pde:10");
    for (int64_t cut = 300; cut < 700; cut += 77) {
        struct hybrid_report report = report_of(&coo, cut);
        expect(report.to_device_elements == 100);
        expect(report.from_device_elements == 100);
        expect(report.cpu_s > 0 && report.gpu_s > 0 && report.exchange_s > 0);
    }
    struct hybrid_report alone = report_of(&coo, 0);
    expect(alone.cpu_s == 0 && alone.gpu_s > 0 && alone.exchange_s == 0);
    alone = report_of(&coo, coo.rows);
    expect(alone.cpu_s > 0 && alone.gpu_s == 0 && alone.exchange_s == 0);
    sparse_coo_close(&coo);
}

static void the_number_of_threads_is_given_back(void)
{
    struct sparse_coo coo = matrix_of("pde:3");
    struct hybrid *hybrid = open_or_fail(&coo, 9, SPARSE_HLL);
    double x[27] = {1};
    hybrid_set(hybrid, x);
    int before = omp_get_max_threads();
    omp_set_num_threads(7);
    hybrid_run(hybrid, 1, SEVERAL_THREADS);
    expect(omp_get_max_threads() == 7);
    omp_set_num_threads(before);
    hybrid_close(hybrid);
    sparse_coo_close(&coo);
}

/* Time of one product as a share of what the CPU and the GPU take for their parts of it. */
static double time_share(struct hybrid *hybrid)
{
    double start_s = clock_now_s();
    hybrid_run(hybrid, 1, 1);
    double product_s = clock_now_s() - start_s;
    struct hybrid_report report = hybrid_report(hybrid);
    return product_s / (report.cpu_s + report.gpu_s);
}

/* Rows for the CPU with which both take about as long, undisturbed. */
static int64_t balanced_rows(const struct sparse_coo *coo)
{
    enum { RUNS = 20 };
    struct hybrid *hybrid = open_or_fail(coo, coo->rows / 2, SPARSE_HLL);
    double least_cpu_s = INFINITY, least_gpu_s = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        hybrid_run(hybrid, 1, 1);
        struct hybrid_report report = hybrid_report(hybrid);
        least_cpu_s = fmin(least_cpu_s, report.cpu_s);
        least_gpu_s = fmin(least_gpu_s, report.gpu_s);
    }
    hybrid_close(hybrid);
    int64_t rows = (int64_t)((double)coo->rows * least_gpu_s / (least_cpu_s + least_gpu_s));
    return rows > 0 ? rows : 1;
}

/* In how many of up to `runs` products, until there are `needed`, both computed at the same time.
 */
static int balanced_products_together(const struct sparse_coo *coo, int runs, int needed)
{
    struct hybrid *hybrid = open_or_fail(coo, balanced_rows(coo), SPARSE_HLL);
    double *x = allocate_or_fail((size_t)coo->rows, sizeof *x);
    int together = 0;
    random_fill_double(x, (size_t)coo->rows, 1);
    hybrid_set(hybrid, x);
    for (int run = 0; run < runs && together < needed; run++)
        together += time_share(hybrid) < 0.95;
    hybrid_close(hybrid);
    free(x);
    return together;
}

/* What the rest of the machine does changes, and with it the cut that is balanced. */
static bool computes_at_the_same_time(const char *name)
{
    enum { CUTS = 10, RUNS = 100, NEEDED = 10 };
    struct sparse_coo coo = matrix_of(name);
    int together = 0, cuts = 0;
    for (; cuts < CUTS && together < NEEDED; cuts++)
        together += balanced_products_together(&coo, RUNS, NEEDED - together);
    printf("# %s: at the same time in %d products; cuts tried: %d\n", name, together, cuts);
    sparse_coo_close(&coo);
    return together == NEEDED;
}

/* One after the other they take the sum at least. Together they take less, though on a busy machine
 * not always; and on a fast GPU a small product is over before the next launch. */
static void both_compute_at_the_same_time(void)
{
    bool together = computes_at_the_same_time("pde:32");
#ifndef SOFTGPU /* whose memory it does not fit into */
    together = together || computes_at_the_same_time("pde:128");
#endif
    expect(together);
}

/* ---- what is refused ---- */

static bool is_refused(const struct sparse_coo *coo, int64_t cut,
                       const struct sparse_options *options, const char *expected)
{
    error.text[0] = '\0';
    struct hybrid *hybrid = hybrid_open(coo, cut, SPARSE_HLL, options, &error);
    if (hybrid)
        hybrid_close(hybrid);
    else
        printf("# %s\n", error.text);
    return !hybrid && strstr(error.text, expected);
}

static void wrong_cuts_are_refused(void)
{
    struct sparse_coo coo = matrix_of("pde:3");
    expect(is_refused(&coo, -1, NULL, "-1 rows"));
    expect(is_refused(&coo, 28, NULL, "28 rows"));
    sparse_coo_close(&coo);
    coo = matrix_of("rectangular:30:3");
    expect(is_refused(&coo, 10, NULL, "must be square"));
    sparse_coo_close(&coo);
}

static void what_does_not_fit_is_refused(void)
{
    struct sparse_coo coo = matrix_of("banded:3000:150");
    struct sparse_options options = {.precision = SPARSE_DOUBLE, .memory_limit = 100000};
    expect(is_refused(&coo, 2000, &options, "the limit is"));
    expect(is_refused(&coo, 10, &options, "the limit is"));
#ifdef SOFTGPU
    expect(is_refused(&coo, 0, NULL, "does not fit on the device"));
    sparse_coo_close(&coo);
    coo = matrix_of("diagonal:330000"); /* the matrix fits, not the vectors as well */
    expect(is_refused(&coo, 0, NULL, "no device memory"));
    expect(is_right(&coo, coo.rows, SPARSE_HLL, SPARSE_DOUBLE, 1));
#endif
    sparse_coo_close(&coo);
}

/* ---- the disturbance and the bus ---- */

static double cpu_s(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static void bursts_take_cores_while_they_are_wanted(void)
{
    double start_s = clock_now_s(), before_s = cpu_s();
    struct spmv_disturb *disturb = spmv_disturb_start(5);
    while (cpu_s() - before_s < 0.1 && clock_now_s() - start_s < 10)
        usleep(10000);
    expect(cpu_s() - before_s >= 0.1);
    spmv_disturb_enable(disturb, false);
    double quiet_share = 1;
    for (int i = 0; i < 20 && quiet_share >= 0.2; i++) { /* other threads may spin for a while */
        start_s = clock_now_s();
        before_s = cpu_s();
        usleep(200000);
        quiet_share = (cpu_s() - before_s) / (clock_now_s() - start_s);
    }
    expect(quiet_share < 0.2);
    spmv_disturb_enable(disturb, true);
    start_s = clock_now_s();
    spmv_disturb_stop(disturb);
    expect(clock_now_s() - start_s < 10);
}

static void the_bus_carries_what_it_is_given(void)
{
    for (int to_device = 0; to_device < 2; to_device++) {
        struct spmv_bus bus;
        spmv_bus_open(&bus, to_device, 12345);
        expect(spmv_bus_time(&bus) > 0);
        expect(spmv_bus_errors(&bus, 3) == 0);
        spmv_bus_close(&bus);
    }
}

int main(void)
{
#ifdef __SANITIZE_THREAD__
    omp_set_num_threads(1);
#endif
    setenv("SOFTGPU_MEMORY", "8M", 0);
    setenv("SOFTGPU_THREADS", "1", 0); /* one core for the GPU, one for the CPU's thread */
    run_test(every_cut_of_a_small_matrix);
    run_test(all_matrices_at_some_cuts);
    run_test(all_formats_and_precisions);
    run_test(nan_crosses_the_cut);
    run_test(long_runs_keep_the_order);
    run_test(the_halo_is_what_the_other_side_reads);
    run_test(a_cube_exchanges_one_plane);
    run_test(the_number_of_threads_is_given_back);
    run_test(both_compute_at_the_same_time);
    run_test(bursts_take_cores_while_they_are_wanted);
    run_test(the_bus_carries_what_it_is_given);
    run_test(wrong_cuts_are_refused);
    run_test(what_does_not_fit_is_refused);
    return end_tests();
}
