#include <stdlib.h>
#include <string.h>

#include "spmv/convert/convert.h"
#include "coo_format.h"
#include "parts.h"
#include "common/error_cuda.h"

static void coo_size(const struct spmv_coo *coo, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    *stored = coo->entries;
    *value_bytes = sparse_bytes(coo->entries, spmv_value_bytes(options->precision));
    *index_bytes = sparse_bytes(coo->entries, 2 * sizeof(int32_t));
}

static void coo_drop(struct spmv_matrix *matrix)
{
    struct sparse_entries *coo = matrix->host;
    free(coo->row);
    free(coo->column);
    free(coo->value);
    free(coo);
    matrix->host = NULL;
}

static enum dm_status coo_build(struct spmv_matrix *matrix, const struct spmv_coo *from)
{
    struct sparse_entries *coo;
    TRY(sparse_host_zeros(&matrix->host, 1, sizeof *coo));
    coo = matrix->host;
    coo->entries = from->entries;
    TRY(sparse_host_memory(&coo->row, from->entries, sizeof *coo->row));
    TRY(sparse_host_memory(&coo->column, from->entries, sizeof *coo->column));
    TRY(sparse_host_memory(&coo->value, from->entries,
                           spmv_value_bytes(matrix->options.precision)));
#pragma omp parallel
    {
        struct sparse_part part = sparse_equal_part(from->entries);
        for (int64_t k = part.first; k < part.last; k++) {
            coo->row[k] = from->row[k];
            coo->column[k] = from->column[k];
            sparse_value_set(coo->value, matrix->options.precision, k, from->value[k]);
        }
    }
    return DM_OK;
}

static enum dm_status coo_to_coo(const struct spmv_matrix *matrix, struct spmv_coo *to)
{
    const struct sparse_entries *coo = matrix->host;
    TRY(spmv_coo_open(to, matrix->rows, matrix->columns, coo->entries));
    to->entries = coo->entries;
    memcpy(to->row, coo->row, (size_t)coo->entries * sizeof *coo->row);
    memcpy(to->column, coo->column, (size_t)coo->entries * sizeof *coo->column);
    for (int64_t k = 0; k < coo->entries; k++)
        to->value[k] = sparse_value_at(coo->value, matrix->options.precision, k);
    return DM_OK;
}

/* The first entry of the row that entry k is in, so that no two threads share a row. */
static int64_t row_begin(const int32_t *row, int64_t entries, int64_t k)
{
    while (k > 0 && k < entries && row[k] == row[k - 1])
        k--;
    return k;
}

#define ENTRIES_FUNCTION(name, real)                                                               \
    static void name(struct sparse_part part, const int32_t *restrict row,                         \
                     const int32_t *restrict column, const real *restrict value, real alpha,       \
                     const real *restrict x, real *restrict y)                                     \
    {                                                                                              \
        for (int64_t k = part.first; k < part.last;) {                                             \
            int32_t current = row[k];                                                              \
            real sum = 0;                                                                          \
            for (; k < part.last && row[k] == current; k++) {                                      \
                sparse_ask_ahead(&value[k]);                                                       \
                sparse_ask_ahead(&column[k]);                                                      \
                sparse_ask_ahead(&row[k]);                                                         \
                sum += value[k] * x[column[k]];                                                    \
            }                                                                                      \
            y[current] += alpha * sum;                                                             \
        }                                                                                          \
    }
ENTRIES_FUNCTION(add_double, double)
ENTRIES_FUNCTION(add_float, float)

/* y <- y + alpha A x. All threads of a parallel region call it; each takes as many entries, and no
 * row is shared. */
static void add_share(enum spmv_precision precision, int64_t entries, const int32_t *row,
                      const int32_t *column, const void *value, double alpha, const void *x,
                      void *y)
{
    struct sparse_part part = sparse_equal_part(entries);
    part.first = row_begin(row, entries, part.first);
    part.last = row_begin(row, entries, part.last);
    if (precision == SPMV_DOUBLE)
        add_double(part, row, column, value, alpha, x, y);
    else
        add_float(part, row, column, value, (float)alpha, x, y);
}

static enum dm_status coo_multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                                   double beta, void *y)
{
    const struct sparse_entries *coo = matrix->host;
    enum spmv_precision precision = matrix->options.precision;
#pragma omp parallel
    {
        sparse_scale_part(precision, sparse_equal_part(matrix->rows), beta, y);
#pragma omp barrier
        add_share(precision, coo->entries, coo->row, coo->column, coo->value, alpha, x, y);
    }
    return DM_OK;
}

static void coo_drop_device(struct spmv_matrix *matrix)
{
    struct sparse_entries *coo = matrix->device;
    sparse_device_release(coo->row);
    sparse_device_release(coo->column);
    sparse_device_release(coo->value);
    free(coo);
    matrix->device = NULL;
}

static enum dm_status coo_upload(struct spmv_matrix *matrix)
{
    const struct sparse_entries *host = matrix->host;
    TRY(sparse_entries_open_device(matrix));
    const struct sparse_entries *device = matrix->device;
    size_t index_bytes = matrix->index_bytes / 2;
    TRY(sparse_copy(device->row, host->row, index_bytes));
    TRY(sparse_copy(device->column, host->column, index_bytes));
    return sparse_copy(device->value, host->value, matrix->value_bytes);
}

enum dm_status sparse_entries_open_device(struct spmv_matrix *matrix)
{
    struct sparse_entries *device;
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof *device));
    device = matrix->device;
    device->entries = matrix->entries;
    TRY(sparse_device_memory(&device->row, matrix->index_bytes / 2));
    TRY(sparse_device_memory(&device->column, matrix->index_bytes / 2));
    return sparse_device_memory(&device->value, matrix->value_bytes);
}

static enum dm_status coo_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream)
{
    sparse_convert_size(matrix);
    TRY(sparse_matrix_fits(matrix));
    TRY(sparse_on_device(sparse_entries_open_device(matrix), matrix));
    const struct sparse_entries *coo = matrix->device;
    TRY_CUDA(cudaMemcpyAsync(coo->column, csr->column, matrix->index_bytes / 2,
                             cudaMemcpyDeviceToDevice, stream));
    TRY_CUDA(cudaMemcpyAsync(coo->value, csr->value, matrix->value_bytes, cudaMemcpyDeviceToDevice,
                             stream));
    TRY(sparse_convert_rows(csr, coo->row, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    return DM_OK;
}

static enum dm_status coo_multiply_device(const struct spmv_matrix *matrix, double alpha,
                                          const void *x, double beta, void *y, cudaStream_t stream)
{
    const struct sparse_entries *coo = matrix->device;
    TRY(sparse_scale_launch(matrix->options.precision, matrix->rows, beta, y, stream));
    return sparse_coo_launch(matrix->options.precision, coo->entries, coo->row, coo->column,
                             coo->value, alpha, x, y, stream);
}

const struct spmv_operations sparse_coo_operations = {
    .name = "coo",
    .meaning = "value, row and column of each entry",
    .size = coo_size,
    .build = coo_build,
    .to_coo = coo_to_coo,
    .multiply_host = coo_multiply,
    .upload = coo_upload,
    .convert = coo_convert,
    .multiply_device = coo_multiply_device,
    .drop_device = coo_drop_device,
    .drop = coo_drop,
};
