/* CSC from CSR, on the device. */
#include "sparse_convert_csc.h"

#include <stdlib.h>

#include "common/harness/exit.h"

#include "sparse_convert_internal.h"
#include "sparse_csc.h"

static bool open_device(struct sparse_matrix *matrix)
{
    struct sparse_csc *csc = matrix->device = calloc(1, sizeof *csc);
    if (!csc)
        return false;
    csc->starts = (struct sparse_starts){
        matrix->columns, sparse_starts_are_wide(&matrix->options, matrix->entries), NULL};
    size_t starts_bytes = sparse_starts_bytes(&matrix->options, matrix->columns, matrix->entries);
    if (sparse_device_memory(&csc->starts.offset, starts_bytes) &&
        sparse_device_memory((void **)&csc->row, matrix->index_bytes - starts_bytes) &&
        sparse_device_memory(&csc->value, matrix->value_bytes))
        return true;
    sparse_csc_drop_device(matrix);
    return false;
}

/* Digits of the last column's number. */
static int passes_of(int64_t columns)
{
    int passes = 1;
    while ((columns - 1) >> (passes * SPARSE_DIGIT_BITS) > 0)
        passes++;
    return passes;
}

/* What a pass needs beside the result: a second place for entries, columns for the first, counts.
 */
struct work {
    int64_t *counts, *scratch; /* counts is the address of all of it */
    struct sparse_triples other;
    int32_t *column;
};

static bool work_open(struct work *work, int64_t entries, enum sparse_precision precision)
{
    int64_t count = SPARSE_DIGITS * sparse_digit_runs(entries);
    size_t numbers = (size_t)(count + sparse_convert_scan_scratch(count)), n = (size_t)entries;
    size_t value_bytes = n * sparse_value_bytes(precision);
    if (!sparse_device_memory((void **)&work->counts,
                              numbers * sizeof(int64_t) + value_bytes + 3 * n * sizeof(int32_t)))
        return false;
    work->scratch = work->counts + count;
    work->other.value = work->counts + numbers;
    work->other.row = (int32_t *)((char *)work->other.value + value_bytes);
    work->other.column = work->other.row + n;
    work->column = work->other.column + n;
    return true;
}

/* Passes go back and forth between the result and the other place, and end in the result. */
static void sort(const struct sparse_matrix *matrix, const struct work *work,
                 const struct sparse_csr_device *csr, cudaStream_t stream)
{
    struct sparse_csc *csc = matrix->device;
    const struct sparse_triples result = {csc->row, work->column, csc->value};
    int64_t entries = matrix->entries, count = SPARSE_DIGITS * sparse_digit_runs(entries);
    int passes = passes_of(matrix->columns);
    int32_t *rows = passes % 2 ? work->other.row : result.row; /* not where the first pass goes */
    struct sparse_triples from = {rows, csr->column, csr->value};
    sparse_convert_rows(csr, rows, stream);
    for (int pass = 0; pass < passes; pass++) {
        struct sparse_triples to = (passes - pass) % 2 ? result : work->other;
        int shift = pass * SPARSE_DIGIT_BITS;
        sparse_convert_count_digits(from.column, entries, shift, work->counts, stream);
        sparse_convert_scan(work->counts, count, work->scratch, stream);
        sparse_convert_move(&from, &to, matrix->options.precision, entries, shift, work->counts,
                            stream);
        from = to;
    }
}

bool sparse_csc_convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                        cudaStream_t stream, struct sparse_error *error)
{
    struct work work;
    sparse_convert_size(matrix);
    if (!sparse_matrix_fits(matrix, error))
        return false;
    if (!open_device(matrix))
        return sparse_no_device_memory(matrix, error);
    if (!work_open(&work, matrix->entries, matrix->options.precision)) {
        sparse_csc_drop_device(matrix);
        return sparse_no_device_memory(matrix, error);
    }
    struct sparse_csc *csc = matrix->device;
    if (matrix->entries > 0)
        sort(matrix, &work, csr, stream);
    sparse_convert_find_columns(work.column, matrix->entries, &csc->starts, stream);
    check_cuda(cudaStreamSynchronize(stream));
    sparse_device_release(work.counts);
    return true;
}
