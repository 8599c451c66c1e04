/* Formats made on the device from CSR are, bit for bit, those that are built on the host and
 * copied. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/spmv.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "spmv/bench/reference.h"
#include "spmv/formats/csc.h"
#include "spmv/formats/coo_format.h"
#include "spmv/bench/generate.h"
#include "spmv/formats/hll.h"
#include "spmv/formats/hyb.h"
#include "tests/unit/test_status.h"

/* Every kind of the generators. dense_row has rows longer than a tile of CSR and than a segment of
 * HLL, and takes long; so it is first, and not all options are tried with it. */
static const char *const matrices[] = {
    "dense_row:2300",    "pde:8",          "point5:15",    "point7:6",
    "point27:6",         "banded:300:5",   "fem:4",        "power:500:12",
    "random:300:9",      "varied:300:2",   "diagonal:257", "rectangular:150:6",
    "empty_rows:400:5",  "pde:1",          "pde:20",       "power:900:150",
    "empty_rows:70:100", "rectangular:8:5"};
enum { MATRICES = sizeof matrices / sizeof *matrices, SEED = 23 };

static bool same_bytes(const void *a, const void *b, size_t bytes)
{
    char *copy = allocate_or_fail(2, bytes + 1);
    check_cuda(cudaMemcpy(copy, a, bytes, cudaMemcpyDeviceToHost));
    check_cuda(cudaMemcpy(copy + bytes, b, bytes, cudaMemcpyDeviceToHost));
    bool same = memcmp(copy, copy + bytes, bytes) == 0;
    free(copy);
    return same;
}

static bool same_starts(const struct sparse_starts *a, const struct sparse_starts *b)
{
    size_t each = a->is_wide ? sizeof(int64_t) : sizeof(int32_t);
    return a->count == b->count && a->is_wide == b->is_wide &&
           same_bytes(a->offset, b->offset, (size_t)(a->count + 1) * each);
}

static bool same_sizes(const struct spmv_matrix *a, const struct spmv_matrix *b)
{
    return a->operations == b->operations && a->rows == b->rows && a->columns == b->columns &&
           a->entries == b->entries && a->stored == b->stored && a->value_bytes == b->value_bytes &&
           a->index_bytes == b->index_bytes &&
           memcmp(&a->options, &b->options, sizeof a->options) == 0;
}

static bool same_coo(const struct spmv_matrix *a, const struct spmv_matrix *b)
{
    const struct sparse_entries *p = a->device, *q = b->device;
    return same_sizes(a, b) && p->entries == q->entries &&
           same_bytes(p->row, q->row, a->index_bytes / 2) &&
           same_bytes(p->column, q->column, a->index_bytes / 2) &&
           same_bytes(p->value, q->value, a->value_bytes);
}

static bool same_csc(const struct spmv_matrix *a, const struct spmv_matrix *b)
{
    const struct sparse_csc *p = a->device, *q = b->device;
    return same_starts(&p->starts, &q->starts) &&
           same_bytes(p->row, q->row, (size_t)a->entries * sizeof(int32_t)) &&
           same_bytes(p->value, q->value, a->value_bytes);
}

static bool same_rectangle(const struct sparse_ell *p, const struct sparse_ell *q, size_t each)
{
    size_t stored = (size_t)(p->pitch * p->width);
    return p->pitch == q->pitch && p->width == q->width && !p->length == !q->length &&
           same_bytes(p->column, q->column, stored * sizeof(int32_t)) &&
           same_bytes(p->value, q->value, stored * each) &&
           (!p->length || same_bytes(p->length, q->length, (size_t)p->pitch * sizeof(int32_t)));
}

static bool same_hll(const struct spmv_matrix *a, const struct spmv_matrix *b)
{
    const struct sparse_hll *p = a->device, *q = b->device;
    return p->hack_rows == q->hack_rows && p->segment_count == q->segment_count &&
           same_starts(&p->starts, &q->starts) &&
           same_bytes(p->length, q->length,
                      (size_t)(p->starts.count * p->hack_rows) * sizeof(int32_t)) &&
           same_bytes(p->column, q->column, (size_t)a->stored * sizeof(int32_t)) &&
           same_bytes(p->value, q->value, a->value_bytes) &&
           same_bytes(p->segments, q->segments, (size_t)p->segment_count * sizeof *p->segments);
}

static bool same_hyb(const struct spmv_matrix *a, const struct spmv_matrix *b)
{
    const struct sparse_hyb *p = a->device, *q = b->device;
    return same_rectangle(&p->ell, &q->ell, spmv_value_bytes(a->options.precision)) &&
           same_coo(&p->rest, &q->rest);
}

static bool same_matrix(enum spmv_format format, const struct spmv_matrix *a,
                        const struct spmv_matrix *b)
{
    if (!same_sizes(a, b))
        return false;
    switch (format) {
    case SPMV_COO:
        return same_coo(a, b);
    case SPMV_CSC:
        return same_csc(a, b);
    case SPMV_HLL:
        return same_hll(a, b);
    case SPMV_HYB:
        return same_hyb(a, b);
    default:
        return same_rectangle(a->device, b->device, spmv_value_bytes(a->options.precision));
    }
}

static void create(struct spmv_matrix *matrix, enum spmv_format format, const struct spmv_coo *coo,
                   const struct spmv_options *options)
{
    if (spmv_matrix_create(matrix, format, coo, options) != DM_OK ||
        spmv_matrix_to_device(matrix) != DM_OK)
        fail("%s", dm_message());
}

static double product_ratio(const struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    bool is_double = matrix->options.precision == SPMV_DOUBLE;
    size_t each = spmv_value_bytes(matrix->options.precision);
    size_t rows = (size_t)coo->rows, columns = (size_t)coo->columns;
    double *memory = allocate_or_fail(2 * rows + columns, sizeof *memory);
    double *x = memory, *exact = memory + columns, *magnitude = exact + rows;
    void *narrow = allocate_or_fail(rows + columns, sizeof *memory), *device_x, *device_y;
    for (size_t i = 0; i < columns; i++) {
        x[i] = (float)(2 * random_uniform(SEED, i) - 1);
        if (is_double)
            ((double *)narrow)[i] = x[i];
        else
            ((float *)narrow)[i] = (float)x[i];
    }
    sparse_reference(coo, 1, x, 0, exact, magnitude);
    if (sparse_device_copy(&device_x, narrow, columns * each) != DM_OK ||
        sparse_device_memory(&device_y, rows * each) != DM_OK)
        fail("no device memory");
    expect_ok(spmv_multiply_device(matrix, 1, device_x, 0, device_y, NULL));
    check_cuda(cudaMemcpy(narrow, device_y, rows * each, cudaMemcpyDeviceToHost));
    double ratio = sparse_error_ratio(coo, narrow, is_double, exact, magnitude);
    sparse_device_release(device_x);
    sparse_device_release(device_y);
    free(narrow);
    free(memory);
    return ratio;
}

/* All formats of one matrix on a stream of its own. */
static void check_matrix(const char *name, const struct spmv_coo *coo,
                         const struct spmv_options *options)
{
    struct spmv_matrix csr, expected, converted;
    cudaStream_t stream;
    create(&csr, SPMV_CSR, coo, options);
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int f = 0; f < SPMV_FORMATS; f++) {
        enum spmv_format format = (enum spmv_format)f;
        if (format == SPMV_CSR)
            continue;
        create(&expected, format, coo, options);
        bool done = spmv_matrix_convert_device(&converted, format, &csr, stream) == DM_OK;
        bool same = done && same_matrix(format, &converted, &expected);
        bool right = done && product_ratio(&converted, coo) <= 1;
        if (!same || !right)
            printf("# %s to %s, %s: %s %s\n", name, sparse_operations[format]->name,
                   options->precision == SPMV_DOUBLE ? "double" : "float",
                   same ? "wrong product" : "not the same", dm_message());
        expect(same);
        expect(right);
        spmv_matrix_release(&converted);
        spmv_matrix_release(&expected);
    }
    check_cuda(cudaStreamDestroy(stream));
    spmv_matrix_release(&csr);
}

static void matrix_of(struct spmv_coo *coo, const char *name)
{
    if (sparse_matrix_of(coo, name, SEED) != DM_OK)
        fail("%s", dm_message());
}

static void check_from(int first, struct spmv_options options)
{
    for (int m = first; m < MATRICES; m++) {
        struct spmv_coo coo;
        matrix_of(&coo, matrices[m]);
        check_matrix(matrices[m], &coo, &options);
        spmv_coo_close(&coo);
    }
}

static void same_as_from_the_host_in_double(void)
{
    check_from(0, (struct spmv_options){.precision = SPMV_DOUBLE});
}

static void same_as_from_the_host_in_float(void)
{
    check_from(1, (struct spmv_options){.precision = SPMV_FLOAT});
}

static void wide_starts_and_larger_hacks(void)
{
    check_from(
        1, (struct spmv_options){.precision = SPMV_DOUBLE, .hack_rows = 96, .wide_starts = true});
    check_from(
        1, (struct spmv_options){.precision = SPMV_FLOAT, .hack_rows = 320, .wide_starts = true});
}

/* No entry at all; explicit zeros, of both signs; one full column, whose entries must keep the
 * order of their rows. */
static void nothing_zeros_and_a_full_column(void)
{
    const struct spmv_options options = {.precision = SPMV_DOUBLE};
    struct spmv_coo nothing, zeros, column;
    expect_ok(spmv_coo_open(&nothing, 40, 3, 0));
    expect_ok(spmv_coo_open(&zeros, 70, 1, 2));
    expect_ok(spmv_coo_add(&zeros, 69, 0, 0));
    expect_ok(spmv_coo_add(&zeros, 1, 0, -0.0));
    expect_ok(spmv_coo_open(&column, 5000, 300, 10000));
    for (int64_t row = 0; row < 5000; row++) {
        expect_ok(spmv_coo_add(&column, row, 299, (double)row));
        expect_ok(spmv_coo_add(&column, row, row % 17, (double)-row));
    }
    struct spmv_coo *coos[] = {&nothing, &zeros, &column};
    for (int c = 0; c < 3; c++) {
        expect_ok(spmv_coo_finish(coos[c]));
        check_matrix("own", coos[c], &options);
        spmv_coo_close(coos[c]);
    }
}

/* The same sentence as on the host. */
static void padding_that_would_not_fit_is_refused(void)
{
    const struct spmv_options options = {.precision = SPMV_DOUBLE, .memory_limit = 4 << 20};
    struct spmv_coo coo;
    struct spmv_matrix csr, host, device;
    matrix_of(&coo, "dense_row:20000");
    create(&csr, SPMV_CSR, &coo, &options);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        char expected[512];
        if (f == SPMV_CSR)
            continue;
        bool fits = spmv_matrix_create(&host, (enum spmv_format)f, &coo, &options) == DM_OK;
        snprintf(expected, sizeof expected, "%s", dm_message());
        bool done = spmv_matrix_convert_device(&device, (enum spmv_format)f, &csr, NULL) == DM_OK;
        expect(done == fits);
        expect(fits || strcmp(dm_message(), expected) == 0);
        expect(done || (!device.operations && !device.device));
        if (f == SPMV_ELL || f == SPMV_ELG)
            expect(strstr(dm_message(), "padding") != NULL);
        else if (f == SPMV_COO || f == SPMV_CSC)
            expect(done);
        spmv_matrix_release(&host);
        spmv_matrix_release(&device);
    }
    spmv_matrix_release(&csr);
    spmv_coo_close(&coo);
}

static void what_is_no_csr_on_the_device_is_refused(void)
{
    const struct spmv_options options = {.precision = SPMV_DOUBLE};
    const struct spmv_options bad_hacks = {.precision = SPMV_DOUBLE, .hack_rows = 33};
    struct spmv_coo coo, back;
    struct spmv_matrix from, to;
    matrix_of(&coo, "pde:4");
    create(&from, SPMV_COO, &coo, &options);
    expect_error(spmv_matrix_convert_device(&to, SPMV_ELL, &from, NULL), DM_INVALID, "from csr");
    spmv_matrix_release(&from);
    expect_ok(spmv_matrix_create(&from, SPMV_CSR, &coo, &bad_hacks));
    expect_error(spmv_matrix_convert_device(&to, SPMV_ELL, &from, NULL), DM_INVALID,
                 "spmv_matrix_to_device");
    expect_ok(spmv_matrix_to_device(&from));
    expect_error(spmv_matrix_convert_device(&to, SPMV_CSR, &from, NULL), DM_INVALID, "already");
    expect_error(spmv_matrix_convert_device(&to, SPMV_HLL, &from, NULL), DM_INVALID,
                 "a multiple of 32");
    expect_ok(spmv_matrix_convert_device(&to, SPMV_ELL, &from, NULL));
    expect_error(spmv_matrix_to_coo(&to, &back), DM_INVALID, "device alone");
    expect(spmv_matrix_change(&to, SPMV_CSR) != DM_OK);
    expect(to.operations == sparse_operations[SPMV_ELL]);
    spmv_matrix_release(&to);
    spmv_matrix_release(&from);
    spmv_coo_close(&coo);
}

/* Takes the device's memory in ever smaller blocks, until there is nothing left. */
enum { BLOCKS_MAX = 4096, BLOCK_MIN = 32768 };

static int take_all_memory(void *blocks[BLOCKS_MAX])
{
    size_t bytes, total;
    int count = 0;
    check_cuda(cudaMemGetInfo(&bytes, &total));
    while (bytes >= BLOCK_MIN && count < BLOCKS_MAX)
        if (sparse_device_memory(&blocks[count], bytes) == DM_OK)
            count++;
        else
            bytes /= 2;
    return count;
}

/* Block after block is given back: first nothing fits, at last everything does, and between them a
 * conversion ends at each of its allocations. */
static void too_little_memory_is_refused(void)
{
    const struct spmv_options options = {.precision = SPMV_DOUBLE};
    static void *blocks[BLOCKS_MAX];
    struct spmv_coo coo;
    struct spmv_matrix csr, to;
    int refused[SPMV_FORMATS] = {0}, done[SPMV_FORMATS] = {0};
    matrix_of(&coo, "power:3000:12");
    create(&csr, SPMV_CSR, &coo, &options);
    for (int count = take_all_memory(blocks); count >= 0; count--) {
        for (int f = 0; f < SPMV_FORMATS; f++) {
            if (f == SPMV_CSR || done[f])
                continue;
            done[f] = spmv_matrix_convert_device(&to, (enum spmv_format)f, &csr, NULL) == DM_OK;
            expect(done[f] || strstr(dm_message(), "does not fit on the device"));
            refused[f] += !done[f];
            spmv_matrix_release(&to);
        }
        if (count > 0)
            sparse_device_release(blocks[count - 1]);
    }
    for (int f = 0; f < SPMV_FORMATS; f++)
        expect(f == SPMV_CSR || (refused[f] > 0 && done[f]));
    spmv_matrix_release(&csr);
    spmv_coo_close(&coo);
}

int main(void)
{
    setenv("SOFTGPU_MEMORY", "512M", 0); /* so that it can be used up */
#if defined(__SANITIZE_THREAD__)
    omp_set_num_threads(1); /* OpenMP's run time is not instrumented */
#endif
    run_test(same_as_from_the_host_in_double);
    run_test(same_as_from_the_host_in_float);
    run_test(wide_starts_and_larger_hacks);
    run_test(nothing_zeros_and_a_full_column);
    run_test(padding_that_would_not_fit_is_refused);
    run_test(too_little_memory_is_refused);
    run_test(what_is_no_csr_on_the_device_is_refused);
    return end_tests();
}
