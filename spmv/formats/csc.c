#include "csc.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"

static void csc_size(const struct spmv_coo *coo, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    *stored = coo->entries;
    *value_bytes = sparse_bytes(coo->entries, spmv_value_bytes(options->precision));
    *index_bytes = sparse_bytes(coo->entries, sizeof(int32_t)) +
                   sparse_starts_bytes(options, coo->columns, coo->entries);
}

static void csc_drop(struct spmv_matrix *matrix)
{
    struct sparse_csc *csc = matrix->host;
    free(csc->starts.offset);
    free(csc->row);
    free(csc->value);
    free(csc);
    matrix->host = NULL;
}

/* Where the next entry of each column goes: first counted, then summed up. */
static void count_columns(int64_t *next, const struct spmv_coo *coo)
{
    for (int64_t k = 0; k < coo->entries; k++)
        next[coo->column[k] + 1]++;
    for (int64_t column = 0; column < coo->columns; column++)
        next[column + 1] += next[column];
}

static void fill(struct sparse_csc *csc, int64_t *next, const struct spmv_coo *coo,
                 enum spmv_precision precision)
{
    for (int64_t column = 0; column <= coo->columns; column++)
        sparse_start_set(&csc->starts, column, next[column]);
    for (int64_t k = 0; k < coo->entries; k++) {
        int64_t place = next[coo->column[k]]++;
        csc->row[place] = coo->row[k];
        sparse_value_set(csc->value, precision, place, coo->value[k]);
    }
}

static enum dm_status csc_build(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    enum spmv_precision precision = matrix->options.precision;
    struct sparse_csc *csc;
    int64_t *next;
    TRY(sparse_host_zeros(&matrix->host, 1, sizeof *csc));
    csc = matrix->host;
    TRY(sparse_starts_open(&csc->starts, &matrix->options, coo->columns, coo->entries));
    TRY(sparse_host_memory(&csc->row, coo->entries, sizeof *csc->row));
    TRY(sparse_host_memory(&csc->value, coo->entries, spmv_value_bytes(precision)));
    TRY(sparse_host_zeros(&next, coo->columns + 1, sizeof *next));
    count_columns(next, coo);
    fill(csc, next, coo, precision);
    free(next);
    return DM_OK;
}

static enum dm_status csc_to_coo(const struct spmv_matrix *matrix, struct spmv_coo *coo)
{
    const struct sparse_csc *csc = matrix->host;
    TRY(spmv_coo_open(coo, matrix->rows, matrix->columns, matrix->entries));
    coo->entries = matrix->entries;
    memcpy(coo->row, csc->row, (size_t)matrix->entries * sizeof *csc->row);
    for (int64_t column = 0; column < matrix->columns; column++)
        for (int64_t k = sparse_start(&csc->starts, column);
             k < sparse_start(&csc->starts, column + 1); k++) {
            coo->column[k] = (int32_t)column;
            coo->value[k] = sparse_value_at(csc->value, matrix->options.precision, k);
        }
    return spmv_coo_finish(coo);
}

/* The columns of a thread reach only some rows: it adds them up in a window of y of its own. */
struct window {
    struct sparse_part rows;
    void *sum;
};

/* Rows are ascending within a column. */
static struct sparse_part rows_of(const struct sparse_csc *csc, struct sparse_part columns)
{
    struct sparse_part rows = {INT64_MAX, 0};
    for (int64_t column = columns.first; column < columns.last; column++) {
        int64_t first = sparse_start(&csc->starts, column);
        int64_t last = sparse_start(&csc->starts, column + 1) - 1;
        if (first > last)
            continue;
        rows.first = csc->row[first] < rows.first ? csc->row[first] : rows.first;
        rows.last = csc->row[last] + 1 > rows.last ? csc->row[last] + 1 : rows.last;
    }
    return rows.first < rows.last ? rows : (struct sparse_part){0, 0};
}

#define COLUMNS_FUNCTIONS(suffix, real)                                                            \
    static void columns_##suffix(const struct sparse_csc *csc, struct sparse_part columns,         \
                                 real alpha, const real *restrict x, struct window *window)        \
    {                                                                                              \
        real *restrict sum = window->sum;                                                          \
        const int32_t *restrict row = csc->row;                                                    \
        const real *restrict value = csc->value;                                                   \
        for (int64_t column = columns.first; column < columns.last; column++) {                    \
            real factor = alpha * x[column];                                                       \
            int64_t end = sparse_start(&csc->starts, column + 1);                                  \
            for (int64_t k = sparse_start(&csc->starts, column); k < end; k++)                     \
                sum[row[k] - window->rows.first] += value[k] * factor;                             \
        }                                                                                          \
    }                                                                                              \
    static void gather_##suffix(const struct window *window, struct sparse_part rows,              \
                                real *restrict y)                                                  \
    {                                                                                              \
        const real *restrict sum = window->sum;                                                    \
        int64_t first = rows.first > window->rows.first ? rows.first : window->rows.first;         \
        int64_t last = rows.last < window->rows.last ? rows.last : window->rows.last;              \
        for (int64_t row = first; row < last; row++)                                               \
            y[row] += sum[row - window->rows.first];                                               \
    }
COLUMNS_FUNCTIONS(double, double)
COLUMNS_FUNCTIONS(float, float)

/* False: no memory for the window. */
static bool add_columns(const struct spmv_matrix *matrix, double alpha, const void *x,
                        struct window *window)
{
    const struct sparse_csc *csc = matrix->host;
    struct sparse_part columns = sparse_row_part(&csc->starts);
    size_t each = spmv_value_bytes(matrix->options.precision);
    window->rows = rows_of(csc, columns);
    size_t rows = (size_t)(window->rows.last - window->rows.first);
    window->sum = malloc(rows > 0 ? rows * each : 1);
    if (!window->sum)
        return false;
    memset(window->sum, 0, rows * each);
    if (matrix->options.precision == SPMV_DOUBLE)
        columns_double(csc, columns, alpha, x, window);
    else
        columns_float(csc, columns, (float)alpha, x, window);
    return true;
}

static void gather(const struct spmv_matrix *matrix, const struct window *windows, double beta,
                   void *y)
{
    struct sparse_part rows = sparse_equal_part(matrix->rows);
    sparse_scale_part(matrix->options.precision, rows, beta, y);
    for (int thread = 0; thread < omp_get_num_threads(); thread++)
        if (matrix->options.precision == SPMV_DOUBLE)
            gather_double(&windows[thread], rows, y);
        else
            gather_float(&windows[thread], rows, y);
}

/* y is written when all threads have a window. */
static enum dm_status csc_multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                                   double beta, void *y)
{
    struct window *windows;
    int lacking = 0;
    TRY(sparse_host_memory(&windows, omp_get_max_threads(), sizeof *windows));
#pragma omp parallel
    {
        struct window *mine = &windows[omp_get_thread_num()];
        if (!add_columns(matrix, alpha, x, mine)) {
#pragma omp atomic
            lacking++;
        }
#pragma omp barrier
        if (lacking == 0)
            gather(matrix, windows, beta, y);
#pragma omp barrier
        free(mine->sum);
    }
    free(windows);
    return lacking == 0 ? DM_OK
                        : dm_fail(DM_NO_MEMORY,
                                  "a product in format csc: %d threads have no memory "
                                  "for their part of y",
                                  lacking);
}

static void csc_drop_device(struct spmv_matrix *matrix)
{
    struct sparse_csc *csc = matrix->device;
    sparse_device_release(csc->starts.offset);
    sparse_device_release(csc->row);
    sparse_device_release(csc->value);
    free(csc);
    matrix->device = NULL;
}

enum dm_status sparse_csc_open_device(struct spmv_matrix *matrix)
{
    struct sparse_csc *csc;
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof *csc));
    csc = matrix->device;
    csc->starts = (struct sparse_starts){
        matrix->columns, sparse_starts_are_wide(&matrix->options, matrix->entries), NULL};
    size_t starts_bytes = sparse_starts_bytes(&matrix->options, matrix->columns, matrix->entries);
    TRY(sparse_device_memory(&csc->starts.offset, starts_bytes));
    TRY(sparse_device_memory(&csc->row, matrix->index_bytes - starts_bytes));
    return sparse_device_memory(&csc->value, matrix->value_bytes);
}

static enum dm_status csc_upload(struct spmv_matrix *matrix)
{
    const struct sparse_csc *host = matrix->host;
    TRY(sparse_csc_open_device(matrix));
    const struct sparse_csc *device = matrix->device;
    size_t starts_bytes = sparse_starts_bytes(&matrix->options, matrix->columns, matrix->entries);
    TRY(sparse_copy(device->starts.offset, host->starts.offset, starts_bytes));
    TRY(sparse_copy(device->row, host->row, matrix->index_bytes - starts_bytes));
    return sparse_copy(device->value, host->value, matrix->value_bytes);
}

/* As many threads for a column as it has entries in the mean. */
static int lanes_of(const struct spmv_matrix *matrix)
{
    int lanes = 1;
    while (lanes < 32 && 2 * lanes * matrix->columns <= matrix->entries)
        lanes *= 2;
    return lanes;
}

static enum dm_status csc_multiply_device(const struct spmv_matrix *matrix, double alpha,
                                          const void *x, double beta, void *y, cudaStream_t stream)
{
    TRY(sparse_scale_launch(matrix->options.precision, matrix->rows, beta, y, stream));
    return sparse_csc_launch(matrix->device, matrix->options.precision, lanes_of(matrix), alpha, x,
                             y, stream);
}

const struct spmv_operations sparse_csc_operations = {
    .name = "csc",
    .meaning = "columns compressed: values, rows, where each column begins",
    .size = csc_size,
    .build = csc_build,
    .to_coo = csc_to_coo,
    .multiply_host = csc_multiply,
    .upload = csc_upload,
    .multiply_device = csc_multiply_device,
    .convert = sparse_csc_convert,
    .drop_device = csc_drop_device,
    .drop = csc_drop,
};
