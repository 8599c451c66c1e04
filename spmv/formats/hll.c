#include "hll.h"

#include <stdlib.h>

#include "rows.h"

enum dm_status sparse_hll_options(const struct spmv_options *options)
{
    if (options->hack_rows >= 0 && options->hack_rows % 32 == 0)
        return DM_OK;
    return dm_fail(DM_INVALID, "%d rows per hack: choose a multiple of 32, or 0 for 32",
                   options->hack_rows);
}

void sparse_hll_size(int64_t rows, int64_t stored, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes)
{
    int64_t hacks = sparse_hll_hacks(options, rows);
    *value_bytes = sparse_bytes(stored, spmv_value_bytes(options->precision));
    *index_bytes = sparse_bytes(stored + hacks * sparse_hll_hack_rows(options), sizeof(int32_t)) +
                   sparse_starts_bytes(options, hacks, stored);
}

/* The longest of the rows [first, first + count), whose entries begin at *entry, which goes on
 * behind them. Notes their lengths if `length` is not NULL. */
static int64_t longest_row(const struct spmv_coo *coo, int64_t first, int64_t count, int64_t *entry,
                           int32_t *length)
{
    int64_t longest = 0;
    for (int64_t row = first; row < first + count; row++) {
        int64_t end = sparse_row_end(coo, row, *entry);
        if (length)
            length[row] = (int32_t)(end - *entry);
        longest = end - *entry > longest ? end - *entry : longest;
        *entry = end;
    }
    return longest;
}

static void hll_size(const struct spmv_coo *coo, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    int64_t hack_rows = sparse_hll_hack_rows(options), width = 0;
    int64_t rows = sparse_hll_hacks(options, coo->rows) * hack_rows;
#pragma omp parallel reduction(+ : width)
    {
        struct sparse_part part = sparse_coo_row_part(coo, rows, hack_rows);
        int64_t entry = sparse_first_entry(coo, part.first);
        for (int64_t row = part.first; row < part.last; row += hack_rows)
            width += longest_row(coo, row, hack_rows, &entry, NULL);
    }
    *stored = width * hack_rows;
    sparse_hll_size(coo->rows, *stored, options, value_bytes, index_bytes);
}

static void hll_drop(struct spmv_matrix *matrix)
{
    struct sparse_hll *hll = matrix->host;
    free(hll->starts.offset);
    free(hll->length);
    free(hll->column);
    free(hll->value);
    free(hll);
    matrix->host = NULL;
}

static void find_starts(struct sparse_hll *hll, const struct spmv_coo *coo)
{
    int64_t rows = hll->starts.count * hll->hack_rows;
#pragma omp parallel
    {
        struct sparse_part part = sparse_coo_row_part(coo, rows, hll->hack_rows);
        int64_t entry = sparse_first_entry(coo, part.first);
        for (int64_t row = part.first; row < part.last; row += hll->hack_rows) {
            int64_t width = longest_row(coo, row, hll->hack_rows, &entry, hll->length);
            sparse_start_set(&hll->starts, row / hll->hack_rows + 1, width * hll->hack_rows);
        }
    }
    sparse_start_set(&hll->starts, 0, 0);
    for (int64_t hack = 0; hack < hll->starts.count; hack++)
        sparse_start_set(&hll->starts, hack + 1,
                         sparse_start(&hll->starts, hack) + sparse_start(&hll->starts, hack + 1));
}

/* By the threads that will compute with the hacks, so that their memory is near them. */
static void fill(struct sparse_hll *hll, const struct spmv_coo *coo, enum spmv_precision precision)
{
#pragma omp parallel
    {
        struct sparse_part part = sparse_row_part(&hll->starts);
        int64_t begin = sparse_first_entry(coo, part.first * hll->hack_rows);
        for (int64_t hack = part.first; hack < part.last; hack++) {
            int64_t start = sparse_start(&hll->starts, hack), width = sparse_hll_width(hll, hack);
            for (int64_t r = 0; r < hll->hack_rows; r++) {
                int64_t end = begin + hll->length[hack * hll->hack_rows + r];
                sparse_place_row(hll->column, hll->value, precision, start + r, hll->hack_rows,
                                 width, coo, begin, end);
                begin = end;
            }
        }
    }
}

static enum dm_status hll_build(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    struct sparse_hll *hll;
    TRY(sparse_hll_options(&matrix->options));
    TRY(sparse_host_zeros(&matrix->host, 1, sizeof *hll));
    hll = matrix->host;
    hll->hack_rows = sparse_hll_hack_rows(&matrix->options);
    int64_t hacks = sparse_hll_hacks(&matrix->options, coo->rows);
    TRY(sparse_starts_open(&hll->starts, &matrix->options, hacks, matrix->stored));
    TRY(sparse_host_memory(&hll->length, hacks * hll->hack_rows, sizeof *hll->length));
    TRY(sparse_host_memory(&hll->column, matrix->stored, sizeof *hll->column));
    TRY(sparse_host_memory(&hll->value, matrix->stored,
                           spmv_value_bytes(matrix->options.precision)));
    find_starts(hll, coo);
    fill(hll, coo, matrix->options.precision);
    return DM_OK;
}

static enum dm_status hll_to_coo(const struct spmv_matrix *matrix, struct spmv_coo *coo)
{
    const struct sparse_hll *hll = matrix->host;
    TRY(spmv_coo_open(coo, matrix->rows, matrix->columns, matrix->entries));
    for (int64_t row = 0; row < matrix->rows; row++) {
        int64_t first = sparse_start(&hll->starts, row / hll->hack_rows) + row % hll->hack_rows;
        sparse_take_row(hll->column, hll->value, matrix->options.precision, first, hll->hack_rows,
                        hll->length[row], row, coo);
    }
    return DM_OK;
}

/* The rows of one hack. */
#define HACK_FUNCTION(name, real)                                                                  \
    static void name(const struct sparse_hll *hll, int64_t hack, int64_t rows, real alpha,         \
                     const real *restrict x, real beta, real *restrict y)                          \
    {                                                                                              \
        int64_t start = sparse_start(&hll->starts, hack), stride = hll->hack_rows;                 \
        int64_t first = hack * stride, last = first + stride < rows ? first + stride : rows;       \
        for (int64_t row = first; row < last; row++) {                                             \
            const int32_t *restrict column = hll->column + start + row - first;                    \
            const real *restrict value = (const real *)hll->value + start + row - first;           \
            int64_t end = hll->length[row] * stride;                                               \
            real sum = 0;                                                                          \
            for (int64_t k = 0; k < end; k += stride)                                              \
                sum += value[k] * x[column[k]];                                                    \
            y[row] = alpha * sum + (beta == 0 ? 0 : beta * y[row]);                                \
        }                                                                                          \
    }
HACK_FUNCTION(hack_double, double)
HACK_FUNCTION(hack_float, float)

static enum dm_status hll_multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                                   double beta, void *y)
{
    const struct sparse_hll *hll = matrix->host;
    bool is_double = matrix->options.precision == SPMV_DOUBLE;
#pragma omp parallel
    {
        struct sparse_part part = sparse_row_part(&hll->starts);
        for (int64_t hack = part.first; hack < part.last; hack++)
            if (is_double)
                hack_double(hll, hack, matrix->rows, alpha, x, beta, y);
            else
                hack_float(hll, hack, matrix->rows, (float)alpha, x, (float)beta, y);
    }
    return DM_OK;
}

static void hll_drop_device(struct spmv_matrix *matrix)
{
    struct sparse_hll *hll = matrix->device;
    sparse_device_release(hll->starts.offset);
    sparse_device_release(hll->length);
    sparse_device_release(hll->column);
    sparse_device_release(hll->value);
    sparse_device_release(hll->segments);
    free(hll);
    matrix->device = NULL;
}

static enum dm_status hll_upload(struct spmv_matrix *matrix)
{
    const struct sparse_hll *host = matrix->host;
    struct sparse_hll *device;
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof *device));
    device = matrix->device;
    int64_t hacks = host->starts.count;
    device->hack_rows = host->hack_rows;
    device->starts = (struct sparse_starts){hacks, host->starts.is_wide, NULL};
    TRY(sparse_device_copy(&device->starts.offset, host->starts.offset,
                           sparse_starts_bytes(&matrix->options, hacks, matrix->stored)));
    TRY(sparse_device_copy(&device->length, host->length,
                           (size_t)(hacks * host->hack_rows) * sizeof *host->length));
    TRY(sparse_device_copy(&device->column, host->column,
                           (size_t)matrix->stored * sizeof *host->column));
    TRY(sparse_device_copy(&device->value, host->value, matrix->value_bytes));
    return sparse_hll_upload_segments(device, host);
}

static enum dm_status hll_multiply_device(const struct spmv_matrix *matrix, double alpha,
                                          const void *x, double beta, void *y, cudaStream_t stream)
{
    return sparse_hll_launch(matrix->device, matrix->options.precision, matrix->rows, alpha, x,
                             beta, y, stream);
}

const struct spmv_operations sparse_hll_operations = {
    .name = "hll",
    .meaning = "hacks of rows, each a rectangle as wide as its longest row, and row lengths",
    .size = hll_size,
    .build = hll_build,
    .to_coo = hll_to_coo,
    .multiply_host = hll_multiply,
    .upload = hll_upload,
    .multiply_device = hll_multiply_device,
    .convert = sparse_hll_convert,
    .drop_device = hll_drop_device,
    .drop = hll_drop,
};
