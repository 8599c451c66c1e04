/* The formats ELL and ELG: a rectangle as wide as the longest row, without and with row lengths. */
#include <stdlib.h>

#include "spmv/convert/convert.h"
#include "ell.h"
#include "common/error_cuda.h"

static void ell_size(const struct spmv_coo *coo, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    sparse_ell_size(coo->rows, sparse_ell_width(coo), false, options, value_bytes, index_bytes,
                    stored);
}

static void elg_size(const struct spmv_coo *coo, const struct spmv_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    sparse_ell_size(coo->rows, sparse_ell_width(coo), true, options, value_bytes, index_bytes,
                    stored);
}

static enum dm_status build(struct spmv_matrix *matrix, const struct spmv_coo *coo,
                            bool has_lengths)
{
    int64_t width = matrix->stored / sparse_ell_pitch(coo->rows);
    TRY(sparse_host_zeros(&matrix->host, 1, sizeof(struct sparse_ell)));
    return sparse_ell_open(matrix->host, coo, matrix->options.precision, width, has_lengths);
}

static enum dm_status ell_build(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    return build(matrix, coo, false);
}

static enum dm_status elg_build(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    return build(matrix, coo, true);
}

static enum dm_status to_coo(const struct spmv_matrix *matrix, struct spmv_coo *coo)
{
    TRY(spmv_coo_open(coo, matrix->rows, matrix->columns, matrix->entries));
    sparse_ell_take(matrix->host, matrix->options.precision, matrix->rows, coo);
    return DM_OK;
}

static enum dm_status multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                               double beta, void *y)
{
    sparse_ell_multiply(matrix->host, matrix->options.precision, matrix->rows, alpha, x, beta, y);
    return DM_OK;
}

static enum dm_status upload(struct spmv_matrix *matrix)
{
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof(struct sparse_ell)));
    return sparse_ell_upload(matrix->device, matrix->host, matrix->options.precision);
}

static enum dm_status convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                              bool has_lengths, cudaStream_t stream)
{
    enum spmv_precision precision = matrix->options.precision;
    int64_t width;
    TRY(sparse_on_device(sparse_convert_width(csr, &width, stream), matrix));
    sparse_ell_size(matrix->rows, width, has_lengths, &matrix->options, &matrix->value_bytes,
                    &matrix->index_bytes, &matrix->stored);
    TRY(sparse_matrix_fits(matrix));
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof(struct sparse_ell)));
    TRY(sparse_on_device(
        sparse_ell_open_device(matrix->device, matrix->rows, width, precision, has_lengths),
        matrix));
    TRY(sparse_convert_ell(csr, precision, matrix->device, NULL, NULL, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    return DM_OK;
}

static enum dm_status ell_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream)
{
    return convert(matrix, csr, false, stream);
}

static enum dm_status elg_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream)
{
    return convert(matrix, csr, true, stream);
}

static enum dm_status multiply_device(const struct spmv_matrix *matrix, double alpha, const void *x,
                                      double beta, void *y, cudaStream_t stream)
{
    return sparse_ell_launch(matrix->device, matrix->options.precision, matrix->rows, alpha, x,
                             beta, y, stream);
}

static void drop_device(struct spmv_matrix *matrix)
{
    sparse_ell_release(matrix->device);
    free(matrix->device);
    matrix->device = NULL;
}

static void drop(struct spmv_matrix *matrix)
{
    sparse_ell_close(matrix->host);
    free(matrix->host);
    matrix->host = NULL;
}

const struct spmv_operations sparse_ell_operations = {
    .name = "ell",
    .meaning = "a rectangle as wide as the longest row; padding is computed",
    .size = ell_size,
    .build = ell_build,
    .to_coo = to_coo,
    .multiply_host = multiply,
    .upload = upload,
    .convert = ell_convert,
    .multiply_device = multiply_device,
    .drop_device = drop_device,
    .drop = drop,
};

const struct spmv_operations sparse_elg_operations = {
    .name = "elg",
    .meaning = "the same with the length of each row: padding is skipped",
    .size = elg_size,
    .build = elg_build,
    .to_coo = to_coo,
    .multiply_host = multiply,
    .upload = upload,
    .convert = elg_convert,
    .multiply_device = multiply_device,
    .drop_device = drop_device,
    .drop = drop,
};
