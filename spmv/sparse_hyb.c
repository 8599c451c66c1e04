#include "sparse_hyb.h"

#include <stdlib.h>

#include "sparse_ell.h"
#include "sparse_rows.h"

enum { WIDEST = SPARSE_HYB_WIDEST };

struct sparse_hyb_cut sparse_hyb_cut(const struct sparse_coo *coo)
{
    int32_t rows_of[WIDEST + 1] = {0};
#pragma omp parallel reduction(+ : rows_of)
    {
        struct sparse_part part = sparse_coo_row_part(coo, coo->rows, 1);
        int64_t begin = sparse_coo_first_entry(coo, part.first), end;
        for (int64_t row = part.first; row < part.last; row++, begin = end) {
            end = sparse_row_end(coo, row, begin);
            rows_of[end - begin < WIDEST ? end - begin : WIDEST]++;
        }
    }
    return sparse_hyb_cut_of(rows_of, coo->rows, coo->entries);
}

struct sparse_hyb_cut sparse_hyb_cut_of(const int32_t rows_of[SPARSE_HYB_WIDEST + 1], int64_t rows,
                                        int64_t entries)
{
    struct sparse_hyb_cut cut = {0, entries};
    int64_t filling = rows - rows_of[0]; /* rows with at least width + 1 entries */
    while (cut.width < WIDEST && 3 * filling >= rows) {
        cut.width++;
        cut.rest -= filling;
        filling -= rows_of[cut.width];
    }
    return cut;
}

void sparse_hyb_size(int64_t rows, struct sparse_hyb_cut cut, const struct sparse_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    *stored = sparse_ell_pitch(rows) * cut.width + cut.rest;
    *value_bytes = sparse_bytes(*stored, sparse_value_bytes(options->precision));
    *index_bytes = sparse_bytes(*stored + cut.rest, sizeof(int32_t));
}

static void hyb_size(const struct sparse_coo *coo, const struct sparse_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    sparse_hyb_size(coo->rows, sparse_hyb_cut(coo), options, value_bytes, index_bytes, stored);
}

static void hyb_drop(struct sparse_matrix *matrix)
{
    struct sparse_hyb *hyb = matrix->host;
    sparse_ell_close(&hyb->ell);
    if (hyb->rest.host)
        sparse_matrix_release(&hyb->rest);
    free(hyb);
    matrix->host = NULL;
}

/* The entries behind the first `width` of each row. */
static bool build_rest(struct sparse_matrix *rest, const struct sparse_coo *coo,
                       struct sparse_hyb_cut cut, const struct sparse_options *options,
                       struct sparse_error *error)
{
    struct sparse_coo list;
    if (!sparse_coo_open(&list, coo->rows, coo->columns, cut.rest, error))
        return false;
    for (int64_t k = 0, begin = 0; k < coo->entries; k++) {
        if (coo->row[k] != coo->row[begin])
            begin = k;
        if (k - begin < cut.width)
            continue;
        list.row[list.entries] = coo->row[k];
        list.column[list.entries] = coo->column[k];
        list.value[list.entries++] = coo->value[k];
    }
    bool done = sparse_matrix_create(rest, SPARSE_COO, &list, options, error);
    sparse_coo_close(&list);
    return done;
}

static bool hyb_build(struct sparse_matrix *matrix, const struct sparse_coo *coo,
                      struct sparse_error *error)
{
    struct sparse_hyb_cut cut = sparse_hyb_cut(coo);
    struct sparse_hyb *hyb = matrix->host = calloc(1, sizeof *hyb);
    if (!hyb)
        return sparse_no_memory("a matrix", sizeof *hyb, error);
    bool done =
        sparse_ell_open(&hyb->ell, coo, matrix->options.precision, cut.width, false)
            ? build_rest(&hyb->rest, coo, cut, &matrix->options, error)
            : sparse_no_memory("format hyb", matrix->value_bytes + matrix->index_bytes, error);
    if (!done)
        hyb_drop(matrix);
    return done;
}

static bool hyb_to_coo(const struct sparse_matrix *matrix, struct sparse_coo *coo,
                       struct sparse_error *error)
{
    const struct sparse_hyb *hyb = matrix->host;
    struct sparse_coo rest;
    if (!sparse_matrix_to_coo(&hyb->rest, &rest, error))
        return false;
    bool done = sparse_coo_open(coo, matrix->rows, matrix->columns, matrix->entries, error);
    if (done) {
        sparse_ell_take(&hyb->ell, matrix->options.precision, matrix->rows, coo);
        for (int64_t k = 0; k < rest.entries && done; k++)
            done = sparse_coo_add(coo, rest.row[k], rest.column[k], rest.value[k], error);
        done = done && sparse_coo_finish(coo, error);
        if (!done)
            sparse_coo_close(coo);
    }
    sparse_coo_close(&rest);
    return done;
}

static void hyb_multiply(const struct sparse_matrix *matrix, double alpha, const void *x,
                         double beta, void *y)
{
    const struct sparse_hyb *hyb = matrix->host;
    sparse_ell_multiply(&hyb->ell, matrix->options.precision, matrix->rows, alpha, x, beta, y);
    if (hyb->rest.entries > 0)
        sparse_multiply(&hyb->rest, alpha, x, 1, y);
}

void sparse_hyb_drop_device(struct sparse_matrix *matrix)
{
    struct sparse_hyb *hyb = matrix->device;
    sparse_ell_release(&hyb->ell);
    sparse_matrix_release(&hyb->rest);
    free(hyb);
    matrix->device = NULL;
}

/* A matrix with a device side alone, although it is copied from the host's. */
static bool upload_rest(struct sparse_matrix *device, const struct sparse_matrix *host)
{
    struct sparse_error error;
    *device = *host;
    bool done = sparse_matrix_to_device(device, &error);
    device->host = NULL;
    return done;
}

static bool hyb_upload(struct sparse_matrix *matrix)
{
    const struct sparse_hyb *host = matrix->host;
    struct sparse_hyb *device = matrix->device = calloc(1, sizeof *device);
    if (!device)
        return false;
    if (sparse_ell_upload(&device->ell, &host->ell, matrix->options.precision) &&
        upload_rest(&device->rest, &host->rest))
        return true;
    sparse_hyb_drop_device(matrix);
    return false;
}

static void hyb_multiply_device(const struct sparse_matrix *matrix, double alpha, const void *x,
                                double beta, void *y, cudaStream_t stream)
{
    const struct sparse_hyb *hyb = matrix->device;
    sparse_ell_launch(&hyb->ell, matrix->options.precision, matrix->rows, alpha, x, beta, y,
                      stream);
    if (hyb->rest.entries > 0)
        sparse_multiply_device(&hyb->rest, alpha, x, 1, y, stream);
}

const struct sparse_operations sparse_hyb_operations = {
    .name = "hyb",
    .meaning = "a rectangle that a third of the rows fill, and a list of the entries behind it",
    .size = hyb_size,
    .build = hyb_build,
    .to_coo = hyb_to_coo,
    .multiply_host = hyb_multiply,
    .upload = hyb_upload,
    .multiply_device = hyb_multiply_device,
    .convert = sparse_hyb_convert,
    .drop_device = sparse_hyb_drop_device,
    .drop = hyb_drop,
};
