/* CSC from CSR, on the device. */
#include "to_csc.h"

#include <stdlib.h>

#include "convert.h"
#include "spmv/formats/csc.h"
#include "common/error_cuda.h"

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

static enum dm_status work_open(struct work *work, int64_t entries, enum spmv_precision precision)
{
    int64_t count = SPARSE_DIGITS * sparse_digit_runs(entries);
    size_t numbers = (size_t)(count + sparse_convert_scan_scratch(count)), n = (size_t)entries;
    size_t value_bytes = n * spmv_value_bytes(precision);
    TRY(sparse_device_memory(&work->counts,
                             numbers * sizeof(int64_t) + value_bytes + 3 * n * sizeof(int32_t)));
    work->scratch = work->counts + count;
    work->other.value = work->counts + numbers;
    work->other.row = (int32_t *)((char *)work->other.value + value_bytes);
    work->other.column = work->other.row + n;
    work->column = work->other.column + n;
    return DM_OK;
}

/* Passes go back and forth between the result and the other place, and end in the result. */
static enum dm_status sort(const struct spmv_matrix *matrix, const struct work *work,
                           const struct sparse_csr_device *csr, cudaStream_t stream)
{
    struct sparse_csc *csc = matrix->device;
    const struct sparse_triples result = {csc->row, work->column, csc->value};
    int64_t entries = matrix->entries, count = SPARSE_DIGITS * sparse_digit_runs(entries);
    int passes = passes_of(matrix->columns);
    int32_t *rows = passes % 2 ? work->other.row : result.row; /* not where the first pass goes */
    struct sparse_triples from = {rows, csr->column, csr->value};
    TRY(sparse_convert_rows(csr, rows, stream));
    for (int pass = 0; pass < passes; pass++) {
        struct sparse_triples to = (passes - pass) % 2 ? result : work->other;
        int shift = pass * SPARSE_DIGIT_BITS;
        TRY(sparse_convert_count_digits(from.column, entries, shift, work->counts, stream));
        TRY(sparse_convert_scan(work->counts, count, work->scratch, stream));
        TRY(sparse_convert_move(&from, &to, matrix->options.precision, entries, shift, work->counts,
                                stream));
        from = to;
    }
    return DM_OK;
}

static enum dm_status fill(const struct spmv_matrix *matrix, const struct work *work,
                           const struct sparse_csr_device *csr, cudaStream_t stream)
{
    struct sparse_csc *csc = matrix->device;
    if (matrix->entries > 0)
        TRY(sort(matrix, work, csr, stream));
    TRY(sparse_convert_find_columns(work->column, matrix->entries, &csc->starts, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    return DM_OK;
}

static enum dm_status make(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                           cudaStream_t stream)
{
    struct work work;
    TRY(sparse_csc_open_device(matrix));
    TRY(work_open(&work, matrix->entries, matrix->options.precision));
    enum dm_status status = fill(matrix, &work, csr, stream);
    sparse_device_release(work.counts);
    return status;
}

enum dm_status sparse_csc_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream)
{
    sparse_convert_size(matrix);
    TRY(sparse_matrix_fits(matrix));
    return sparse_on_device(make(matrix, csr, stream), matrix);
}
