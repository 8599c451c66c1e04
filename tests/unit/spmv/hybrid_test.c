/* Products on CPU and GPU together: any cut, matrix, format and precision gives the reference. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/spmv.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/memory.h"
#include "common/random.h"
#include "spmv/bench/reference.h"
#include "spmv/bench/generate.h"
#include "spmv/bench/bus.h"
#include "spmv/bench/disturb.h"
#include "tests/unit/test_status.h"

#ifdef __SANITIZE_THREAD__
enum { SEVERAL_THREADS = 1 };
#else
enum { SEVERAL_THREADS = 3 };
#endif

static struct spmv_hybrid *open_or_fail(const struct spmv_coo *coo, int64_t cut,
                                        enum spmv_format format)
{
    struct spmv_hybrid *hybrid;
    if (spmv_hybrid_open(&hybrid, coo, cut, format, NULL) != DM_OK)
        fail("cut %lld: %s", (long long)cut, dm_message());
    return hybrid;
}

/* ---- one product after the other, each against the reference of the one before ---- */

struct trial {
    const struct spmv_coo *coo;
    struct spmv_hybrid *hybrid;
    enum spmv_precision precision;
    void *values; /* x, then y, in the precision */
    double *x, *y, *magnitude;
};

static double value_at(const struct trial *trial, int64_t i)
{
    return trial->precision == SPMV_DOUBLE ? ((double *)trial->values)[i]
                                           : ((float *)trial->values)[i];
}

static bool open_trial(struct trial *trial, const struct spmv_coo *coo, int64_t cut,
                       enum spmv_format format, enum spmv_precision precision)
{
    struct spmv_options options = {.precision = precision};
    size_t rows = (size_t)coo->rows;
    *trial = (struct trial){.coo = coo, .precision = precision};
    if (spmv_hybrid_open(&trial->hybrid, coo, cut, format, &options) != DM_OK)
        return false;
    trial->values = allocate_or_fail(rows, sizeof(double));
    trial->x = allocate_or_fail(rows, sizeof(double));
    trial->y = allocate_or_fail(rows, sizeof(double));
    trial->magnitude = allocate_or_fail(rows, sizeof(double));
    if (precision == SPMV_DOUBLE)
        random_fill_double(trial->values, rows, 7);
    else
        random_fill_float(trial->values, rows, 7);
    expect_ok(spmv_hybrid_set(trial->hybrid, trial->values));
    return true;
}

static void close_trial(struct trial *trial)
{
    spmv_hybrid_close(trial->hybrid);
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
    expect_ok(spmv_hybrid_run(trial->hybrid, 1, threads));
    memset(trial->values, 0xff, (size_t)trial->coo->rows * spmv_value_bytes(trial->precision));
    expect_ok(spmv_hybrid_result(trial->hybrid, trial->values));
    return sparse_error_ratio(trial->coo, trial->values, trial->precision == SPMV_DOUBLE, trial->y,
                              trial->magnitude);
}

static bool is_right(const struct spmv_coo *coo, int64_t cut, enum spmv_format format,
                     enum spmv_precision precision, int threads)
{
    struct trial trial;
    double worst = 0;
    if (!open_trial(&trial, coo, cut, format, precision)) {
        printf("# cut %lld: %s\n", (long long)cut, dm_message());
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

static struct spmv_coo matrix_of(const char *name)
{
    struct spmv_coo coo;
    if (sparse_matrix_of(&coo, name, 3) != DM_OK)
        fail("%s: %s", name, dm_message());
    return coo;
}

static void every_cut_of_a_small_matrix(void)
{
    for (int m = 0; m < 2; m++) {
        struct spmv_coo coo = matrix_of(m ? "random:40:3" : "pde:3");
        for (int64_t cut = 0; cut <= coo.rows; cut++)
            expect(is_right(&coo, cut, SPMV_HLL, SPMV_DOUBLE, 1));
        spmv_coo_close(&coo);
    }
}

static void all_matrices_at_some_cuts(void)
{
    for (int m = 0; m < MATRICES; m++) {
        struct spmv_coo coo = matrix_of(matrices[m]);
        const int64_t n = coo.rows, cuts[] = {0, 1, n / 3, n / 2, n - 1, n};
        for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
            expect(is_right(&coo, cuts[i], SPMV_HLL, i % 2 ? SPMV_FLOAT : SPMV_DOUBLE,
                            SEVERAL_THREADS));
        spmv_coo_close(&coo);
    }
}

static void all_formats_and_precisions(void)
{
    struct spmv_coo coo = matrix_of("random:200:6");
    for (int format = 0; format < SPMV_FORMATS; format++)
        for (int precision = SPMV_FLOAT; precision <= SPMV_DOUBLE; precision++)
            expect(is_right(&coo, 77, format, precision, 1));
    spmv_coo_close(&coo);
}

static void nan_crosses_the_cut(void)
{
    struct spmv_coo coo = matrix_of("pde:5");
    for (int side = 0; side < 2; side++) {
        struct trial trial;
        expect(open_trial(&trial, &coo, 62, SPMV_HLL, SPMV_DOUBLE));
        ((double *)trial.values)[side ? 61 : 62] = NAN;
        expect_ok(spmv_hybrid_set(trial.hybrid, trial.values));
        expect(next_ratio(&trial, 1) <= 1);
        expect(isnan(value_at(&trial, side ? 62 : 61))); /* a neighbour on the other side */
        expect(!isnan(value_at(&trial, 124)));
        close_trial(&trial);
    }
    spmv_coo_close(&coo);
}

/* ---- many products in one run ---- */

/* Each row takes its own element and that `shift` rows on: with shift > 0 only the CPU needs
 * elements, with shift < 0 only the GPU. */
static struct spmv_coo shifted_matrix(int64_t rows, int64_t shift)
{
    struct spmv_coo coo;
    bool added = spmv_coo_open(&coo, rows, rows, 2 * rows) == DM_OK;
    for (int64_t row = 0; row < rows && added; row++)
        added = spmv_coo_add(&coo, row, row, 0.5) == DM_OK &&
                (row + shift < 0 || row + shift >= rows ||
                 spmv_coo_add(&coo, row, row + shift, 0.5) == DM_OK);
    if (!added || spmv_coo_finish(&coo) != DM_OK)
        fail("%s", dm_message());
    return coo;
}

/* The largest difference from the reference after so many products at once. */
static double iterated_difference(const struct spmv_coo *coo, int64_t cut, int times)
{
    size_t rows = (size_t)coo->rows;
    double *x = allocate_or_fail(rows, sizeof *x), *y = allocate_or_fail(rows, sizeof *y);
    double *result = allocate_or_fail(rows, sizeof *result), difference = 0;
    struct spmv_hybrid *hybrid = open_or_fail(coo, cut, SPMV_ELG);
    random_fill_double(x, rows, 11);
    expect_ok(spmv_hybrid_set(hybrid, x));
    expect_ok(spmv_hybrid_run(hybrid, times - times / 3, SEVERAL_THREADS));
    expect_ok(spmv_hybrid_run(hybrid, times / 3, 1));
    expect_ok(spmv_hybrid_result(hybrid, result));
    for (int i = 0; i < times; i++) {
        sparse_reference(coo, 1, x, 0, y, NULL);
        memcpy(x, y, rows * sizeof *x);
    }
    for (size_t i = 0; i < rows; i++)
        difference = fmax(difference, fabs(x[i] - result[i]));
    spmv_hybrid_close(hybrid);
    free(x);
    free(y);
    free(result);
    return difference;
}

static void long_runs_keep_the_order(void)
{
    const int64_t shifts[] = {1, -1, 40, -40};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        struct spmv_coo coo = shifted_matrix(2000, shifts[i]);
        expect(iterated_difference(&coo, 900, 60) < 1e-13);
        spmv_coo_close(&coo);
    }
    for (int m = 0; m < 4; m++) {
        struct spmv_coo coo = matrix_of(matrices[m]);
        expect(iterated_difference(&coo, coo.rows / 2, 61) < 1e-13);
        spmv_coo_close(&coo);
    }
}

/* ---- what is reported ---- */

static int64_t count_needed(const struct spmv_coo *coo, int64_t cut, bool by_gpu)
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

static struct spmv_hybrid_report report_of(const struct spmv_coo *coo, int64_t cut)
{
    struct spmv_hybrid *hybrid = open_or_fail(coo, cut, SPMV_HLL);
    double *x = allocate_or_fail((size_t)coo->rows, sizeof *x);
    random_fill_double(x, (size_t)coo->rows, 1);
    expect_ok(spmv_hybrid_set(hybrid, x));
    expect_ok(spmv_hybrid_run(hybrid, 20, 1));
    struct spmv_hybrid_report report = spmv_hybrid_report(hybrid);
    spmv_hybrid_close(hybrid);
    free(x);
    return report;
}

static void the_halo_is_what_the_other_side_reads(void)
{
    for (int m = 0; m < MATRICES; m++) {
        struct spmv_coo coo = matrix_of(matrices[m]);
        for (int64_t cut = 0; cut <= coo.rows; cut += coo.rows / 3 + 1) {
            struct spmv_hybrid_report report = report_of(&coo, cut);
            expect(report.to_device_elements == count_needed(&coo, cut, true));
            expect(report.from_device_elements == count_needed(&coo, cut, false));
        }
        spmv_coo_close(&coo);
    }
}

static void a_cube_exchanges_one_plane(void)
{
    struct spmv_coo coo = matrix_of("pde:10");
    for (int64_t cut = 300; cut < 700; cut += 77) {
        struct spmv_hybrid_report report = report_of(&coo, cut);
        expect(report.to_device_elements == 100);
        expect(report.from_device_elements == 100);
        expect(report.cpu_s > 0 && report.gpu_s > 0 && report.exchange_s > 0);
    }
    struct spmv_hybrid_report alone = report_of(&coo, 0);
    expect(alone.cpu_s == 0 && alone.gpu_s > 0 && alone.exchange_s == 0);
    alone = report_of(&coo, coo.rows);
    expect(alone.cpu_s > 0 && alone.gpu_s == 0 && alone.exchange_s == 0);
    spmv_coo_close(&coo);
}

static void the_number_of_threads_is_given_back(void)
{
    struct spmv_coo coo = matrix_of("pde:3");
    struct spmv_hybrid *hybrid = open_or_fail(&coo, 9, SPMV_HLL);
    double x[27] = {1};
    expect_ok(spmv_hybrid_set(hybrid, x));
    int before = omp_get_max_threads();
    omp_set_num_threads(7);
    expect_ok(spmv_hybrid_run(hybrid, 1, SEVERAL_THREADS));
    expect(omp_get_max_threads() == 7);
    omp_set_num_threads(before);
    spmv_hybrid_close(hybrid);
    spmv_coo_close(&coo);
}

/* Time of one product as a share of what the CPU and the GPU take for their parts of it. */
static double time_share(struct spmv_hybrid *hybrid)
{
    double start_s = clock_now_s();
    expect_ok(spmv_hybrid_run(hybrid, 1, 1));
    double product_s = clock_now_s() - start_s;
    struct spmv_hybrid_report report = spmv_hybrid_report(hybrid);
    return product_s / (report.cpu_s + report.gpu_s);
}

/* Rows for the CPU with which both take about as long, undisturbed. */
static int64_t balanced_rows(const struct spmv_coo *coo)
{
    enum { RUNS = 20 };
    struct spmv_hybrid *hybrid = open_or_fail(coo, coo->rows / 2, SPMV_HLL);
    double least_cpu_s = INFINITY, least_gpu_s = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        expect_ok(spmv_hybrid_run(hybrid, 1, 1));
        struct spmv_hybrid_report report = spmv_hybrid_report(hybrid);
        least_cpu_s = fmin(least_cpu_s, report.cpu_s);
        least_gpu_s = fmin(least_gpu_s, report.gpu_s);
    }
    spmv_hybrid_close(hybrid);
    int64_t rows = (int64_t)((double)coo->rows * least_gpu_s / (least_cpu_s + least_gpu_s));
    return rows > 0 ? rows : 1;
}

/* In how many of up to `runs` products, until there are `needed`, both computed at the same time.
 */
static int balanced_products_together(const struct spmv_coo *coo, int runs, int needed)
{
    struct spmv_hybrid *hybrid = open_or_fail(coo, balanced_rows(coo), SPMV_HLL);
    double *x = allocate_or_fail((size_t)coo->rows, sizeof *x);
    int together = 0;
    random_fill_double(x, (size_t)coo->rows, 1);
    expect_ok(spmv_hybrid_set(hybrid, x));
    for (int run = 0; run < runs && together < needed; run++)
        together += time_share(hybrid) < 0.95;
    spmv_hybrid_close(hybrid);
    free(x);
    return together;
}

/* What the rest of the machine does changes, and with it the cut that is balanced. */
static bool computes_at_the_same_time(const char *name)
{
    enum { CUTS = 30, RUNS = 100, NEEDED = 10 };
    struct spmv_coo coo = matrix_of(name);
    int together = 0, cuts = 0;
    for (; cuts < CUTS && together < NEEDED; cuts++)
        together += balanced_products_together(&coo, RUNS, NEEDED - together);
    printf("# %s: at the same time in %d products; cuts tried: %d\n", name, together, cuts);
    spmv_coo_close(&coo);
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

static void expect_refusal(const struct spmv_coo *coo, int64_t cut,
                           const struct spmv_options *options, enum dm_status status,
                           const char *words)
{
    struct spmv_hybrid *hybrid = (struct spmv_hybrid *)&hybrid;
    expect_error(spmv_hybrid_open(&hybrid, coo, cut, SPMV_HLL, options), status, words);
    expect(!hybrid);
}

static void wrong_cuts_are_refused(void)
{
    struct spmv_coo coo = matrix_of("pde:3");
    expect_refusal(&coo, -1, NULL, DM_INVALID, "-1 rows");
    expect_refusal(&coo, 28, NULL, DM_INVALID, "28 rows");
    spmv_coo_close(&coo);
    coo = matrix_of("rectangular:30:3");
    expect_refusal(&coo, 10, NULL, DM_INVALID, "must be square");
    spmv_coo_close(&coo);
}

static void what_does_not_fit_is_refused(void)
{
    struct spmv_coo coo = matrix_of("banded:3000:150");
    struct spmv_options options = {.precision = SPMV_DOUBLE, .memory_limit = 100000};
    expect_refusal(&coo, 2000, &options, DM_NO_MEMORY, "the limit is");
    expect_refusal(&coo, 10, &options, DM_NO_MEMORY, "the limit is");
#ifdef SOFTGPU
    expect_refusal(&coo, 0, NULL, DM_NO_MEMORY, "does not fit on the device");
    spmv_coo_close(&coo);
    coo = matrix_of("diagonal:330000"); /* the matrix fits, not the vectors as well */
    expect_refusal(&coo, 0, NULL, DM_NO_MEMORY, "bytes of device memory");
    expect(is_right(&coo, coo.rows, SPMV_HLL, SPMV_DOUBLE, 1));
#endif
    spmv_coo_close(&coo);
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
