#include "csr.h"

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "device.h"

/* One thread block per piece: its threads bring the products of a tile of entries to shared memory,
 * side by side whatever the rows; then each row is added up by as many threads as there are for
 * it. After Greathouse and Daga, "Efficient sparse matrix-vector multiplication on GPUs using the
 * CSR storage format", SC 2014. */

static __device__ int lanes_for(int rows)
{
    int lanes = 1;
    while (lanes < SPARSE_WARP && 2 * lanes * rows <= SPARSE_THREADS)
        lanes *= 2;
    return lanes;
}

/* A row has `lanes` threads. All threads make the same number of rounds, with a row or without, so
 * that they meet at the sum. */
template <class Real, class Offset>
static __device__ void add_rows(const Real *product, struct sparse_csr_piece piece,
                                const Offset *start, Real alpha, Real beta, Real *y)
{
    int lanes = lanes_for(piece.rows), lane = threadIdx.x % lanes;
    int groups = SPARSE_THREADS / lanes, turns = (piece.rows + groups - 1) / groups;
    for (int turn = 0; turn < turns; turn++) {
        int r = turn * groups + (int)threadIdx.x / lanes;
        int64_t row = (int64_t)piece.row + r;
        bool has_row = r < piece.rows;
        int begin = has_row ? (int)(start[row] - piece.first) : 0;
        int end = has_row ? (int)(start[row + 1] - piece.first) : 0;
        Real sum = 0;
        for (int i = begin + lane; i < end; i += lanes)
            sum += product[i];
        sum = sparse_sum_lanes(sum, lanes);
        if (has_row && lane == 0)
            sparse_store(alpha, sum, beta, &y[row]);
    }
}

/* Other blocks add to the same row. */
template <class Real>
static __device__ void add_part_of_row(const Real *product, struct sparse_csr_piece piece,
                                       Real alpha, Real *y)
{
    Real sum = 0;
    for (int i = threadIdx.x; i < piece.entries; i += SPARSE_THREADS)
        sum += product[i];
    sum = sparse_sum_lanes(sum, SPARSE_WARP);
    if (threadIdx.x % SPARSE_WARP == 0)
        atomicAdd(&y[piece.row], alpha * sum);
}

/* The number of rounds is a constant, so that all of a thread's loads are under way at once. */
template <class Real, class Offset>
static __global__ void
pieces_kernel(const struct sparse_csr_piece *__restrict__ pieces, const Offset *__restrict__ start,
              const int32_t *__restrict__ column, const Real *__restrict__ value, Real alpha,
              const Real *__restrict__ x, Real beta, Real *y)
{
    __shared__ Real product[SPARSE_CSR_TILE];
    struct sparse_csr_piece piece = pieces[blockIdx.x];
    for (int turn = 0; turn < SPARSE_CSR_TILE / SPARSE_THREADS; turn++) {
        int i = turn * SPARSE_THREADS + threadIdx.x;
        if (i < piece.entries)
            product[i] = value[piece.first + i] * x[column[piece.first + i]];
    }
    __syncthreads();
    if (piece.rows > 0)
        add_rows(product, piece, start, alpha, beta, y);
    else
        add_part_of_row(product, piece, alpha, y);
}

template <class Real>
static __global__ void scale_long_kernel(const int32_t *long_row, int64_t long_rows, Real beta,
                                         Real *y)
{
    int64_t i = sparse_thread();
    if (i < long_rows)
        sparse_store((Real)0, (Real)0, beta, &y[long_row[i]]);
}

template <class Real, class Offset>
static enum dm_status launch_pieces(const struct sparse_csr_device *csr, Real alpha, const void *x,
                                    Real beta, void *y, cudaStream_t stream)
{
    if (csr->long_rows > 0) {
        dm_launch(scale_long_kernel<Real>, sparse_blocks(csr->long_rows), SPARSE_THREADS, 0, stream,
                  csr->long_row, csr->long_rows, beta, (Real *)y);
        TRY_CUDA(cudaGetLastError());
    }
    dm_launch((pieces_kernel<Real, Offset>), (unsigned)csr->piece_count, SPARSE_THREADS, 0, stream,
              csr->pieces, (const Offset *)csr->starts.offset, csr->column,
              (const Real *)csr->value, alpha, (const Real *)x, beta, (Real *)y);
    return status_of_cuda(cudaGetLastError());
}

enum dm_status sparse_csr_launch(const struct sparse_csr_device *csr, enum spmv_precision precision,
                                 double alpha, const void *x, double beta, void *y,
                                 cudaStream_t stream)
{
    if (precision == SPMV_DOUBLE && csr->starts.is_wide)
        return launch_pieces<double, int64_t>(csr, alpha, x, beta, y, stream);
    if (precision == SPMV_DOUBLE)
        return launch_pieces<double, int32_t>(csr, alpha, x, beta, y, stream);
    if (csr->starts.is_wide)
        return launch_pieces<float, int64_t>(csr, (float)alpha, x, (float)beta, y, stream);
    return launch_pieces<float, int32_t>(csr, (float)alpha, x, (float)beta, y, stream);
}
