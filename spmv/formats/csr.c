#include "csr.h"

#include <stdlib.h>

#include "parts.h"

static void csr_size(const struct spmv_coo *coo, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    *stored = coo->entries;
    *value_bytes = sparse_bytes(coo->entries, spmv_value_bytes(options->precision));
    *index_bytes = sparse_bytes(coo->entries, sizeof(int32_t)) +
                   sparse_starts_bytes(options, coo->rows, coo->entries);
}

static void csr_drop(struct spmv_matrix *matrix)
{
    struct sparse_csr *csr = matrix->host;
    free(csr->starts.offset);
    free(csr->column);
    free(csr->value);
    free(csr);
    matrix->host = NULL;
}

/* Entry k is the first of its row and ends all rows since the one of the entry before. */
static void find_starts(struct sparse_starts *starts, const struct spmv_coo *coo)
{
#pragma omp parallel
    {
        struct sparse_part part = sparse_equal_part(coo->entries + 1);
        for (int64_t k = part.first; k < part.last; k++) {
            int64_t row = k < coo->entries ? coo->row[k] : coo->rows;
            int64_t before = k > 0 ? coo->row[k - 1] : -1;
            for (int64_t i = before + 1; i <= row; i++)
                sparse_start_set(starts, i, k);
        }
    }
}

/* By the threads that will compute with the rows, so that their memory is near them. */
static void copy_entries(struct sparse_csr *csr, const struct spmv_coo *coo,
                         enum spmv_precision precision)
{
#pragma omp parallel
    {
        struct sparse_part part = sparse_row_part(&csr->starts);
        int64_t last = sparse_start(&csr->starts, part.last);
        for (int64_t k = sparse_start(&csr->starts, part.first); k < last; k++) {
            csr->column[k] = coo->column[k];
            sparse_value_set(csr->value, precision, k, coo->value[k]);
        }
    }
}

static enum dm_status csr_build(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    struct sparse_csr *csr;
    TRY(sparse_host_zeros(&matrix->host, 1, sizeof *csr));
    csr = matrix->host;
    TRY(sparse_starts_open(&csr->starts, &matrix->options, coo->rows, coo->entries));
    TRY(sparse_host_memory(&csr->column, coo->entries, sizeof *csr->column));
    TRY(sparse_host_memory(&csr->value, coo->entries, spmv_value_bytes(matrix->options.precision)));
    find_starts(&csr->starts, coo);
    copy_entries(csr, coo, matrix->options.precision);
    return DM_OK;
}

static enum dm_status csr_to_coo(const struct spmv_matrix *matrix, struct spmv_coo *coo)
{
    const struct sparse_csr *csr = matrix->host;
    TRY(spmv_coo_open(coo, matrix->rows, matrix->columns, matrix->entries));
    coo->entries = matrix->entries;
#pragma omp parallel
    {
        struct sparse_part part = sparse_row_part(&csr->starts);
        for (int64_t row = part.first; row < part.last; row++)
            for (int64_t k = sparse_start(&csr->starts, row);
                 k < sparse_start(&csr->starts, row + 1); k++) {
                coo->row[k] = (int32_t)row;
                coo->column[k] = csr->column[k];
                coo->value[k] = sparse_value_at(csr->value, matrix->options.precision, k);
            }
    }
    return DM_OK;
}

/* Two sums for a row: additions to one would wait for each other. What is read ahead is requested
 * once per row and per UNROLL entries, about a line of memory: more requests than lines take time.
 */
enum { UNROLL = 8 };

#define ROWS_FUNCTION(name, real)                                                                  \
    static void name(const struct sparse_csr *csr, struct sparse_part part, real alpha,            \
                     const real *restrict x, real beta, real *restrict y)                          \
    {                                                                                              \
        const struct sparse_starts starts = csr->starts;                                           \
        const int32_t *restrict column = csr->column;                                              \
        const real *restrict value = csr->value;                                                   \
        int64_t k = sparse_start(&starts, part.first);                                             \
        for (int64_t row = part.first; row < part.last; row++) {                                   \
            int64_t end = sparse_start(&starts, row + 1);                                          \
            real even = 0, odd = 0;                                                                \
            sparse_ask_ahead(&value[k]);                                                           \
            sparse_ask_ahead(&column[k]);                                                          \
            for (; k + UNROLL <= end; k += UNROLL) {                                               \
                sparse_ask_ahead(&value[k + UNROLL]);                                              \
                sparse_ask_ahead(&column[k + UNROLL]);                                             \
                for (int i = 0; i < UNROLL; i += 2) {                                              \
                    even += value[k + i] * x[column[k + i]];                                       \
                    odd += value[k + i + 1] * x[column[k + i + 1]];                                \
                }                                                                                  \
            }                                                                                      \
            for (; k + 1 < end; k += 2) {                                                          \
                even += value[k] * x[column[k]];                                                   \
                odd += value[k + 1] * x[column[k + 1]];                                            \
            }                                                                                      \
            if (k < end) {                                                                         \
                even += value[k] * x[column[k]];                                                   \
                k++;                                                                               \
            }                                                                                      \
            y[row] = alpha * (even + odd) + (beta == 0 ? 0 : beta * y[row]);                       \
        }                                                                                          \
    }
ROWS_FUNCTION(rows_double, double)
ROWS_FUNCTION(rows_float, float)

static enum dm_status csr_multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                                   double beta, void *y)
{
    const struct sparse_csr *csr = matrix->host;
#pragma omp parallel
    {
        struct sparse_part part = sparse_row_part(&csr->starts);
        if (matrix->options.precision == SPMV_DOUBLE)
            rows_double(csr, part, alpha, x, beta, y);
        else
            rows_float(csr, part, (float)alpha, x, (float)beta, y);
    }
    return DM_OK;
}

static void csr_drop_device(struct spmv_matrix *matrix)
{
    struct sparse_csr_device *csr = matrix->device;
    sparse_device_release(csr->starts.offset);
    sparse_device_release(csr->column);
    sparse_device_release(csr->value);
    sparse_device_release(csr->pieces);
    sparse_device_release(csr->long_row);
    free(csr);
    matrix->device = NULL;
}

static enum dm_status csr_upload(struct spmv_matrix *matrix)
{
    const struct sparse_csr *host = matrix->host;
    struct sparse_csr_device *device;
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof *device));
    device = matrix->device;
    device->starts = (struct sparse_starts){host->starts.count, host->starts.is_wide, NULL};
    TRY(sparse_device_copy(&device->starts.offset, host->starts.offset,
                           sparse_starts_bytes(&matrix->options, matrix->rows, matrix->entries)));
    TRY(sparse_device_copy(&device->column, host->column,
                           (size_t)matrix->entries * sizeof(int32_t)));
    TRY(sparse_device_copy(&device->value, host->value, matrix->value_bytes));
    return sparse_csr_upload_pieces(device, &host->starts);
}

static enum dm_status csr_multiply_device(const struct spmv_matrix *matrix, double alpha,
                                          const void *x, double beta, void *y, cudaStream_t stream)
{
    return sparse_csr_launch(matrix->device, matrix->options.precision, alpha, x, beta, y, stream);
}

const struct spmv_operations sparse_csr_operations = {
    .name = "csr",
    .meaning = "rows compressed: values, columns, where each row begins",
    .size = csr_size,
    .build = csr_build,
    .to_coo = csr_to_coo,
    .multiply_host = csr_multiply,
    .upload = csr_upload,
    .multiply_device = csr_multiply_device,
    .drop_device = csr_drop_device,
    .drop = csr_drop,
};
