#include "hll.h"

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "strided.h"

/* The sum of a row's values from column `from` of its hack's rectangle on, one segment at most. */
template <class Real, class Offset>
static __device__ Real sum_segment(const struct sparse_hll &hll, unsigned hack, unsigned r,
                                   int32_t from, const Real *x)
{
    unsigned hack_rows = (unsigned)hll.hack_rows;
    int64_t first = ((const Offset *)hll.starts.offset)[hack] + (int64_t)from * hack_rows + r;
    int32_t count = hll.length[(int64_t)hack * hack_rows + r] - from;
    return sparse_sum_strided<false>(hll.column, (const Real *)hll.value, first, hack_rows,
                                     count < SPARSE_HLL_SEGMENT ? count : SPARSE_HLL_SEGMENT, x);
}

/* One thread per row. */
template <class Real, class Offset>
static __global__ void first_segments_kernel(int64_t rows, struct sparse_hll hll, Real alpha,
                                             const Real *x, Real beta, Real *y)
{
    int64_t row = sparse_thread();
    if (row >= rows)
        return;
    unsigned hack = (unsigned)row / (unsigned)hll.hack_rows;
    unsigned r = (unsigned)row % (unsigned)hll.hack_rows;
    sparse_store(alpha, sum_segment<Real, Offset>(hll, hack, r, 0, x), beta, &y[row]);
}

/* One thread per row and segment behind the first. Many rows of such a hack may have ended. */
template <class Real, class Offset>
static __global__ void more_segments_kernel(int64_t rows, struct sparse_hll hll, Real alpha,
                                            const Real *x, Real *y)
{
    int64_t segment = sparse_thread() / hll.hack_rows;
    if (segment >= hll.segment_count)
        return;
    int32_t hack = hll.segments[segment].hack, from = hll.segments[segment].column;
    unsigned r = (unsigned)(sparse_thread() % hll.hack_rows);
    int64_t row = hack * hll.hack_rows + r;
    if (row < rows && hll.length[row] > from)
        atomicAdd(&y[row], alpha * sum_segment<Real, Offset>(hll, (unsigned)hack, r, from, x));
}

template <class Real, class Offset>
static enum dm_status launch_hll(int64_t rows, const struct sparse_hll *hll, Real alpha,
                                 const void *x, Real beta, void *y, cudaStream_t stream)
{
    dm_launch((first_segments_kernel<Real, Offset>), sparse_blocks(rows), SPARSE_THREADS, 0, stream,
              rows, *hll, alpha, (const Real *)x, beta, (Real *)y);
    TRY_CUDA(cudaGetLastError());
    if (hll->segment_count == 0)
        return DM_OK;
    dm_launch((more_segments_kernel<Real, Offset>),
              sparse_blocks(hll->segment_count * hll->hack_rows), SPARSE_THREADS, 0, stream, rows,
              *hll, alpha, (const Real *)x, (Real *)y);
    return status_of_cuda(cudaGetLastError());
}

enum dm_status sparse_hll_launch(const struct sparse_hll *hll, enum spmv_precision precision,
                                 int64_t rows, double alpha, const void *x, double beta, void *y,
                                 cudaStream_t stream)
{
    if (precision == SPMV_DOUBLE && hll->starts.is_wide)
        return launch_hll<double, int64_t>(rows, hll, alpha, x, beta, y, stream);
    if (precision == SPMV_DOUBLE)
        return launch_hll<double, int32_t>(rows, hll, alpha, x, beta, y, stream);
    if (hll->starts.is_wide)
        return launch_hll<float, int64_t>(rows, hll, (float)alpha, x, (float)beta, y, stream);
    return launch_hll<float, int32_t>(rows, hll, (float)alpha, x, (float)beta, y, stream);
}
