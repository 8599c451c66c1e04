#include "common/error_cuda.h"
#include "common/gpu.h"

#include "device.h"
#include "format.h"

template <class Real> static __global__ void scale_kernel(int64_t rows, Real beta, Real *y)
{
    int64_t row = sparse_thread();
    if (row < rows)
        sparse_store((Real)0, (Real)0, beta, &y[row]);
}

enum dm_status sparse_scale_launch(enum spmv_precision precision, int64_t rows, double beta,
                                   void *y, cudaStream_t stream)
{
    if (beta == 1)
        return DM_OK;
    if (precision == SPMV_DOUBLE)
        dm_launch(scale_kernel<double>, sparse_blocks(rows), SPARSE_THREADS, 0, stream, rows, beta,
                  (double *)y);
    else
        dm_launch(scale_kernel<float>, sparse_blocks(rows), SPARSE_THREADS, 0, stream, rows,
                  (float)beta, (float *)y);
    return status_of_cuda(cudaGetLastError());
}

/* Entries of one thread: odd, so that the threads of a warp are in different banks of shared
 * memory. */
enum { RUN = 7, TILE = RUN * SPARSE_THREADS };

/* Adds up the runs of equal rows among [begin, end) of the tile. A row that may go on before or
 * behind belongs to others, too. */
template <class Real>
static __device__ void add_runs(const Real *product, const int32_t *row, int begin, int end,
                                Real alpha, Real *y)
{
    for (int i = begin; i < end;) {
        int first = i;
        Real sum = 0;
        for (; i < end && row[i] == row[first]; i++)
            sum += product[i];
        if (first > begin && i < end)
            y[row[first]] += alpha * sum;
        else
            atomicAdd(&y[row[first]], alpha * sum);
    }
}

template <class Real>
static __global__ void
coo_kernel(int64_t entries, const int32_t *__restrict__ row, const int32_t *__restrict__ column,
           const Real *__restrict__ value, Real alpha, const Real *__restrict__ x, Real *y)
{
    __shared__ Real product[TILE];
    __shared__ int32_t product_row[TILE];
    int64_t first = (int64_t)blockIdx.x * TILE;
    int count = entries - first < TILE ? (int)(entries - first) : TILE;
    for (int turn = 0; turn < RUN; turn++) {
        int i = turn * SPARSE_THREADS + threadIdx.x;
        if (i >= count)
            break;
        product[i] = value[first + i] * x[column[first + i]];
        product_row[i] = row[first + i];
    }
    __syncthreads();
    int begin = threadIdx.x * RUN, end = begin + RUN < count ? begin + RUN : count;
    add_runs(product, product_row, begin, end, alpha, y);
}

template <class Real>
static enum dm_status launch_coo(int64_t entries, const int32_t *row, const int32_t *column,
                                 const void *value, Real alpha, const void *x, void *y,
                                 cudaStream_t stream)
{
    unsigned blocks = (unsigned)((entries + TILE - 1) / TILE);
    dm_launch(coo_kernel<Real>, blocks, SPARSE_THREADS, 0, stream, entries, row, column,
              (const Real *)value, alpha, (const Real *)x, (Real *)y);
    return status_of_cuda(cudaGetLastError());
}

enum dm_status sparse_coo_launch(enum spmv_precision precision, int64_t entries, const int32_t *row,
                                 const int32_t *column, const void *value, double alpha,
                                 const void *x, void *y, cudaStream_t stream)
{
    if (entries == 0)
        return DM_OK;
    if (precision == SPMV_DOUBLE)
        return launch_coo<double>(entries, row, column, value, alpha, x, y, stream);
    return launch_coo<float>(entries, row, column, value, (float)alpha, x, y, stream);
}
