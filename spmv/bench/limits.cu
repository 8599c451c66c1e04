#include "common/gpu.h"

#include "spmv/formats/device.h"
#include "limits_kernels.h"

/* Several words per thread, so that enough of them are on the way at a time. */
enum { WORDS = 4 };

static __global__ void copy_kernel(uint4 *to, const uint4 *from, size_t words)
{
    size_t first = (size_t)blockIdx.x * blockDim.x * WORDS + threadIdx.x;
    if (first + (WORDS - 1) * blockDim.x < words) {
        uint4 word[WORDS];
        for (int i = 0; i < WORDS; i++)
            word[i] = from[first + i * blockDim.x];
        for (int i = 0; i < WORDS; i++)
            to[first + i * blockDim.x] = word[i];
    } else {
        for (size_t i = first; i < words; i += blockDim.x)
            to[i] = from[i];
    }
}

cudaError_t spmv_limit_copy_launch(void *to, const void *from, size_t bytes, cudaStream_t stream)
{
    size_t words = bytes / sizeof(uint4);
    dm_launch(copy_kernel, sparse_blocks((int64_t)(words + WORDS - 1) / WORDS), SPARSE_THREADS, 0,
              stream, (uint4 *)to, (const uint4 *)from, words);
    return cudaGetLastError();
}

#if defined(SOFTGPU)
/* A thread has a piece of C in registers: a column of A and a row of B of that piece serve for
 * ROWS * COLUMNS products. */
enum { ROWS = 8, COLUMNS = 2 };

template <class Real>
static __global__ void dense_kernel(int rows, const Real *a, const Real *b, Real *c)
{
    int64_t piece = sparse_thread(), across = rows / ROWS;
    if (piece >= across * (rows / COLUMNS))
        return;
    int64_t row = piece % across * ROWS, column = piece / across * COLUMNS;
    Real sum[COLUMNS][ROWS] = {};
    for (int k = 0; k < rows; k++)
        for (int j = 0; j < COLUMNS; j++)
            for (int i = 0; i < ROWS; i++)
                sum[j][i] += a[row + i + (int64_t)k * rows] * b[k + (column + j) * rows];
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < ROWS; i++)
            c[row + i + (column + j) * rows] = sum[j][i];
}

cudaError_t spmv_dense_launch(enum spmv_precision precision, int rows, const void *a, const void *b,
                              void *c, cudaStream_t stream)
{
    dim3 blocks = sparse_blocks((int64_t)(rows / ROWS) * (rows / COLUMNS));
    if (precision == SPMV_DOUBLE)
        dm_launch(dense_kernel<double>, blocks, SPARSE_THREADS, 0, stream, rows, (const double *)a,
                  (const double *)b, (double *)c);
    else
        dm_launch(dense_kernel<float>, blocks, SPARSE_THREADS, 0, stream, rows, (const float *)a,
                  (const float *)b, (float *)c);
    return cudaGetLastError();
}
#endif
