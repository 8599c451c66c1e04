#include "csc.h"

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "device.h"

/* Columns of one row meet only in y, so every product is added there by itself. */
template <class Real, class Offset>
static __global__ void columns_kernel(int64_t columns, int lanes, const Offset *start,
                                      const int32_t *row, const Real *value, Real alpha,
                                      const Real *x, Real *y)
{
    int64_t column = sparse_thread() / lanes;
    if (column >= columns)
        return;
    Real factor = alpha * x[column];
    for (int64_t k = start[column] + threadIdx.x % lanes; k < start[column + 1]; k += lanes)
        atomicAdd(&y[row[k]], value[k] * factor);
}

template <class Real, class Offset>
static enum dm_status launch_columns(const struct sparse_csc *csc, int lanes, Real alpha,
                                     const void *x, void *y, cudaStream_t stream)
{
    int64_t columns = csc->starts.count;
    dm_launch((columns_kernel<Real, Offset>), sparse_blocks(columns * lanes), SPARSE_THREADS, 0,
              stream, columns, lanes, (const Offset *)csc->starts.offset, csc->row,
              (const Real *)csc->value, alpha, (const Real *)x, (Real *)y);
    return status_of_cuda(cudaGetLastError());
}

enum dm_status sparse_csc_launch(const struct sparse_csc *csc, enum spmv_precision precision,
                                 int lanes, double alpha, const void *x, void *y,
                                 cudaStream_t stream)
{
    if (precision == SPMV_DOUBLE && csc->starts.is_wide)
        return launch_columns<double, int64_t>(csc, lanes, alpha, x, y, stream);
    if (precision == SPMV_DOUBLE)
        return launch_columns<double, int32_t>(csc, lanes, alpha, x, y, stream);
    if (csc->starts.is_wide)
        return launch_columns<float, int64_t>(csc, lanes, (float)alpha, x, y, stream);
    return launch_columns<float, int32_t>(csc, lanes, (float)alpha, x, y, stream);
}
