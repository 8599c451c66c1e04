#include "hyb.h"

#include <stdlib.h>

#include "ell.h"
#include "rows.h"

enum { WIDEST = SPARSE_HYB_WIDEST };

struct sparse_hyb_cut sparse_hyb_cut(const struct spmv_coo *coo)
{
    int32_t rows_of[WIDEST + 1] = {0};
#pragma omp parallel reduction(+ : rows_of)
    {
        struct sparse_part part = sparse_coo_row_part(coo, coo->rows, 1);
        int64_t begin = sparse_first_entry(coo, part.first), end;
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

void sparse_hyb_size(int64_t rows, struct sparse_hyb_cut cut, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    *stored = sparse_ell_pitch(rows) * cut.width + cut.rest;
    *value_bytes = sparse_bytes(*stored, spmv_value_bytes(options->precision));
    *index_bytes = sparse_bytes(*stored + cut.rest, sizeof(int32_t));
}

static void hyb_size(const struct spmv_coo *coo, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    sparse_hyb_size(coo->rows, sparse_hyb_cut(coo), options, value_bytes, index_bytes, stored);
}

static void hyb_drop(struct spmv_matrix *matrix)
{
    struct sparse_hyb *hyb = matrix->host;
    sparse_ell_close(&hyb->ell);
    if (hyb->rest.host)
        spmv_matrix_release(&hyb->rest);
    free(hyb);
    matrix->host = NULL;
}

/* The entries behind the first `width` of each row. */
static enum dm_status build_rest(struct spmv_matrix *rest, const struct spmv_coo *coo,
                                 struct sparse_hyb_cut cut, const struct spmv_options *options)
{
    struct spmv_coo list;
    TRY(spmv_coo_open(&list, coo->rows, coo->columns, cut.rest));
    for (int64_t k = 0, begin = 0; k < coo->entries; k++) {
        if (coo->row[k] != coo->row[begin])
            begin = k;
        if (k - begin < cut.width)
            continue;
        list.row[list.entries] = coo->row[k];
        list.column[list.entries] = coo->column[k];
        list.value[list.entries++] = coo->value[k];
    }
    enum dm_status status = spmv_matrix_create(rest, SPMV_COO, &list, options);
    spmv_coo_close(&list);
    return status;
}

static enum dm_status hyb_build(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    struct sparse_hyb_cut cut = sparse_hyb_cut(coo);
    struct sparse_hyb *hyb;
    TRY(sparse_host_zeros(&matrix->host, 1, sizeof *hyb));
    hyb = matrix->host;
    TRY(sparse_ell_open(&hyb->ell, coo, matrix->options.precision, cut.width, false));
    return build_rest(&hyb->rest, coo, cut, &matrix->options);
}

static enum dm_status join(const struct spmv_matrix *matrix, const struct spmv_coo *rest,
                           struct spmv_coo *coo)
{
    const struct sparse_hyb *hyb = matrix->host;
    TRY(spmv_coo_open(coo, matrix->rows, matrix->columns, matrix->entries));
    sparse_ell_take(&hyb->ell, matrix->options.precision, matrix->rows, coo);
    for (int64_t k = 0; k < rest->entries; k++)
        TRY(spmv_coo_add(coo, rest->row[k], rest->column[k], rest->value[k]));
    return spmv_coo_finish(coo);
}

static enum dm_status hyb_to_coo(const struct spmv_matrix *matrix, struct spmv_coo *coo)
{
    const struct sparse_hyb *hyb = matrix->host;
    struct spmv_coo rest;
    TRY(spmv_matrix_to_coo(&hyb->rest, &rest));
    enum dm_status status = join(matrix, &rest, coo);
    spmv_coo_close(&rest);
    return status;
}

static enum dm_status hyb_multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                                   double beta, void *y)
{
    const struct sparse_hyb *hyb = matrix->host;
    sparse_ell_multiply(&hyb->ell, matrix->options.precision, matrix->rows, alpha, x, beta, y);
    return hyb->rest.entries > 0 ? spmv_multiply(&hyb->rest, alpha, x, 1, y) : DM_OK;
}

static void hyb_drop_device(struct spmv_matrix *matrix)
{
    struct sparse_hyb *hyb = matrix->device;
    sparse_ell_release(&hyb->ell);
    spmv_matrix_release(&hyb->rest);
    free(hyb);
    matrix->device = NULL;
}

/* A matrix with a device side alone, although it is copied from the host's. */
static enum dm_status upload_rest(struct spmv_matrix *device, const struct spmv_matrix *host)
{
    *device = *host;
    enum dm_status status = spmv_matrix_to_device(device);
    device->host = NULL;
    return status;
}

static enum dm_status hyb_upload(struct spmv_matrix *matrix)
{
    const struct sparse_hyb *host = matrix->host;
    struct sparse_hyb *device;
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof *device));
    device = matrix->device;
    TRY(sparse_ell_upload(&device->ell, &host->ell, matrix->options.precision));
    return upload_rest(&device->rest, &host->rest);
}

static enum dm_status hyb_multiply_device(const struct spmv_matrix *matrix, double alpha,
                                          const void *x, double beta, void *y, cudaStream_t stream)
{
    const struct sparse_hyb *hyb = matrix->device;
    TRY(sparse_ell_launch(&hyb->ell, matrix->options.precision, matrix->rows, alpha, x, beta, y,
                          stream));
    return hyb->rest.entries > 0 ? spmv_multiply_device(&hyb->rest, alpha, x, 1, y, stream) : DM_OK;
}

const struct spmv_operations sparse_hyb_operations = {
    .name = "hyb",
    .meaning = "a rectangle that a third of the rows fill, and a list of the entries behind it",
    .size = hyb_size,
    .build = hyb_build,
    .to_coo = hyb_to_coo,
    .multiply_host = hyb_multiply,
    .upload = hyb_upload,
    .multiply_device = hyb_multiply_device,
    .convert = sparse_hyb_convert,
    .drop_device = hyb_drop_device,
    .drop = hyb_drop,
};
