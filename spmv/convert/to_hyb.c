/* HYB from CSR, on the device. */
#include <stdlib.h>

#include "convert.h"
#include "common/error_cuda.h"

static enum dm_status fetch_lengths(int32_t *rows_of, int32_t *counted, size_t bytes,
                                    const struct sparse_csr_device *csr, cudaStream_t stream)
{
    TRY_CUDA(cudaMemsetAsync(counted, 0, bytes, stream));
    TRY(sparse_convert_count_lengths(&csr->starts, counted, stream));
    TRY_CUDA(cudaMemcpyAsync(rows_of, counted, bytes, cudaMemcpyDeviceToHost, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    return DM_OK;
}

/* Where the rows are to be cut. */
static enum dm_status find_cut(struct sparse_hyb_cut *cut, const struct spmv_matrix *matrix,
                               const struct sparse_csr_device *csr, cudaStream_t stream)
{
    int32_t *counted, rows_of[SPARSE_HYB_WIDEST + 1];
    TRY(sparse_device_memory(&counted, sizeof rows_of));
    enum dm_status status = fetch_lengths(rows_of, counted, sizeof rows_of, csr, stream);
    sparse_device_release(counted);
    if (status == DM_OK)
        *cut = sparse_hyb_cut_of(rows_of, matrix->rows, matrix->entries);
    return status;
}

static enum dm_status open_parts(struct spmv_matrix *matrix, struct sparse_hyb_cut cut)
{
    struct sparse_hyb *hyb;
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof *hyb));
    hyb = matrix->device;
    hyb->rest = (struct spmv_matrix){.operations = &sparse_coo_operations,
                                     .options = matrix->options,
                                     .rows = matrix->rows,
                                     .columns = matrix->columns,
                                     .entries = cut.rest};
    sparse_convert_size(&hyb->rest);
    TRY(sparse_ell_open_device(&hyb->ell, matrix->rows, cut.width, matrix->options.precision,
                               false));
    return sparse_entries_open_device(&hyb->rest);
}

/* start: where the list of each row's rest begins, and scratch memory behind; NULL: there is no
 * rest. */
static enum dm_status fill(const struct sparse_hyb *hyb, enum spmv_precision precision,
                           const struct sparse_csr_device *csr, int64_t *start, cudaStream_t stream)
{
    int64_t count = csr->starts.count + 1;
    if (start) {
        TRY(sparse_convert_rests(&csr->starts, hyb->ell.width, start, stream));
        TRY(sparse_convert_scan(start, count, start + count, stream));
    }
    TRY(sparse_convert_ell(csr, precision, &hyb->ell, hyb->rest.device, start, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    return DM_OK;
}

static enum dm_status make(struct spmv_matrix *matrix, struct sparse_hyb_cut cut,
                           const struct sparse_csr_device *csr, cudaStream_t stream)
{
    int64_t count = csr->starts.count + 1, *start = NULL;
    size_t numbers = (size_t)(count + sparse_convert_scan_scratch(count));
    TRY(open_parts(matrix, cut));
    if (cut.rest > 0)
        TRY(sparse_device_memory(&start, numbers * sizeof *start));
    enum dm_status status = fill(matrix->device, matrix->options.precision, csr, start, stream);
    sparse_device_release(start);
    return status;
}

enum dm_status sparse_hyb_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream)
{
    struct sparse_hyb_cut cut;
    TRY(sparse_on_device(find_cut(&cut, matrix, csr, stream), matrix));
    sparse_hyb_size(matrix->rows, cut, &matrix->options, &matrix->value_bytes, &matrix->index_bytes,
                    &matrix->stored);
    TRY(sparse_matrix_fits(matrix));
    return sparse_on_device(make(matrix, cut, csr, stream), matrix);
}
