/* Every format gives the reference product: on the host and on the device, in both precisions, of
 * matrices of every kind. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/spmv.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "spmv/bench/reference.h"
#include "spmv/formats/ell.h"
#include "spmv/bench/generate.h"
#include "tests/unit/test_status.h"

/* Every kind of the generators. dense_row has rows longer than a tile of CSR; pde:1 is 1 x 1. */
static const char *const matrices[] = {"pde:8",          "point5:15",      "point7:6",
                                       "point27:6",      "banded:300:5",   "fem:4",
                                       "power:500:12",   "dense_row:2300", "empty_rows:400:5",
                                       "random:300:9",   "varied:300:2",   "rectangular:150:6",
                                       "diagonal:257",   "pde:1",          "empty_rows:70:100",
                                       "rectangular:8:5"};
enum { MATRICES = sizeof matrices / sizeof *matrices };
static const double factors[] = {0, 1, -1, 0.5};
enum { FACTORS = sizeof factors / sizeof *factors };
enum { SEED = 11 };

/* A product and what it should be. Vectors hold values that a float can hold. */
struct product {
    enum spmv_precision precision;
    double alpha, beta;
    double *x, *y;             /* operands */
    double *exact, *magnitude; /* reference */
    void *narrow_x, *narrow_y, *result;
    void *device_x, *device_y;
    const struct spmv_coo *coo;
};

static void *memory(int64_t count)
{
    return allocate_or_fail((unsigned long)count, sizeof(double));
}

static void to_precision(enum spmv_precision precision, void *to, const double *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (precision == SPMV_DOUBLE)
            ((double *)to)[i] = from[i];
        else
            ((float *)to)[i] = (float)from[i];
}

static void product_open(struct product *p, const struct spmv_coo *coo)
{
    *p = (struct product){.coo = coo, .precision = SPMV_DOUBLE};
    p->x = memory(coo->columns);
    p->y = memory(coo->rows);
    p->exact = memory(coo->rows);
    p->magnitude = memory(coo->rows);
    p->narrow_x = memory(coo->columns);
    p->narrow_y = memory(coo->rows);
    p->result = memory(coo->rows);
    check_cuda(cudaMalloc(&p->device_x, (size_t)coo->columns * sizeof(double)));
    check_cuda(cudaMalloc(&p->device_y, (size_t)coo->rows * sizeof(double)));
    for (int64_t i = 0; i < coo->columns; i++)
        p->x[i] = (float)(2 * random_uniform(SEED, (uint64_t)i) - 1);
    for (int64_t i = 0; i < coo->rows; i++)
        p->y[i] = (float)(2 * random_uniform(SEED + 1, (uint64_t)i) - 1);
}

static void product_close(struct product *p)
{
    check_cuda(cudaFree(p->device_x));
    check_cuda(cudaFree(p->device_y));
    free(p->x);
    free(p->y);
    free(p->exact);
    free(p->magnitude);
    free(p->narrow_x);
    free(p->narrow_y);
    free(p->result);
}

/* After a change of operands. */
static void prepare(struct product *p, enum spmv_precision precision, double alpha, double beta)
{
    p->precision = precision;
    p->alpha = alpha;
    p->beta = beta;
    memcpy(p->exact, p->y, (size_t)p->coo->rows * sizeof *p->y);
    sparse_reference(p->coo, alpha, p->x, beta, p->exact, p->magnitude);
    to_precision(precision, p->narrow_x, p->x, p->coo->columns);
    to_precision(precision, p->narrow_y, p->y, p->coo->rows);
}

static double ratio(const struct product *p)
{
    return sparse_error_ratio(p->coo, p->result, p->precision == SPMV_DOUBLE, p->exact,
                              p->magnitude);
}

static double host_ratio(const struct product *p, const struct spmv_matrix *matrix)
{
    memcpy(p->result, p->narrow_y, (size_t)p->coo->rows * spmv_value_bytes(p->precision));
    expect_ok(spmv_multiply(matrix, p->alpha, p->narrow_x, p->beta, p->result));
    return ratio(p);
}

static double device_ratio(const struct product *p, const struct spmv_matrix *matrix)
{
    size_t each = spmv_value_bytes(p->precision);
    size_t x_bytes = (size_t)p->coo->columns * each, y_bytes = (size_t)p->coo->rows * each;
    check_cuda(cudaMemcpy(p->device_x, p->narrow_x, x_bytes, cudaMemcpyHostToDevice));
    check_cuda(cudaMemcpy(p->device_y, p->narrow_y, y_bytes, cudaMemcpyHostToDevice));
    expect_ok(spmv_multiply_device(matrix, p->alpha, p->device_x, p->beta, p->device_y, NULL));
    check_cuda(cudaMemcpy(p->result, p->device_y, y_bytes, cudaMemcpyDeviceToHost));
    return ratio(p);
}

static void matrix_of(struct spmv_coo *coo, const char *name)
{
    if (sparse_matrix_of(coo, name, SEED) != DM_OK)
        fail("%s", dm_message());
}

static void create(struct spmv_matrix *matrix, int format, const struct spmv_coo *coo,
                   struct spmv_options options)
{
    if (spmv_matrix_create(matrix, (enum spmv_format)format, coo, &options) != DM_OK)
        fail("%s", dm_message());
    if (spmv_matrix_to_device(matrix) != DM_OK)
        fail("%s", dm_message());
}

/* ThreadSanitizer does not know OpenMP's barriers. */
static int several_threads(void)
{
#if defined(__SANITIZE_THREAD__)
    return 1;
#else
    return 3;
#endif
}

static void report(const char *where, const char *name, const struct spmv_matrix *matrix,
                   const struct product *p, double error_ratio)
{
    if (error_ratio <= 1)
        return;
    printf("# %s %s %s %s alpha %g beta %g: error ratio %g\n", name, matrix->operations->name,
           where, p->precision == SPMV_DOUBLE ? "double" : "float", p->alpha, p->beta, error_ratio);
    expect(!"the reference product");
}

static void check_products(const char *name, const struct spmv_matrix *matrix, struct product *p)
{
    omp_set_num_threads(1);
    report("1 thread", name, matrix, p, host_ratio(p, matrix));
    omp_set_num_threads(several_threads());
    report("several threads", name, matrix, p, host_ratio(p, matrix));
    report("device", name, matrix, p, device_ratio(p, matrix));
}

/* All factors, but one pair of them for a format that is nearly all padding: it takes long. */
static void products_of(const char *name, enum spmv_precision precision)
{
    struct spmv_coo coo;
    struct product p;
    struct spmv_matrix matrix[SPMV_FORMATS];
    matrix_of(&coo, name);
    product_open(&p, &coo);
    for (int format = 0; format < SPMV_FORMATS; format++)
        create(&matrix[format], format, &coo, (struct spmv_options){.precision = precision});
    for (int a = 0; a < FACTORS; a++)
        for (int b = 0; b < FACTORS; b++) {
            prepare(&p, precision, factors[a], factors[b]);
            for (int format = 0; format < SPMV_FORMATS; format++)
                if (matrix[format].stored <= 100 * coo.entries || (a == 3 && b == 2))
                    check_products(name, &matrix[format], &p);
        }
    for (int format = 0; format < SPMV_FORMATS; format++)
        spmv_matrix_release(&matrix[format]);
    product_close(&p);
    spmv_coo_close(&coo);
}

static void products_in_double(void)
{
    for (int m = 0; m < MATRICES; m++)
        products_of(matrices[m], SPMV_DOUBLE);
}

static void products_in_float(void)
{
    for (int m = 0; m < MATRICES; m++)
        products_of(matrices[m], SPMV_FLOAT);
}

/* Row starts of 64 bits, as a matrix of more than 2^31 entries has them, and larger hacks. */
static void other_options(void)
{
    const char *const names[] = {"power:500:12", "dense_row:2300", "rectangular:150:6"};
    for (int m = 0; m < 3; m++)
        for (int precision = SPMV_FLOAT; precision <= SPMV_DOUBLE; precision++) {
            struct spmv_coo coo;
            struct product p;
            matrix_of(&coo, names[m]);
            product_open(&p, &coo);
            prepare(&p, precision, 0.5, -1);
            for (int format = 0; format < SPMV_FORMATS; format++) {
                struct spmv_matrix matrix;
                struct spmv_options options = {precision, 64, 0, true};
                create(&matrix, format, &coo, options);
                if (format == SPMV_CSR)
                    expect((int64_t)matrix.index_bytes == 4 * coo.entries + 8 * (coo.rows + 1));
                check_products(names[m], &matrix, &p);
                spmv_matrix_release(&matrix);
            }
            product_close(&p);
            spmv_coo_close(&coo);
        }
}

/* What x and y hold that is no number must come out where it belongs, and nowhere else. */
static void products_with(void (*spoil)(struct product *p), double beta)
{
    const char *const names[] = {"pde:6", "power:300:12", "dense_row:500", "empty_rows:90:3",
                                 "rectangular:60:4"};
    for (int m = 0; m < 5; m++)
        for (int precision = SPMV_FLOAT; precision <= SPMV_DOUBLE; precision++) {
            struct spmv_coo coo;
            struct product p;
            matrix_of(&coo, names[m]);
            product_open(&p, &coo);
            spoil(&p);
            prepare(&p, precision, 0.5, beta);
            for (int format = 0; format < SPMV_FORMATS; format++) {
                struct spmv_matrix matrix;
                create(&matrix, format, &coo, (struct spmv_options){.precision = precision});
                check_products(names[m], &matrix, &p);
                spmv_matrix_release(&matrix);
            }
            product_close(&p);
            spmv_coo_close(&coo);
        }
}

static void spoil_y(struct product *p)
{
    for (int64_t row = 0; row < p->coo->rows; row++)
        p->y[row] = row % 3 ? (double)NAN : (double)INFINITY;
}

static void spoil_x(struct product *p)
{
    p->x[p->coo->columns / 5] = (double)NAN;
    p->x[p->coo->columns / 3] = (double)INFINITY;
    p->x[p->coo->columns - 1] = -(double)INFINITY;
}

/* The first column is where careless padding points to. */
static void spoil_first_x(struct product *p)
{
    p->x[0] = (double)NAN;
}

static void beta_zero_does_not_read_y(void)
{
    products_with(spoil_y, 0);
}

static void not_numbers_in_y(void)
{
    products_with(spoil_y, 0.5);
}

static void not_numbers_in_x(void)
{
    products_with(spoil_x, 0);
    products_with(spoil_x, 1);
    products_with(spoil_first_x, 0);
}

static bool same_matrix(const struct spmv_coo *a, const struct spmv_coo *b, bool is_float)
{
    bool same = a->rows == b->rows && a->columns == b->columns && a->entries == b->entries;
    for (int64_t k = 0; same && k < a->entries; k++)
        same = a->row[k] == b->row[k] && a->column[k] == b->column[k] &&
               (is_float ? (float)a->value[k] : a->value[k]) == b->value[k];
    return same;
}

static void every_format_gives_the_matrix_back(void)
{
    for (int m = 0; m < MATRICES; m++)
        for (int precision = SPMV_FLOAT; precision <= SPMV_DOUBLE; precision++) {
            struct spmv_coo coo;
            matrix_of(&coo, matrices[m]);
            for (int format = 0; format < SPMV_FORMATS; format++) {
                struct spmv_matrix matrix;
                struct spmv_coo back;
                create(&matrix, format, &coo, (struct spmv_options){.precision = precision});
                expect_ok(spmv_matrix_to_coo(&matrix, &back));
                expect(same_matrix(&coo, &back, precision == SPMV_FLOAT));
                spmv_coo_close(&back);
                spmv_matrix_release(&matrix);
            }
            spmv_coo_close(&coo);
        }
}

/* An explicit zero is an entry, not padding; a matrix may have no entry at all. */
static void zeros_and_nothing(void)
{
    struct spmv_coo zeros = {0}, nothing = {0};
    expect_ok(spmv_coo_open(&zeros, 3, 5, 2));
    expect_ok(spmv_coo_add(&zeros, 1, 4, 0));
    expect_ok(spmv_coo_add(&zeros, 1, 0, 2));
    expect_ok(spmv_coo_finish(&zeros));
    expect_ok(spmv_coo_open(&nothing, 40, 3, 0));
    expect_ok(spmv_coo_finish(&nothing));
    const struct spmv_coo *coos[] = {&zeros, &nothing};
    for (int c = 0; c < 2; c++)
        for (int format = 0; format < SPMV_FORMATS; format++) {
            struct spmv_matrix matrix;
            struct spmv_coo back;
            struct product p;
            create(&matrix, format, coos[c], (struct spmv_options){.precision = SPMV_DOUBLE});
            product_open(&p, coos[c]);
            prepare(&p, SPMV_DOUBLE, 1, -1);
            check_products(c ? "nothing" : "zeros", &matrix, &p);
            expect_ok(spmv_matrix_to_coo(&matrix, &back));
            expect(same_matrix(coos[c], &back, false));
            spmv_coo_close(&back);
            product_close(&p);
            spmv_matrix_release(&matrix);
        }
    spmv_coo_close(&zeros);
    spmv_coo_close(&nothing);
}

static void changes_in_place(void)
{
    struct spmv_coo coo;
    struct spmv_matrix matrix;
    struct product p;
    matrix_of(&coo, "varied:300:1");
    product_open(&p, &coo);
    prepare(&p, SPMV_DOUBLE, 1, 1);
    create(&matrix, SPMV_CSR, &coo, (struct spmv_options){.precision = SPMV_DOUBLE});
    for (int step = 1; step <= 2 * SPMV_FORMATS; step++) {
        enum spmv_format format = (enum spmv_format)(3 * step % SPMV_FORMATS);
        expect_ok(spmv_matrix_change(&matrix, format));
        expect(matrix.operations == sparse_operations[format]);
        expect(matrix.device == NULL);
        expect(host_ratio(&p, &matrix) <= 1);
        expect_ok(spmv_matrix_to_device(&matrix));
        expect(device_ratio(&p, &matrix) <= 1);
    }
    spmv_matrix_release(&matrix);
    product_close(&p);
    spmv_coo_close(&coo);
}

/* One full row of 20,000 makes ELL 20,000 wide. */
static void sizes_are_limited(void)
{
    struct spmv_coo coo;
    struct spmv_matrix matrix;
    struct spmv_options options = {.precision = SPMV_DOUBLE, .memory_limit = 4 << 20};
    matrix_of(&coo, "dense_row:20000");
    expect_error(spmv_matrix_create(&matrix, SPMV_ELL, &coo, &options), DM_NO_MEMORY, "ell");
    expect(strstr(dm_message(), "4.8 GB") != NULL);
    expect(strstr(dm_message(), "padding") != NULL);
    expect(matrix.host == NULL);

    expect_ok(spmv_matrix_create(&matrix, SPMV_CSR, &coo, &options));
    expect(matrix.value_bytes == (size_t)coo.entries * 8);
    expect(matrix.index_bytes == (size_t)coo.entries * 4 + (size_t)(coo.rows + 1) * 4);
    expect(spmv_matrix_change(&matrix, SPMV_ELG) != DM_OK);
    expect(matrix.operations == sparse_operations[SPMV_CSR]);
    expect(matrix.host != NULL);
    options.memory_limit = matrix.value_bytes + matrix.index_bytes;
    spmv_matrix_release(&matrix);
    expect_ok(spmv_matrix_create(&matrix, SPMV_CSR, &coo, &options));
    spmv_matrix_release(&matrix);
    options.memory_limit--;
    expect(spmv_matrix_create(&matrix, SPMV_CSR, &coo, &options) != DM_OK);

    expect_ok(spmv_matrix_create(&matrix, SPMV_CSC, &coo, NULL));
    expect(matrix.options.precision == SPMV_DOUBLE);
    spmv_matrix_release(&matrix);
    spmv_coo_close(&coo);
}

/* The rectangle of 2^31 - 1 rows, of which one is as long, has more bytes than a size_t counts. */
static void sizes_do_not_overflow(void)
{
    struct spmv_matrix matrix = {.operations = &sparse_elg_operations,
                                 .options = {.precision = SPMV_DOUBLE},
                                 .rows = INT32_MAX,
                                 .columns = INT32_MAX,
                                 .entries = INT32_MAX};
    sparse_ell_size(INT32_MAX, INT32_MAX, true, &matrix.options, &matrix.value_bytes,
                    &matrix.index_bytes, &matrix.stored);
    expect(matrix.stored == ((int64_t)1 << 31) * INT32_MAX);
    expect(matrix.value_bytes == SIZE_MAX);
    expect(matrix.index_bytes == SIZE_MAX);
    expect_error(sparse_matrix_fits(&matrix), DM_NO_MEMORY, "100.0 % of them padding");
}

/* What depends on the rows alone counts as well: where each begins. */
static void starts_of_empty_rows_are_counted(void)
{
    int32_t row[] = {7}, column[] = {7};
    double value[] = {1};
    struct spmv_coo coo = {.rows = INT32_MAX,
                           .columns = INT32_MAX,
                           .entries = 1,
                           .row = row,
                           .column = column,
                           .value = value};
    struct spmv_options options = {.precision = SPMV_DOUBLE, .memory_limit = 1 << 20};
    struct spmv_matrix matrix;
    expect_error(spmv_matrix_create(&matrix, SPMV_CSR, &coo, &options), DM_NO_MEMORY, "8.59 GB");
}

/* A product whose y begins `apart` values behind x, which has 16. */
static enum dm_status multiply_apart(const struct spmv_matrix *matrix, bool on_device, int apart)
{
    float *memory =
        memory_allocate(on_device ? MEMORY_DEVICE : MEMORY_PAGEABLE, 64 * sizeof(float));
    float *x = memory + 16, *y = x + apart;
    enum dm_status status = on_device ? spmv_multiply_device(matrix, 1, x, 0, y, NULL)
                                      : spmv_multiply(matrix, 1, x, 0, y);
    check_cuda(cudaDeviceSynchronize());
    memory_release(on_device ? MEMORY_DEVICE : MEMORY_PAGEABLE, memory);
    return status;
}

static void overlapping_vectors_are_refused(void)
{
    struct spmv_coo coo;
    struct spmv_matrix matrix;
    matrix_of(&coo, "rectangular:8:5"); /* x has 16 values, y 8 */
    create(&matrix, SPMV_CSR, &coo, (struct spmv_options){.precision = SPMV_FLOAT});
    expect_ok(spmv_matrix_to_device(&matrix));
    for (int on_device = 0; on_device < 2; on_device++) {
        expect_error(multiply_apart(&matrix, on_device, 0), DM_INVALID, "x and y overlap");
        expect_error(multiply_apart(&matrix, on_device, 15), DM_INVALID, "x and y overlap");
        expect_ok(multiply_apart(&matrix, on_device, 16));
        expect_error(multiply_apart(&matrix, on_device, -7), DM_INVALID, "x and y overlap");
        expect_ok(multiply_apart(&matrix, on_device, -8));
    }
    spmv_matrix_release(&matrix);
    spmv_coo_close(&coo);
}

static void names(void)
{
    for (int format = 0; format < SPMV_FORMATS; format++)
        expect((int)spmv_format_of(sparse_operations[format]->name) == format);
    expect(spmv_format_of("hlg") == SPMV_HLL);
    expect(spmv_format_of("HLL") == SPMV_FORMATS);
    expect(spmv_format_of("") == SPMV_FORMATS);
}

/* Takes device memory until no piece of a megabyte is left. */
static int fill_device(void **pieces, int limit)
{
    size_t bytes, total;
    int count = 0;
    check_cuda(cudaMemGetInfo(&bytes, &total));
    while (bytes >= 1 << 20 && count < limit)
        if (cudaMalloc(&pieces[count], bytes) == cudaSuccess) {
            count++;
        } else {
            cudaGetLastError();
            bytes /= 2;
        }
    return count;
}

/* The matrices are larger than what is left of the device; later there is room, and nothing of the
 * attempts has stayed. */
static void full_device_is_reported(void)
{
    struct spmv_coo coo;
    struct spmv_matrix matrix[SPMV_FORMATS];
    void *pieces[256];
    size_t before, after, total;
    matrix_of(&coo, "fem:14");
    check_cuda(cudaMemGetInfo(&before, &total));
    int count = fill_device(pieces, 256);
    for (int format = 0; format < SPMV_FORMATS; format++) {
        expect_ok(spmv_matrix_create(&matrix[format], (enum spmv_format)format, &coo, NULL));
        expect(spmv_matrix_to_device(&matrix[format]) != DM_OK);
        expect(matrix[format].device == NULL);
        expect(strstr(dm_message(), "does not fit on the device") != NULL);
    }
    while (count > 0)
        check_cuda(cudaFree(pieces[--count]));
    check_cuda(cudaMemGetInfo(&after, &total));
    expect(before == after);
    for (int format = 0; format < SPMV_FORMATS; format++) {
        expect_ok(spmv_matrix_to_device(&matrix[format]));
        spmv_matrix_release(&matrix[format]);
    }
    spmv_coo_close(&coo);
}

/* The sum of a row does not depend on who computes it. */
static void threads_do_not_change_a_bit(void)
{
    const enum spmv_format formats[] = {SPMV_COO, SPMV_CSR, SPMV_ELL, SPMV_ELG, SPMV_HLL, SPMV_HYB};
    const size_t format_count = sizeof formats / sizeof *formats;
    struct spmv_coo coo;
    struct product p;
    matrix_of(&coo, "power:500:12");
    product_open(&p, &coo);
    prepare(&p, SPMV_DOUBLE, 0.3, 0.7);
    double *one = memory(coo.rows);
    for (size_t f = 0; f < format_count; f++) {
        struct spmv_matrix matrix;
        create(&matrix, formats[f], &coo, (struct spmv_options){.precision = SPMV_DOUBLE});
        omp_set_num_threads(1);
        host_ratio(&p, &matrix);
        memcpy(one, p.result, (size_t)coo.rows * sizeof *one);
        for (int threads = 2; threads <= 5 && several_threads() > 1; threads++) {
            omp_set_num_threads(threads);
            host_ratio(&p, &matrix);
            expect(memcmp(one, p.result, (size_t)coo.rows * sizeof *one) == 0);
        }
        spmv_matrix_release(&matrix);
    }
    free(one);
    product_close(&p);
    spmv_coo_close(&coo);
}

int main(void)
{
    omp_set_num_threads(several_threads());
    run_test(overlapping_vectors_are_refused);
    run_test(names);
    run_test(products_in_double);
    run_test(products_in_float);
    run_test(other_options);
    run_test(beta_zero_does_not_read_y);
    run_test(not_numbers_in_y);
    run_test(not_numbers_in_x);
    run_test(every_format_gives_the_matrix_back);
    run_test(zeros_and_nothing);
    run_test(changes_in_place);
    run_test(threads_do_not_change_a_bit);
    run_test(full_device_is_reported);
    run_test(sizes_are_limited);
    run_test(sizes_do_not_overflow);
    run_test(starts_of_empty_rows_are_counted);
    return end_tests();
}
