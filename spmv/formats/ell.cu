#include "ell.h"

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "strided.h"

/* One thread per row. */
template <bool HAS_LENGTHS, class Real>
static __global__ void rectangle_kernel(int64_t rows, struct sparse_ell ell, Real alpha,
                                        const Real *x, Real beta, Real *y)
{
    int64_t row = sparse_thread();
    if (row >= rows)
        return;
    int64_t count = HAS_LENGTHS ? ell.length[row] : ell.width;
    Real sum = sparse_sum_strided<!HAS_LENGTHS>(ell.column, (const Real *)ell.value, row, ell.pitch,
                                                count, x);
    sparse_store(alpha, sum, beta, &y[row]);
}

template <class Real>
static enum dm_status launch_rectangle(int64_t rows, const struct sparse_ell *ell, Real alpha,
                                       const void *x, Real beta, void *y, cudaStream_t stream)
{
    if (ell->length)
        dm_launch((rectangle_kernel<true, Real>), sparse_blocks(rows), SPARSE_THREADS, 0, stream,
                  rows, *ell, alpha, (const Real *)x, beta, (Real *)y);
    else
        dm_launch((rectangle_kernel<false, Real>), sparse_blocks(rows), SPARSE_THREADS, 0, stream,
                  rows, *ell, alpha, (const Real *)x, beta, (Real *)y);
    return status_of_cuda(cudaGetLastError());
}

enum dm_status sparse_ell_launch(const struct sparse_ell *ell, enum spmv_precision precision,
                                 int64_t rows, double alpha, const void *x, double beta, void *y,
                                 cudaStream_t stream)
{
    if (precision == SPMV_DOUBLE)
        return launch_rectangle<double>(rows, ell, alpha, x, beta, y, stream);
    return launch_rectangle<float>(rows, ell, (float)alpha, x, (float)beta, y, stream);
}
