#include "ell.h"

#include <stdlib.h>

#include "rows.h"

int64_t sparse_ell_width(const struct spmv_coo *coo)
{
    int64_t width = 0;
#pragma omp parallel reduction(max : width)
    {
        struct sparse_part part = sparse_coo_row_part(coo, coo->rows, 1);
        int64_t begin = sparse_first_entry(coo, part.first), end;
        for (int64_t row = part.first; row < part.last; row++, begin = end) {
            end = sparse_row_end(coo, row, begin);
            width = end - begin > width ? end - begin : width;
        }
    }
    return width;
}

void sparse_ell_size(int64_t rows, int64_t width, bool has_lengths,
                     const struct spmv_options *options, size_t *value_bytes, size_t *index_bytes,
                     int64_t *stored)
{
    *stored = sparse_ell_pitch(rows) * width;
    *value_bytes = sparse_bytes(*stored, spmv_value_bytes(options->precision));
    *index_bytes =
        sparse_bytes(*stored + (has_lengths ? sparse_ell_pitch(rows) : 0), sizeof(int32_t));
}

static void fill(struct sparse_ell *ell, const struct spmv_coo *coo, enum spmv_precision precision)
{
#pragma omp parallel
    {
        struct sparse_part part = sparse_coo_row_part(coo, ell->pitch, 1);
        int64_t begin = sparse_first_entry(coo, part.first), end;
        for (int64_t row = part.first; row < part.last; row++, begin = end) {
            end = sparse_row_end(coo, row, begin);
            int64_t length = end - begin < ell->width ? end - begin : ell->width;
            sparse_place_row(ell->column, ell->value, precision, row, ell->pitch, ell->width, coo,
                             begin, begin + length);
            if (ell->length)
                ell->length[row] = (int32_t)length;
        }
    }
}

enum dm_status sparse_ell_open(struct sparse_ell *ell, const struct spmv_coo *coo,
                               enum spmv_precision precision, int64_t width, bool has_lengths)
{
    *ell = (struct sparse_ell){.pitch = sparse_ell_pitch(coo->rows), .width = width};
    TRY(sparse_host_memory(&ell->column, ell->pitch * width, sizeof *ell->column));
    TRY(sparse_host_memory(&ell->value, ell->pitch * width, spmv_value_bytes(precision)));
    if (has_lengths)
        TRY(sparse_host_memory(&ell->length, ell->pitch, sizeof *ell->length));
    fill(ell, coo, precision);
    return DM_OK;
}

void sparse_ell_close(struct sparse_ell *ell)
{
    free(ell->length);
    free(ell->column);
    free(ell->value);
    *ell = (struct sparse_ell){0};
}

void sparse_ell_take(const struct sparse_ell *ell, enum spmv_precision precision, int64_t rows,
                     struct spmv_coo *coo)
{
    for (int64_t row = 0; row < rows; row++)
        sparse_take_row(ell->column, ell->value, precision, row, ell->pitch, ell->width, row, coo);
}

/* Rows that one thread computes together, column by column, so that each column is read in one
 * piece; their sums stay in the first-level cache. */
enum { BLOCK = 256 };

#define ROWS_FUNCTIONS(padded_rows, rows, real)                                                    \
    static void padded_rows(const struct sparse_ell *ell, int64_t first, int64_t count,            \
                            real alpha, const real *restrict x, real beta, real *restrict y)       \
    {                                                                                              \
        real sum[BLOCK] = {0};                                                                     \
        for (int64_t j = 0; j < ell->width; j++) {                                                 \
            const int32_t *restrict column = ell->column + j * ell->pitch + first;                 \
            const real *restrict value = (const real *)ell->value + j * ell->pitch + first;        \
            for (int64_t i = 0; i < count; i++)                                                    \
                sum[i] += value[i] * (column[i] < 0 ? 0 : x[column[i]]);                           \
        }                                                                                          \
        for (int64_t i = 0; i < count; i++)                                                        \
            y[first + i] = alpha * sum[i] + (beta == 0 ? 0 : beta * y[first + i]);                 \
    }                                                                                              \
    static void rows(const struct sparse_ell *ell, int64_t first, int64_t count, real alpha,       \
                     const real *restrict x, real beta, real *restrict y)                          \
    {                                                                                              \
        const int32_t *restrict column = ell->column;                                              \
        const real *restrict value = ell->value;                                                   \
        for (int64_t row = first; row < first + count; row++) {                                    \
            real sum = 0;                                                                          \
            int64_t end = row + ell->length[row] * ell->pitch;                                     \
            for (int64_t k = row; k < end; k += ell->pitch)                                        \
                sum += value[k] * x[column[k]];                                                    \
            y[row] = alpha * sum + (beta == 0 ? 0 : beta * y[row]);                                \
        }                                                                                          \
    }
ROWS_FUNCTIONS(padded_rows_double, rows_double, double)
ROWS_FUNCTIONS(padded_rows_float, rows_float, float)

static void multiply_block(const struct sparse_ell *ell, enum spmv_precision precision,
                           int64_t block, int64_t rows, double alpha, const void *x, double beta,
                           void *y)
{
    int64_t first = block * BLOCK, count = rows - first < BLOCK ? rows - first : BLOCK;
    if (precision == SPMV_DOUBLE)
        (ell->length ? rows_double : padded_rows_double)(ell, first, count, alpha, x, beta, y);
    else
        (ell->length ? rows_float : padded_rows_float)(ell, first, count, (float)alpha, x,
                                                       (float)beta, y);
}

void sparse_ell_multiply(const struct sparse_ell *ell, enum spmv_precision precision, int64_t rows,
                         double alpha, const void *x, double beta, void *y)
{
    int64_t blocks = (rows + BLOCK - 1) / BLOCK;
    if (ell->length) { /* blocks differ in work */
#pragma omp parallel for schedule(guided)
        for (int64_t block = 0; block < blocks; block++)
            multiply_block(ell, precision, block, rows, alpha, x, beta, y);
    } else {
#pragma omp parallel for schedule(static)
        for (int64_t block = 0; block < blocks; block++)
            multiply_block(ell, precision, block, rows, alpha, x, beta, y);
    }
}

enum dm_status sparse_ell_open_device(struct sparse_ell *device, int64_t rows, int64_t width,
                                      enum spmv_precision precision, bool has_lengths)
{
    *device = (struct sparse_ell){.pitch = sparse_ell_pitch(rows), .width = width};
    size_t stored = (size_t)(device->pitch * width);
    TRY(sparse_device_memory(&device->column, stored * sizeof *device->column));
    TRY(sparse_device_memory(&device->value, stored * spmv_value_bytes(precision)));
    if (has_lengths)
        TRY(sparse_device_memory(&device->length, (size_t)device->pitch * sizeof *device->length));
    return DM_OK;
}

enum dm_status sparse_ell_upload(struct sparse_ell *device, const struct sparse_ell *host,
                                 enum spmv_precision precision)
{
    size_t stored = (size_t)(host->pitch * host->width);
    TRY(sparse_ell_open_device(device, host->pitch, host->width, precision, host->length));
    TRY(sparse_copy(device->column, host->column, stored * sizeof *host->column));
    TRY(sparse_copy(device->value, host->value, stored * spmv_value_bytes(precision)));
    if (host->length)
        TRY(sparse_copy(device->length, host->length, (size_t)host->pitch * sizeof *host->length));
    return DM_OK;
}

void sparse_ell_release(struct sparse_ell *device)
{
    sparse_device_release(device->length);
    sparse_device_release(device->column);
    sparse_device_release(device->value);
    *device = (struct sparse_ell){0};
}
