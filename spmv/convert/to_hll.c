/* HLL from CSR, on the device. */
#include "to_hll.h"

#include <stdlib.h>

#include "convert.h"
#include "common/error_cuda.h"

/* Where each hack begins and where its segments are listed; hacks + 1 numbers each, on the device.
 */
struct plan {
    int64_t hacks, hack_rows;
    int64_t *start, *segment; /* of one piece of memory, with what finds them behind */
    int64_t stored, segments; /* all of them */
};

static enum dm_status fetch_totals(struct plan *plan, cudaStream_t stream)
{
    TRY_CUDA(cudaMemcpyAsync(&plan->stored, plan->start + plan->hacks, sizeof plan->stored,
                             cudaMemcpyDeviceToHost, stream));
    TRY_CUDA(cudaMemcpyAsync(&plan->segments, plan->segment + plan->hacks, sizeof plan->segments,
                             cudaMemcpyDeviceToHost, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    return DM_OK;
}

static enum dm_status plan_open(struct plan *plan, const struct spmv_matrix *matrix,
                                const struct sparse_csr_device *csr, cudaStream_t stream)
{
    int64_t hacks = sparse_hll_hacks(&matrix->options, matrix->rows), count = hacks + 1;
    int64_t numbers = 2 * count + sparse_convert_scan_scratch(count);
    *plan = (struct plan){.hacks = hacks, .hack_rows = sparse_hll_hack_rows(&matrix->options)};
    TRY(sparse_device_memory(&plan->start,
                             (size_t)numbers * sizeof(int64_t) + (size_t)hacks * sizeof(int32_t)));
    plan->segment = plan->start + count;
    int64_t *scratch = plan->segment + count;
    int32_t *longest = (int32_t *)(plan->start + numbers);
    TRY_CUDA(cudaMemsetAsync(longest, 0, (size_t)hacks * sizeof *longest, stream));
    TRY(sparse_convert_lengths(&csr->starts, matrix->rows, NULL, plan->hack_rows, longest, stream));
    TRY(sparse_convert_hacks(longest, hacks, plan->hack_rows, plan->start, plan->segment, stream));
    TRY(sparse_convert_scan(plan->start, count, scratch, stream));
    TRY(sparse_convert_scan(plan->segment, count, scratch, stream));
    return fetch_totals(plan, stream);
}

static enum dm_status open_device(struct spmv_matrix *matrix, const struct plan *plan)
{
    struct sparse_hll *hll;
    TRY(sparse_host_zeros(&matrix->device, 1, sizeof *hll));
    hll = matrix->device;
    hll->hack_rows = plan->hack_rows;
    hll->segment_count = plan->segments;
    hll->starts = (struct sparse_starts){
        plan->hacks, sparse_starts_are_wide(&matrix->options, plan->stored), NULL};
    size_t stored = (size_t)plan->stored, rows = (size_t)(plan->hacks * plan->hack_rows);
    TRY(sparse_device_memory(&hll->starts.offset,
                             sparse_starts_bytes(&matrix->options, plan->hacks, plan->stored)));
    TRY(sparse_device_memory(&hll->length, rows * sizeof *hll->length));
    TRY(sparse_device_memory(&hll->column, stored * sizeof *hll->column));
    TRY(sparse_device_memory(&hll->value, matrix->value_bytes));
    return sparse_device_memory(&hll->segments, (size_t)plan->segments * sizeof *hll->segments);
}

static enum dm_status fill(const struct spmv_matrix *matrix, const struct plan *plan,
                           const struct sparse_csr_device *csr, cudaStream_t stream)
{
    struct sparse_hll *hll = matrix->device;
    const struct sparse_rectangles to = {.starts = hll->starts,
                                         .hack_rows = (uint32_t)hll->hack_rows,
                                         .width = INT64_MAX,
                                         .column = hll->column,
                                         .value = hll->value};
    size_t stored = (size_t)plan->stored;
    TRY(sparse_convert_starts(&hll->starts, plan->start, stream));
    TRY_CUDA(cudaMemsetAsync(hll->column, 0xff, stored * sizeof *hll->column, stream));
    TRY_CUDA(cudaMemsetAsync(hll->value, 0, matrix->value_bytes, stream));
    TRY(sparse_convert_place(csr, matrix->options.precision, &to, stream));
    TRY(sparse_convert_lengths(&csr->starts, plan->hacks * plan->hack_rows, hll->length, 1, NULL,
                               stream));
    TRY(sparse_convert_segments(plan->segment, plan->hacks, hll->segments, stream));
    TRY_CUDA(cudaStreamSynchronize(stream));
    return DM_OK;
}

static enum dm_status make(struct spmv_matrix *matrix, const struct plan *plan,
                           const struct sparse_csr_device *csr, cudaStream_t stream)
{
    TRY(open_device(matrix, plan));
    return fill(matrix, plan, csr, stream);
}

static enum dm_status convert(struct spmv_matrix *matrix, struct plan *plan,
                              const struct sparse_csr_device *csr, cudaStream_t stream)
{
    TRY(sparse_on_device(plan_open(plan, matrix, csr, stream), matrix));
    matrix->stored = plan->stored;
    sparse_hll_size(matrix->rows, plan->stored, &matrix->options, &matrix->value_bytes,
                    &matrix->index_bytes);
    TRY(sparse_matrix_fits(matrix));
    return sparse_on_device(make(matrix, plan, csr, stream), matrix);
}

enum dm_status sparse_hll_convert(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                                  cudaStream_t stream)
{
    struct plan plan = {0};
    TRY(sparse_hll_options(&matrix->options));
    enum dm_status status = convert(matrix, &plan, csr, stream);
    sparse_device_release(plan.start);
    return status;
}
