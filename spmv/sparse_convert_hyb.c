/* HYB from CSR, on the device. */
#include <stdlib.h>

#include "common/harness/exit.h"

#include "sparse_convert_internal.h"

/* Where the rows are to be cut. False: no memory on the device. */
static bool find_cut(struct sparse_hyb_cut *cut, const struct sparse_matrix *matrix,
                     const struct sparse_csr_device *csr, cudaStream_t stream)
{
    int32_t *counted, rows_of[SPARSE_HYB_WIDEST + 1];
    if (!sparse_device_memory((void **)&counted, sizeof rows_of))
        return false;
    check_cuda(cudaMemsetAsync(counted, 0, sizeof rows_of, stream));
    sparse_convert_count_lengths(&csr->starts, counted, stream);
    check_cuda(cudaMemcpyAsync(rows_of, counted, sizeof rows_of, cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
    sparse_device_release(counted);
    *cut = sparse_hyb_cut_of(rows_of, matrix->rows, matrix->entries);
    return true;
}

static bool open_parts(struct sparse_hyb *hyb, const struct sparse_matrix *matrix,
                       struct sparse_hyb_cut cut)
{
    hyb->rest = (struct sparse_matrix){.operations = &sparse_coo_operations,
                                       .options = matrix->options,
                                       .rows = matrix->rows,
                                       .columns = matrix->columns,
                                       .entries = cut.rest};
    sparse_convert_size(&hyb->rest);
    return sparse_ell_open_device(&hyb->ell, matrix->rows, cut.width, matrix->options.precision,
                                  false) &&
           sparse_entries_open_device(&hyb->rest);
}

/* A matrix whose rows all fit in the rectangle needs no places in the list. */
static bool fill(const struct sparse_hyb *hyb, enum sparse_precision precision,
                 const struct sparse_csr_device *csr, cudaStream_t stream)
{
    int64_t count = csr->starts.count + 1, *start = NULL;
    if (hyb->rest.entries > 0) {
        size_t numbers = (size_t)(count + sparse_convert_scan_scratch(count));
        if (!sparse_device_memory((void **)&start, numbers * sizeof *start))
            return false;
        sparse_convert_rests(&csr->starts, hyb->ell.width, start, stream);
        sparse_convert_scan(start, count, start + count, stream);
    }
    sparse_convert_ell(csr, precision, &hyb->ell, hyb->rest.device, start, stream);
    check_cuda(cudaStreamSynchronize(stream));
    sparse_device_release(start);
    return true;
}

bool sparse_hyb_convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                        cudaStream_t stream, struct sparse_error *error)
{
    struct sparse_hyb_cut cut;
    if (!find_cut(&cut, matrix, csr, stream))
        return sparse_no_device_memory(matrix, error);
    sparse_hyb_size(matrix->rows, cut, &matrix->options, &matrix->value_bytes, &matrix->index_bytes,
                    &matrix->stored);
    if (!sparse_matrix_fits(matrix, error))
        return false;
    struct sparse_hyb *hyb = matrix->device = calloc(1, sizeof *hyb);
    if (!hyb)
        return sparse_no_memory("a matrix", sizeof *hyb, error);
    if (open_parts(hyb, matrix, cut) && fill(hyb, matrix->options.precision, csr, stream))
        return true;
    sparse_hyb_drop_device(matrix);
    return sparse_no_device_memory(matrix, error);
}
