#include "convert.h"
#include "common/error_cuda.h"

static enum dm_status check(enum spmv_format format, const struct spmv_matrix *from)
{
    if ((unsigned)format >= SPMV_FORMATS)
        return dm_fail(DM_INVALID, "format %d: there are formats 0 to %d", (int)format,
                       SPMV_FORMATS - 1);
    if (from->operations != &sparse_csr_operations || !from->device)
        return dm_fail(DM_INVALID, "a matrix is converted on the device from csr that lies there: "
                                   "call spmv_matrix_to_device before");
    if (!sparse_operations[format]->convert)
        return dm_fail(DM_INVALID, "the matrix has format %s already", spmv_format_name(format));
    return DM_OK;
}

enum dm_status spmv_matrix_convert_device(struct spmv_matrix *to, enum spmv_format format,
                                          const struct spmv_matrix *from, cudaStream_t stream)
{
    *to = (struct spmv_matrix){0};
    TRY(check(format, from));
    *to = (struct spmv_matrix){.operations = sparse_operations[format],
                               .options = from->options,
                               .rows = from->rows,
                               .columns = from->columns,
                               .entries = from->entries};
    enum dm_status status = to->operations->convert(to, from->device, stream);
    if (status != DM_OK)
        spmv_matrix_release(to);
    return status;
}

void sparse_convert_size(struct spmv_matrix *matrix)
{
    const struct spmv_coo numbers = {
        .rows = matrix->rows, .columns = matrix->columns, .entries = matrix->entries};
    matrix->operations->size(&numbers, &matrix->options, &matrix->value_bytes, &matrix->index_bytes,
                             &matrix->stored);
}

static enum dm_status find_longest(const struct sparse_csr_device *csr, int32_t *longest,
                                   int64_t *width, cudaStream_t stream)
{
    int32_t found;
    TRY_CUDA(cudaMemsetAsync(longest, 0, sizeof *longest, stream));
    TRY(sparse_convert_lengths(&csr->starts, csr->starts.count, NULL, csr->starts.count, longest,
                               stream));
    TRY_CUDA(cudaMemcpyAsync(&found, longest, sizeof found, cudaMemcpyDeviceToHost, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    *width = found;
    return DM_OK;
}

enum dm_status sparse_convert_width(const struct sparse_csr_device *csr, int64_t *width,
                                    cudaStream_t stream)
{
    int32_t *longest;
    TRY(sparse_device_memory(&longest, sizeof *longest));
    enum dm_status status = find_longest(csr, longest, width, stream);
    sparse_device_release(longest);
    return status;
}

enum dm_status sparse_convert_ell(const struct sparse_csr_device *csr,
                                  enum spmv_precision precision, const struct sparse_ell *ell,
                                  const struct sparse_entries *rest, const int64_t *rest_start,
                                  cudaStream_t stream)
{
    struct sparse_rectangles to = {.hack_rows = (uint32_t)ell->pitch,
                                   .width = ell->width,
                                   .column = ell->column,
                                   .value = ell->value,
                                   .rest_start = rest_start};
    size_t stored = (size_t)(ell->pitch * ell->width);
    if (rest)
        to.rest = *rest;
    TRY_CUDA(cudaMemsetAsync(ell->column, 0xff, stored * sizeof *ell->column, stream));
    TRY_CUDA(cudaMemsetAsync(ell->value, 0, stored * spmv_value_bytes(precision), stream));
    TRY(sparse_convert_place(csr, precision, &to, stream));
    return ell->length
               ? sparse_convert_lengths(&csr->starts, ell->pitch, ell->length, 1, NULL, stream)
               : DM_OK;
}
