#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "sparse_convert_internal.h"
#include "sparse_entries.h"
#include "sparse_parts.h"

static void coo_size(const struct sparse_coo *coo, const struct sparse_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    *stored = coo->entries;
    *value_bytes = sparse_bytes(coo->entries, sparse_value_bytes(options->precision));
    *index_bytes = sparse_bytes(coo->entries, 2 * sizeof(int32_t));
}

static void coo_drop(struct sparse_matrix *matrix)
{
    struct sparse_entries *coo = matrix->host;
    free(coo->row);
    free(coo->column);
    free(coo->value);
    free(coo);
    matrix->host = NULL;
}

static bool coo_build(struct sparse_matrix *matrix, const struct sparse_coo *from,
                      struct sparse_error *error)
{
    struct sparse_entries *coo = matrix->host = calloc(1, sizeof *coo);
    if (!coo)
        return sparse_no_memory("a matrix", sizeof *coo, error);
    coo->entries = from->entries;
    coo->row = sparse_host_memory(from->entries, sizeof *coo->row);
    coo->column = sparse_host_memory(from->entries, sizeof *coo->column);
    coo->value = sparse_host_memory(from->entries, sparse_value_bytes(matrix->options.precision));
    if (!coo->row || !coo->column || !coo->value) {
        coo_drop(matrix);
        return sparse_no_memory("format coo", matrix->value_bytes + matrix->index_bytes, error);
    }
#pragma omp parallel
    {
        struct sparse_part part = sparse_equal_part(from->entries);
        for (int64_t k = part.first; k < part.last; k++) {
            coo->row[k] = from->row[k];
            coo->column[k] = from->column[k];
            sparse_value_set(coo->value, matrix->options.precision, k, from->value[k]);
        }
    }
    return true;
}

static bool coo_to_coo(const struct sparse_matrix *matrix, struct sparse_coo *to,
                       struct sparse_error *error)
{
    const struct sparse_entries *coo = matrix->host;
    if (!sparse_coo_open(to, matrix->rows, matrix->columns, coo->entries, error))
        return false;
    to->entries = coo->entries;
    memcpy(to->row, coo->row, (size_t)coo->entries * sizeof *coo->row);
    memcpy(to->column, coo->column, (size_t)coo->entries * sizeof *coo->column);
    for (int64_t k = 0; k < coo->entries; k++)
        to->value[k] = sparse_value_at(coo->value, matrix->options.precision, k);
    return true;
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

void sparse_coo_share(enum sparse_precision precision, int64_t entries, const int32_t *row,
                      const int32_t *column, const void *value, double alpha, const void *x,
                      void *y)
{
    struct sparse_part part = sparse_equal_part(entries);
    part.first = row_begin(row, entries, part.first);
    part.last = row_begin(row, entries, part.last);
    if (precision == SPARSE_DOUBLE)
        add_double(part, row, column, value, alpha, x, y);
    else
        add_float(part, row, column, value, (float)alpha, x, y);
}

static void coo_multiply(const struct sparse_matrix *matrix, double alpha, const void *x,
                         double beta, void *y)
{
    const struct sparse_entries *coo = matrix->host;
    enum sparse_precision precision = matrix->options.precision;
#pragma omp parallel
    {
        sparse_scale_part(precision, sparse_equal_part(matrix->rows), beta, y);
#pragma omp barrier
        sparse_coo_share(precision, coo->entries, coo->row, coo->column, coo->value, alpha, x, y);
    }
}

static void coo_drop_device(struct sparse_matrix *matrix)
{
    struct sparse_entries *coo = matrix->device;
    sparse_device_release(coo->row);
    sparse_device_release(coo->column);
    sparse_device_release(coo->value);
    free(coo);
    matrix->device = NULL;
}

static bool coo_upload(struct sparse_matrix *matrix)
{
    const struct sparse_entries *host = matrix->host;
    struct sparse_entries *device = matrix->device = calloc(1, sizeof *device);
    if (!device)
        return false;
    device->entries = host->entries;
    size_t index_bytes = matrix->index_bytes / 2;
    if (sparse_device_copy((void **)&device->row, host->row, index_bytes) &&
        sparse_device_copy((void **)&device->column, host->column, index_bytes) &&
        sparse_device_copy(&device->value, host->value, matrix->value_bytes))
        return true;
    coo_drop_device(matrix);
    return false;
}

bool sparse_entries_open_device(struct sparse_matrix *matrix)
{
    struct sparse_entries *device = matrix->device = calloc(1, sizeof *device);
    if (!device)
        return false;
    device->entries = matrix->entries;
    if (sparse_device_memory((void **)&device->row, matrix->index_bytes / 2) &&
        sparse_device_memory((void **)&device->column, matrix->index_bytes / 2) &&
        sparse_device_memory(&device->value, matrix->value_bytes))
        return true;
    coo_drop_device(matrix);
    return false;
}

static bool coo_convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                        cudaStream_t stream, struct sparse_error *error)
{
    sparse_convert_size(matrix);
    if (!sparse_matrix_fits(matrix, error))
        return false;
    if (!sparse_entries_open_device(matrix))
        return sparse_no_device_memory(matrix, error);
    const struct sparse_entries *coo = matrix->device;
    check_cuda(cudaMemcpyAsync(coo->column, csr->column, matrix->index_bytes / 2,
                               cudaMemcpyDeviceToDevice, stream));
    check_cuda(cudaMemcpyAsync(coo->value, csr->value, matrix->value_bytes,
                               cudaMemcpyDeviceToDevice, stream));
    sparse_convert_rows(csr, coo->row, stream);
    check_cuda(cudaStreamSynchronize(stream));
    return true;
}

static void coo_multiply_device(const struct sparse_matrix *matrix, double alpha, const void *x,
                                double beta, void *y, cudaStream_t stream)
{
    const struct sparse_entries *coo = matrix->device;
    sparse_scale_launch(matrix->options.precision, matrix->rows, beta, y, stream);
    sparse_coo_launch(matrix->options.precision, coo->entries, coo->row, coo->column, coo->value,
                      alpha, x, y, stream);
}

const struct sparse_operations sparse_coo_operations = {
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
