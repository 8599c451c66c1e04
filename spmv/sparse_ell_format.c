/* The formats ELL and ELG: a rectangle as wide as the longest row, without and with row lengths. */
#include <stdlib.h>

#include "common/harness/exit.h"

#include "sparse_convert_internal.h"
#include "sparse_ell.h"

static void ell_size(const struct sparse_coo *coo, const struct sparse_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    sparse_ell_size(coo->rows, sparse_ell_width(coo), false, options, value_bytes, index_bytes,
                    stored);
}

static void elg_size(const struct sparse_coo *coo, const struct sparse_options *options,
                     size_t *value_bytes, size_t *index_bytes, int64_t *stored)
{
    sparse_ell_size(coo->rows, sparse_ell_width(coo), true, options, value_bytes, index_bytes,
                    stored);
}

static bool build(struct sparse_matrix *matrix, const struct sparse_coo *coo, bool has_lengths,
                  struct sparse_error *error)
{
    struct sparse_ell *ell = matrix->host = malloc(sizeof *ell);
    int64_t width = matrix->stored / sparse_ell_pitch(coo->rows);
    if (ell && sparse_ell_open(ell, coo, matrix->options.precision, width, has_lengths))
        return true;
    free(ell);
    matrix->host = NULL;
    return sparse_no_memory(matrix->operations->name, matrix->value_bytes + matrix->index_bytes,
                            error);
}

static bool ell_build(struct sparse_matrix *matrix, const struct sparse_coo *coo,
                      struct sparse_error *error)
{
    return build(matrix, coo, false, error);
}

static bool elg_build(struct sparse_matrix *matrix, const struct sparse_coo *coo,
                      struct sparse_error *error)
{
    return build(matrix, coo, true, error);
}

static bool to_coo(const struct sparse_matrix *matrix, struct sparse_coo *coo,
                   struct sparse_error *error)
{
    if (!sparse_coo_open(coo, matrix->rows, matrix->columns, matrix->entries, error))
        return false;
    sparse_ell_take(matrix->host, matrix->options.precision, matrix->rows, coo);
    return true;
}

static void multiply(const struct sparse_matrix *matrix, double alpha, const void *x, double beta,
                     void *y)
{
    sparse_ell_multiply(matrix->host, matrix->options.precision, matrix->rows, alpha, x, beta, y);
}

static bool upload(struct sparse_matrix *matrix)
{
    struct sparse_ell *device = matrix->device = malloc(sizeof *device);
    if (device && sparse_ell_upload(device, matrix->host, matrix->options.precision))
        return true;
    free(device);
    matrix->device = NULL;
    return false;
}

static bool convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                    bool has_lengths, cudaStream_t stream, struct sparse_error *error)
{
    enum sparse_precision precision = matrix->options.precision;
    int64_t width;
    if (!sparse_convert_width(csr, &width, stream))
        return sparse_no_device_memory(matrix, error);
    sparse_ell_size(matrix->rows, width, has_lengths, &matrix->options, &matrix->value_bytes,
                    &matrix->index_bytes, &matrix->stored);
    if (!sparse_matrix_fits(matrix, error))
        return false;
    struct sparse_ell *device = malloc(sizeof *device);
    if (!device || !sparse_ell_open_device(device, matrix->rows, width, precision, has_lengths)) {
        free(device);
        return sparse_no_device_memory(matrix, error);
    }
    sparse_convert_ell(csr, precision, device, NULL, NULL, stream);
    check_cuda(cudaStreamSynchronize(stream));
    matrix->device = device;
    return true;
}

static bool ell_convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                        cudaStream_t stream, struct sparse_error *error)
{
    return convert(matrix, csr, false, stream, error);
}

static bool elg_convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                        cudaStream_t stream, struct sparse_error *error)
{
    return convert(matrix, csr, true, stream, error);
}

static void multiply_device(const struct sparse_matrix *matrix, double alpha, const void *x,
                            double beta, void *y, cudaStream_t stream)
{
    sparse_ell_launch(matrix->device, matrix->options.precision, matrix->rows, alpha, x, beta, y,
                      stream);
}

static void drop_device(struct sparse_matrix *matrix)
{
    sparse_ell_release(matrix->device);
    free(matrix->device);
    matrix->device = NULL;
}

static void drop(struct sparse_matrix *matrix)
{
    sparse_ell_close(matrix->host);
    free(matrix->host);
    matrix->host = NULL;
}

const struct sparse_operations sparse_ell_operations = {
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

const struct sparse_operations sparse_elg_operations = {
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
