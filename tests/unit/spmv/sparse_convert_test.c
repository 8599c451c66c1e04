/* Formats made on the device from CSR are, bit for bit, those that are built on the host and
 * copied. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "spmv/sparse_convert.h"
#include "spmv/sparse_csc.h"
#include "spmv/sparse_entries.h"
#include "spmv/sparse_generate.h"
#include "spmv/sparse_hll.h"
#include "spmv/sparse_hyb.h"
#include "tests/unit/test.h"

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

static bool same_sizes(const struct sparse_matrix *a, const struct sparse_matrix *b)
{
    return a->operations == b->operations && a->rows == b->rows && a->columns == b->columns &&
           a->entries == b->entries && a->stored == b->stored && a->value_bytes == b->value_bytes &&
           a->index_bytes == b->index_bytes &&
           memcmp(&a->options, &b->options, sizeof a->options) == 0;
}

static bool same_coo(const struct sparse_matrix *a, const struct sparse_matrix *b)
{
    const struct sparse_entries *p = a->device, *q = b->device;
    return same_sizes(a, b) && p->entries == q->entries &&
           same_bytes(p->row, q->row, a->index_bytes / 2) &&
           same_bytes(p->column, q->column, a->index_bytes / 2) &&
           same_bytes(p->value, q->value, a->value_bytes);
}

static bool same_csc(const struct sparse_matrix *a, const struct sparse_matrix *b)
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

static bool same_hll(const struct sparse_matrix *a, const struct sparse_matrix *b)
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

static bool same_hyb(const struct sparse_matrix *a, const struct sparse_matrix *b)
{
    const struct sparse_hyb *p = a->device, *q = b->device;
    return same_rectangle(&p->ell, &q->ell, sparse_value_bytes(a->options.precision)) &&
           same_coo(&p->rest, &q->rest);
}

static bool same_matrix(enum sparse_format format, const struct sparse_matrix *a,
                        const struct sparse_matrix *b)
{
    if (!same_sizes(a, b))
        return false;
    switch (format) {
    case SPARSE_COO:
        return same_coo(a, b);
    case SPARSE_CSC:
        return same_csc(a, b);
    case SPARSE_HLL:
        return same_hll(a, b);
    case SPARSE_HYB:
        return same_hyb(a, b);
    default:
        return same_rectangle(a->device, b->device, sparse_value_bytes(a->options.precision));
    }
}

static void create(struct sparse_matrix *matrix, enum sparse_format format,
                   const struct sparse_coo *coo, const struct sparse_options *options)
{
    struct sparse_error error;
    if (!sparse_matrix_create(matrix, format, coo, options, &error) ||
        !sparse_matrix_to_device(matrix, &error))
        fail("%s", error.text);
}

static double product_ratio(const struct sparse_matrix *matrix, const struct sparse_coo *coo)
{
    bool is_double = matrix->options.precision == SPARSE_DOUBLE;
    size_t each = sparse_value_bytes(matrix->options.precision);
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
    if (!sparse_device_copy(&device_x, narrow, columns * each) ||
        !sparse_device_memory(&device_y, rows * each))
        fail("no device memory");
    sparse_multiply_device(matrix, 1, device_x, 0, device_y, NULL);
    check_cuda(cudaMemcpy(narrow, device_y, rows * each, cudaMemcpyDeviceToHost));
    double ratio = sparse_error_ratio(coo, narrow, is_double, exact, magnitude);
    sparse_device_release(device_x);
    sparse_device_release(device_y);
    free(narrow);
    free(memory);
    return ratio;
}

/* All formats of one matrix on a stream of its own. */
static void check_matrix(const char *name, const struct sparse_coo *coo,
                         const struct sparse_options *options)
{
    struct sparse_matrix csr, expected, converted;
    struct sparse_error error = {""};
    cudaStream_t stream;
    create(&csr, SPARSE_CSR, coo, options);
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int f = 0; f < SPARSE_FORMATS; f++) {
        enum sparse_format format = (enum sparse_format)f;
        if (format == SPARSE_CSR)
            continue;
        create(&expected, format, coo, options);
        bool done = sparse_matrix_convert_device(&converted, format, &csr, stream, &error);
        bool same = done && same_matrix(format, &converted, &expected);
        bool right = done && product_ratio(&converted, coo) <= 1;
        if (!same || !right)
            printf("# %s to %s, %s: %s %s\n", name, sparse_operations[format]->name,
                   options->precision == SPARSE_DOUBLE ? "double" : "float",
                   same ? "wrong product" : "not the same", error.text);
        expect(same);
        expect(right);
        sparse_matrix_release(&converted);
        sparse_matrix_release(&expected);
    }
    check_cuda(cudaStreamDestroy(stream));
    sparse_matrix_release(&csr);
}

static void matrix_of(struct sparse_coo *coo, const char *name)
{
    struct sparse_error error;
    if (!sparse_matrix_of(coo, name, SEED, &error))
        fail("%s", error.text);
}

static void check_from(int first, struct sparse_options options)
{
    for (int m = first; m < MATRICES; m++) {
        struct sparse_coo coo;
        matrix_of(&coo, matrices[m]);
        check_matrix(matrices[m], &coo, &options);
        sparse_coo_close(&coo);
    }
}

static void same_as_from_the_host_in_double(void)
{
    check_from(0, (struct sparse_options){.precision = SPARSE_DOUBLE});
}

static void same_as_from_the_host_in_float(void)
{
    check_from(1, (struct sparse_options){.precision = SPARSE_FLOAT});
}

static void wide_starts_and_larger_hacks(void)
{
    check_from(1, (struct sparse_options){
                      .precision = SPARSE_DOUBLE, .hack_rows = 96, .wide_starts = true});
    check_from(1, (struct sparse_options){
                      .precision = SPARSE_FLOAT, .hack_rows = 320, .wide_starts = true});
}

/* No entry at all; explicit zeros, of both signs; one full column, whose entries must keep the
 * order of their rows. */
static void nothing_zeros_and_a_full_column(void)
{
    const struct sparse_options options = {.precision = SPARSE_DOUBLE};
    struct sparse_error error;
    struct sparse_coo nothing, zeros, column;
    expect(sparse_coo_open(&nothing, 40, 3, 0, &error));
    expect(sparse_coo_open(&zeros, 70, 1, 2, &error));
    expect(sparse_coo_add(&zeros, 69, 0, 0, &error));
    expect(sparse_coo_add(&zeros, 1, 0, -0.0, &error));
    expect(sparse_coo_open(&column, 5000, 300, 10000, &error));
    for (int64_t row = 0; row < 5000; row++) {
        expect(sparse_coo_add(&column, row, 299, (double)row, &error));
        expect(sparse_coo_add(&column, row, row % 17, (double)-row, &error));
    }
    struct sparse_coo *coos[] = {&nothing, &zeros, &column};
    for (int c = 0; c < 3; c++) {
        expect(sparse_coo_finish(coos[c], &error));
        check_matrix("own", coos[c], &options);
        sparse_coo_close(coos[c]);
    }
}

/* The same sentence as on the host. */
static void padding_that_would_not_fit_is_refused(void)
{
    const struct sparse_options options = {.precision = SPARSE_DOUBLE, .memory_limit = 4 << 20};
    struct sparse_coo coo;
    struct sparse_matrix csr, host, device;
    matrix_of(&coo, "dense_row:20000");
    create(&csr, SPARSE_CSR, &coo, &options);
    for (int f = 0; f < SPARSE_FORMATS; f++) {
        struct sparse_error error = {""}, expected = {""};
        if (f == SPARSE_CSR)
            continue;
        bool fits = sparse_matrix_create(&host, (enum sparse_format)f, &coo, &options, &expected);
        bool done =
            sparse_matrix_convert_device(&device, (enum sparse_format)f, &csr, NULL, &error);
        expect(done == fits);
        expect(strcmp(error.text, expected.text) == 0);
        expect(done || (!device.operations && !device.device));
        if (f == SPARSE_ELL || f == SPARSE_ELG)
            expect(strstr(error.text, "padding") != NULL);
        else if (f == SPARSE_COO || f == SPARSE_CSC)
            expect(done);
        sparse_matrix_release(&host);
        sparse_matrix_release(&device);
    }
    sparse_matrix_release(&csr);
    sparse_coo_close(&coo);
}

static void what_is_no_csr_on_the_device_is_refused(void)
{
    const struct sparse_options options = {.precision = SPARSE_DOUBLE};
    const struct sparse_options bad_hacks = {.precision = SPARSE_DOUBLE, .hack_rows = 33};
    struct sparse_coo coo, back;
    struct sparse_matrix from, to;
    struct sparse_error error = {""};
    matrix_of(&coo, "pde:4");
    create(&from, SPARSE_COO, &coo, &options);
    expect(!sparse_matrix_convert_device(&to, SPARSE_ELL, &from, NULL, &error));
    expect(strstr(error.text, "from csr") != NULL);
    sparse_matrix_release(&from);
    expect(sparse_matrix_create(&from, SPARSE_CSR, &coo, &bad_hacks, &error));
    expect(!sparse_matrix_convert_device(&to, SPARSE_ELL, &from, NULL, &error));
    expect(strstr(error.text, "sparse_matrix_to_device") != NULL);
    expect(sparse_matrix_to_device(&from, &error));
    expect(!sparse_matrix_convert_device(&to, SPARSE_CSR, &from, NULL, &error));
    expect(strstr(error.text, "already") != NULL);
    expect(!sparse_matrix_convert_device(&to, SPARSE_HLL, &from, NULL, &error));
    expect(strstr(error.text, "a multiple of 32") != NULL);
    expect(sparse_matrix_convert_device(&to, SPARSE_ELL, &from, NULL, &error));
    expect(!sparse_matrix_to_coo(&to, &back, &error));
    expect(strstr(error.text, "device alone") != NULL);
    expect(!sparse_matrix_change(&to, SPARSE_CSR, &error));
    expect(to.operations == sparse_operations[SPARSE_ELL]);
    sparse_matrix_release(&to);
    sparse_matrix_release(&from);
    sparse_coo_close(&coo);
}

/* Takes the device's memory in ever smaller blocks, until there is nothing left. */
enum { BLOCKS_MOST = 4096, LEAST_BLOCK = 32768 };

static int take_all_memory(void *blocks[BLOCKS_MOST])
{
    size_t bytes, total;
    int count = 0;
    check_cuda(cudaMemGetInfo(&bytes, &total));
    while (bytes >= LEAST_BLOCK && count < BLOCKS_MOST)
        if (sparse_device_memory(&blocks[count], bytes))
            count++;
        else
            bytes /= 2;
    return count;
}

/* Block after block is given back: first nothing fits, at last everything does, and between them a
 * conversion ends at each of its allocations. */
static void too_little_memory_is_refused(void)
{
    const struct sparse_options options = {.precision = SPARSE_DOUBLE};
    static void *blocks[BLOCKS_MOST];
    struct sparse_coo coo;
    struct sparse_matrix csr, to;
    int refused[SPARSE_FORMATS] = {0}, done[SPARSE_FORMATS] = {0};
    matrix_of(&coo, "power:3000:12");
    create(&csr, SPARSE_CSR, &coo, &options);
    for (int count = take_all_memory(blocks); count >= 0; count--) {
        for (int f = 0; f < SPARSE_FORMATS; f++) {
            struct sparse_error error = {""};
            if (f == SPARSE_CSR || done[f])
                continue;
            done[f] = sparse_matrix_convert_device(&to, (enum sparse_format)f, &csr, NULL, &error);
            expect(done[f] || strstr(error.text, "does not fit on the device"));
            refused[f] += !done[f];
            sparse_matrix_release(&to);
        }
        if (count > 0)
            sparse_device_release(blocks[count - 1]);
    }
    for (int f = 0; f < SPARSE_FORMATS; f++)
        expect(f == SPARSE_CSR || (refused[f] > 0 && done[f]));
    sparse_matrix_release(&csr);
    sparse_coo_close(&coo);
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
