#include "sparse_convert.h"

#include "common/harness/exit.h"

#include "sparse_convert_internal.h"

bool sparse_matrix_convert_device(struct sparse_matrix *to, enum sparse_format format,
                                  const struct sparse_matrix *from, cudaStream_t stream,
                                  struct sparse_error *error)
{
    struct sparse_matrix made = {.operations = sparse_operations[format],
                                 .options = from->options,
                                 .rows = from->rows,
                                 .columns = from->columns,
                                 .entries = from->entries};
    *to = (struct sparse_matrix){0};
    if (from->operations != &sparse_csr_operations || !from->device)
        return sparse_refuse(error, "a matrix is converted on the device from csr that lies there: "
                                    "call sparse_matrix_to_device before");
    if (!made.operations->convert)
        return sparse_refuse(error, "the matrix has format %s already", made.operations->name);
    if (!made.operations->convert(&made, from->device, stream, error))
        return false;
    *to = made;
    return true;
}

void sparse_convert_size(struct sparse_matrix *matrix)
{
    const struct sparse_coo numbers = {
        .rows = matrix->rows, .columns = matrix->columns, .entries = matrix->entries};
    matrix->operations->size(&numbers, &matrix->options, &matrix->value_bytes, &matrix->index_bytes,
                             &matrix->stored);
}

bool sparse_convert_width(const struct sparse_csr_device *csr, int64_t *width, cudaStream_t stream)
{
    int32_t *longest, found;
    if (!sparse_device_memory((void **)&longest, sizeof *longest))
        return false;
    check_cuda(cudaMemsetAsync(longest, 0, sizeof *longest, stream));
    sparse_convert_lengths(&csr->starts, csr->starts.count, NULL, csr->starts.count, longest,
                           stream);
    check_cuda(cudaMemcpyAsync(&found, longest, sizeof found, cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
    sparse_device_release(longest);
    *width = found;
    return true;
}

void sparse_convert_ell(const struct sparse_csr_device *csr, enum sparse_precision precision,
                        const struct sparse_ell *ell, const struct sparse_entries *rest,
                        const int64_t *rest_start, cudaStream_t stream)
{
    struct sparse_rectangles to = {.hack_rows = (uint32_t)ell->pitch,
                                   .width = ell->width,
                                   .column = ell->column,
                                   .value = ell->value,
                                   .rest_start = rest_start};
    size_t stored = (size_t)(ell->pitch * ell->width);
    if (rest)
        to.rest = *rest;
    check_cuda(cudaMemsetAsync(ell->column, 0xff, stored * sizeof *ell->column, stream));
    check_cuda(cudaMemsetAsync(ell->value, 0, stored * sparse_value_bytes(precision), stream));
    sparse_convert_place(csr, precision, &to, stream);
    if (ell->length)
        sparse_convert_lengths(&csr->starts, ell->pitch, ell->length, 1, NULL, stream);
}
