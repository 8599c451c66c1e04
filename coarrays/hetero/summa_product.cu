#include "summa_product.h"

#include <stdlib.h>

#if defined(SOFTGPU)

struct summa_product {
    cudaStream_t stream;
};

/* Rows and columns of a thread's tile of C. */
enum { ROWS = 8, COLUMNS = 4 };

struct operands {
    int m, n, k;
    const double *a, *b;
    int keep;
    double *c;
};

/* A tile of rows x columns, which are constants where it is whole, so that sums stay in registers.
 */
static __forceinline__ __device__ void add_tile(const struct operands &o, int row, int column,
                                                const int rows, const int columns)
{
    double sums[COLUMNS][ROWS] = {};
    for (int k = 0; k < o.k; k++) {
        const double *a = o.a + (size_t)k * o.m + row, *b = o.b + (size_t)k * o.n + column;
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                sums[j][i] += a[i] * b[j];
    }
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double *element = o.c + (size_t)(column + j) * o.m + row + i;
            *element = o.keep ? *element + sums[j][i] : sums[j][i];
        }
}

static __global__ void product_kernel(struct operands o)
{
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x) * ROWS,
        column = (int)blockIdx.y * COLUMNS;
    if (row + ROWS <= o.m && column + COLUMNS <= o.n)
        add_tile(o, row, column, ROWS, COLUMNS);
    else if (row < o.m)
        add_tile(o, row, column, min(ROWS, o.m - row), min(COLUMNS, o.n - column));
}

cudaError_t summa_product_open(struct summa_product **product, cudaStream_t stream)
{
    *product = (struct summa_product *)calloc(1, sizeof **product);
    if (!*product)
        return cudaErrorMemoryAllocation;
    (*product)->stream = stream;
    return cudaSuccess;
}

void summa_product_close(struct summa_product *product)
{
    free(product);
}

cudaError_t summa_product_start(struct summa_product *product, int m, int n, int k, const double *a,
                                const double *b, int keep, double *c)
{
    enum { THREADS = 32 };
    const struct operands operands = {m, n, k, a, b, keep, c};
    dim3 grid((unsigned)((m + THREADS * ROWS - 1) / (THREADS * ROWS)),
              (unsigned)((n + COLUMNS - 1) / COLUMNS), 1);
    dm_launch(product_kernel, grid, THREADS, 0, product->stream, operands);
    return cudaGetLastError();
}

#else

#include "common/gpu.h"
#include "common/cublas_open.h"

struct summa_product {
    cublasHandle_t handle;
};

cudaError_t summa_product_open(struct summa_product **product, cudaStream_t stream)
{
    *product = (struct summa_product *)calloc(1, sizeof **product);
    if (!*product)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cublas_open(&(*product)->handle, stream);
    if (error) {
        free(*product);
        *product = NULL;
    }
    return error;
}

void summa_product_close(struct summa_product *product)
{
    if (!product)
        return;
    cublasDestroy(product->handle);
    free(product);
}

/* cuBLAS takes matrices by columns: B by rows is its transpose. */
cudaError_t summa_product_start(struct summa_product *product, int m, int n, int k, const double *a,
                                const double *b, int keep, double *c)
{
    const double one = 1.0, old = keep;
    return cublas_error(cublasDgemm(product->handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &one, a, m,
                                    b, n, &old, c, m));
}

#endif
