/* HLL from CSR, on the device. */
#include "sparse_convert_hll.h"

#include <stdlib.h>

#include "common/harness/exit.h"

#include "sparse_convert_internal.h"

/* Where each hack begins and where its segments are listed; hacks + 1 numbers each, on the device.
 */
struct plan {
    int64_t hacks, hack_rows;
    int64_t *start, *segment; /* of one piece of memory, with what finds them behind */
    int64_t stored, segments; /* all of them */
};

static void fetch_totals(struct plan *plan, cudaStream_t stream)
{
    check_cuda(cudaMemcpyAsync(&plan->stored, plan->start + plan->hacks, sizeof plan->stored,
                               cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaMemcpyAsync(&plan->segments, plan->segment + plan->hacks, sizeof plan->segments,
                               cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
}

static bool plan_open(struct plan *plan, const struct sparse_matrix *matrix,
                      const struct sparse_csr_device *csr, cudaStream_t stream)
{
    int64_t hacks = sparse_hll_hacks(&matrix->options, matrix->rows), count = hacks + 1;
    int64_t numbers = 2 * count + sparse_convert_scan_scratch(count);
    *plan = (struct plan){.hacks = hacks, .hack_rows = sparse_hll_hack_rows(&matrix->options)};
    if (!sparse_device_memory((void **)&plan->start,
                              (size_t)numbers * sizeof(int64_t) + (size_t)hacks * sizeof(int32_t)))
        return false;
    plan->segment = plan->start + count;
    int64_t *scratch = plan->segment + count;
    int32_t *longest = (int32_t *)(plan->start + numbers);
    check_cuda(cudaMemsetAsync(longest, 0, (size_t)hacks * sizeof *longest, stream));
    sparse_convert_lengths(&csr->starts, matrix->rows, NULL, plan->hack_rows, longest, stream);
    sparse_convert_hacks(longest, hacks, plan->hack_rows, plan->start, plan->segment, stream);
    sparse_convert_scan(plan->start, count, scratch, stream);
    sparse_convert_scan(plan->segment, count, scratch, stream);
    fetch_totals(plan, stream);
    return true;
}

static bool open_device(struct sparse_matrix *matrix, const struct plan *plan)
{
    struct sparse_hll *hll = matrix->device = calloc(1, sizeof *hll);
    if (!hll)
        return false;
    hll->hack_rows = plan->hack_rows;
    hll->segment_count = plan->segments;
    hll->starts = (struct sparse_starts){
        plan->hacks, sparse_starts_are_wide(&matrix->options, plan->stored), NULL};
    size_t stored = (size_t)plan->stored, rows = (size_t)(plan->hacks * plan->hack_rows);
    if (sparse_device_memory(&hll->starts.offset,
                             sparse_starts_bytes(&matrix->options, plan->hacks, plan->stored)) &&
        sparse_device_memory((void **)&hll->length, rows * sizeof *hll->length) &&
        sparse_device_memory((void **)&hll->column, stored * sizeof *hll->column) &&
        sparse_device_memory(&hll->value, matrix->value_bytes) &&
        sparse_device_memory((void **)&hll->segments,
                             (size_t)plan->segments * sizeof *hll->segments))
        return true;
    sparse_hll_drop_device(matrix);
    return false;
}

static void fill(const struct sparse_matrix *matrix, const struct plan *plan,
                 const struct sparse_csr_device *csr, cudaStream_t stream)
{
    struct sparse_hll *hll = matrix->device;
    const struct sparse_rectangles to = {.starts = hll->starts,
                                         .hack_rows = (uint32_t)hll->hack_rows,
                                         .width = INT64_MAX,
                                         .column = hll->column,
                                         .value = hll->value};
    size_t stored = (size_t)plan->stored;
    sparse_convert_starts(&hll->starts, plan->start, stream);
    check_cuda(cudaMemsetAsync(hll->column, 0xff, stored * sizeof *hll->column, stream));
    check_cuda(cudaMemsetAsync(hll->value, 0, matrix->value_bytes, stream));
    sparse_convert_place(csr, matrix->options.precision, &to, stream);
    sparse_convert_lengths(&csr->starts, plan->hacks * plan->hack_rows, hll->length, 1, NULL,
                           stream);
    sparse_convert_segments(plan->segment, plan->hacks, hll->segments, stream);
    check_cuda(cudaStreamSynchronize(stream));
}

bool sparse_hll_convert(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                        cudaStream_t stream, struct sparse_error *error)
{
    struct plan plan;
    if (!sparse_hll_options(&matrix->options, error))
        return false;
    if (!plan_open(&plan, matrix, csr, stream))
        return sparse_no_device_memory(matrix, error);
    matrix->stored = plan.stored;
    sparse_hll_size(matrix->rows, plan.stored, &matrix->options, &matrix->value_bytes,
                    &matrix->index_bytes);
    bool done = sparse_matrix_fits(matrix, error) &&
                (open_device(matrix, &plan) || sparse_no_device_memory(matrix, error));
    if (done)
        fill(matrix, &plan, csr, stream);
    sparse_device_release(plan.start);
    return done;
}
