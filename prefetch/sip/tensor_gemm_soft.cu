/* The matrix product of the software GPU: tiles of both operands in shared memory, a small tile of
 * the result per thread. Few threads with many results each, because a thread at a barrier costs
 * time here (common/soft). */
#include <limits.h>
#include <stdlib.h>

#include "tensor_gemm.h"

enum { TILE = 32, DEPTH = 32, PER_THREAD = 4, SIDE = TILE / PER_THREAD, THREADS = SIDE * SIDE };

struct operand {
    const double *data;
    size_t row_stride, column_stride;
};

/* Copies operand rows from `row0` and columns from `column0` to tile[r * row_stride + c *
 * column_stride], with zeros beyond the ends. The threads run along the operand's stride 1. */
template <int rows, int columns, int row_stride, int column_stride>
static __device__ void load_tile(double *tile, struct operand from, size_t row0, size_t end_row,
                                 size_t column0, size_t end_column)
{
    bool along_rows = from.column_stride == 1;
    for (int i = threadIdx.x; i < rows * columns; i += THREADS) {
        int r = along_rows ? i / columns : i % rows, c = along_rows ? i % columns : i / rows;
        bool inside = row0 + r < end_row && column0 + c < end_column;
        const double *value =
            from.data + (row0 + r) * from.row_stride + (column0 + c) * from.column_stride;
        tile[r * row_stride + c * column_stride] = inside ? *value : 0.0;
    }
}

static __device__ void add_products(double sums[PER_THREAD][PER_THREAD], const double (*a)[TILE],
                                    const double (*b)[TILE], size_t row, size_t column)
{
    for (int depth = 0; depth < DEPTH; depth++)
        for (int i = 0; i < PER_THREAD; i++)
            for (int j = 0; j < PER_THREAD; j++)
                sums[i][j] += a[depth][row + i] * b[depth][column + j];
}

static __global__ void gemm_kernel(size_t m, size_t n, size_t k, double *target, double keep,
                                   double alpha, struct operand first, struct operand second)
{
    __shared__ double a[DEPTH][TILE], b[DEPTH][TILE];
    size_t tiles = (n + TILE - 1) / TILE;
    size_t row0 = blockIdx.x / tiles * TILE, column0 = blockIdx.x % tiles * TILE;
    size_t row = threadIdx.x / SIDE * PER_THREAD, column = threadIdx.x % SIDE * PER_THREAD;
    bool useful = row0 + row < m && column0 + column < n;
    double sums[PER_THREAD][PER_THREAD] = {};
    for (size_t depth0 = 0; depth0 < k; depth0 += DEPTH) {
        load_tile<TILE, DEPTH, 1, TILE>(&a[0][0], first, row0, m, depth0, k);
        load_tile<DEPTH, TILE, TILE, 1>(&b[0][0], second, depth0, k, column0, n);
        __syncthreads();
        if (useful)
            add_products(sums, a, b, row, column);
        __syncthreads();
    }
    for (size_t i = 0; i < PER_THREAD && row0 + row + i < m; i++)
        for (size_t j = 0; j < PER_THREAD && column0 + column + j < n; j++) {
            double *result = &target[(row0 + row + i) * n + column0 + column + j];
            *result = alpha * sums[i][j] + (keep == 0.0 ? 0.0 : keep * *result);
        }
}

struct tensor_gemm {
    cudaStream_t stream;
};

cudaError_t tensor_gemm_open(struct tensor_gemm **gemm, cudaStream_t stream)
{
    *gemm = static_cast<struct tensor_gemm *>(malloc(sizeof **gemm));
    if (!*gemm)
        return cudaErrorMemoryAllocation;
    (*gemm)->stream = stream;
    return cudaSuccess;
}

void tensor_gemm_close(struct tensor_gemm *gemm)
{
    free(gemm);
}

static struct operand operand_of(const struct tensor_matrix *matrix, const double *data)
{
    size_t leading = (size_t)matrix->leading;
    return {data, matrix->transposed ? 1 : leading, matrix->transposed ? leading : 1};
}

cudaError_t tensor_gemm_multiply(struct tensor_gemm *gemm, const struct tensor_product *plan,
                                 double *target, double keep, double alpha, const double *first,
                                 const double *second)
{
    size_t m = (size_t)plan->m, n = (size_t)plan->n, k = (size_t)plan->k;
    size_t blocks = ((m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
    if (blocks > INT_MAX)
        return cudaErrorInvalidValue;
    dm_launch(gemm_kernel, dim3((unsigned)blocks, 1, 1), dim3(THREADS, 1, 1), 0, gemm->stream, m, n,
              k, target, keep, alpha, operand_of(&plan->first, first),
              operand_of(&plan->second, second));
    return cudaGetLastError();
}
