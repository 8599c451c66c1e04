/* The dense product. */
#include <cblas.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

#include "limits.h"
#include "limits_kernels.h"

/* A GPU needs more work than a CPU to be busy, the software GPU less. */
enum { ROWS_HOST = 1024 };

#if defined(SOFTGPU)

enum { ROWS_DEVICE = 512 };

static void open_library(struct spmv_dense *dense)
{
    (void)dense;
}

static void close_library(struct spmv_dense *dense)
{
    (void)dense;
}

static void multiply_device(struct spmv_dense *dense, cudaStream_t stream)
{
    check_cuda(spmv_dense_launch(dense->precision, dense->rows, dense->device_a, dense->device_b,
                                 dense->device_c, stream));
}

#else

#include <cublas_v2.h>

enum { ROWS_DEVICE = 4096 };

#define check_cublas(expression)                                                                   \
    do {                                                                                           \
        cublasStatus_t check_status = (expression);                                                \
        if (check_status != CUBLAS_STATUS_SUCCESS)                                                 \
            fail_expression(#expression, cublasGetStatusString(check_status), __FILE__, __LINE__); \
    } while (0)

static void open_library(struct spmv_dense *dense)
{
    cublasHandle_t handle;
    check_cublas(cublasCreate(&handle));
    dense->library = handle;
}

static void close_library(struct spmv_dense *dense)
{
    check_cublas(cublasDestroy(dense->library));
}

static void multiply_device(struct spmv_dense *dense, cudaStream_t stream)
{
    int n = dense->rows;
    double one = 1, zero = 0;
    float one_float = 1, zero_float = 0;
    check_cublas(cublasSetStream(dense->library, stream));
    if (dense->precision == SPMV_DOUBLE)
        check_cublas(cublasDgemm(dense->library, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one,
                                 dense->device_a, n, dense->device_b, n, &zero, dense->device_c,
                                 n));
    else
        check_cublas(cublasSgemm(dense->library, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one_float,
                                 dense->device_a, n, dense->device_b, n, &zero_float,
                                 dense->device_c, n));
}

#endif

static size_t matrix_bytes(const struct spmv_dense *dense)
{
    return (size_t)dense->rows * (size_t)dense->rows * spmv_value_bytes(dense->precision);
}

static void *random_matrix(const struct spmv_dense *dense, uint64_t seed)
{
    size_t elements = (size_t)dense->rows * (size_t)dense->rows;
    void *matrix = allocate_or_fail(1, matrix_bytes(dense));
    if (dense->precision == SPMV_DOUBLE)
        random_fill_double(matrix, elements, seed);
    else
        random_fill_float(matrix, elements, seed);
    return matrix;
}

static void open_device(struct spmv_dense *dense)
{
    size_t bytes = matrix_bytes(dense);
    dense->device_a = memory_allocate(MEMORY_DEVICE, bytes);
    dense->device_b = memory_allocate(MEMORY_DEVICE, bytes);
    dense->device_c = memory_allocate(MEMORY_DEVICE, bytes);
    check_cuda(cudaMemcpy(dense->device_a, dense->a, bytes, cudaMemcpyHostToDevice));
    check_cuda(cudaMemcpy(dense->device_b, dense->b, bytes, cudaMemcpyHostToDevice));
    open_library(dense);
}

void spmv_dense_open(struct spmv_dense *dense, bool on_device, enum spmv_precision precision,
                     uint64_t seed)
{
    *dense = (struct spmv_dense){.on_device = on_device,
                                 .precision = precision,
                                 .rows = on_device ? ROWS_DEVICE : ROWS_HOST};
    dense->a = random_matrix(dense, seed);
    dense->b = random_matrix(dense, seed + 1);
    dense->c = allocate_or_fail(1, matrix_bytes(dense));
    if (on_device)
        open_device(dense);
    else
        openblas_set_num_threads(omp_get_max_threads());
}

void spmv_dense_close(struct spmv_dense *dense)
{
    free(dense->a);
    free(dense->b);
    free(dense->c);
    if (!dense->on_device)
        return;
    close_library(dense);
    memory_release(MEMORY_DEVICE, dense->device_a);
    memory_release(MEMORY_DEVICE, dense->device_b);
    memory_release(MEMORY_DEVICE, dense->device_c);
}

static void multiply_host(struct spmv_dense *dense)
{
    int n = dense->rows;
    if (dense->precision == SPMV_DOUBLE)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, dense->a, n, dense->b, n,
                    0, dense->c, n);
    else
        cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, dense->a, n, dense->b, n,
                    0, dense->c, n);
}

void spmv_dense_operate(void *dense, size_t turn, cudaStream_t stream)
{
    struct spmv_dense *d = dense;
    (void)turn;
    if (d->on_device)
        multiply_device(d, stream);
    else
        multiply_host(d);
}

/* y <- M x, or |M| x. */
static void times(const struct spmv_dense *dense, const void *matrix, const double *x, double *y,
                  bool absolute)
{
    int64_t n = dense->rows;
    for (int64_t i = 0; i < n; i++)
        y[i] = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            double m = dense->precision == SPMV_DOUBLE ? ((const double *)matrix)[i + j * n]
                                                       : ((const float *)matrix)[i + j * n];
            y[i] += (absolute ? fabs(m) : m) * x[j];
        }
}

double spmv_dense_verify(struct spmv_dense *dense, uint64_t seed)
{
    size_t n = (size_t)dense->rows;
    double *memory = allocate_or_fail(6 * n, sizeof *memory);
    double *sign = memory, *ones = memory + n, *between = memory + 2 * n;
    double *expected = memory + 3 * n, *bound = memory + 4 * n, *result = memory + 5 * n;
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        sign[i] = random_bits(seed, i) & 1 ? 1 : -1;
    }
    times(dense, dense->b, ones, between, true);
    times(dense, dense->a, between, bound, true);
    times(dense, dense->b, sign, between, false);
    times(dense, dense->a, between, expected, false);
    spmv_dense_operate(dense, 0, NULL);
    if (dense->on_device)
        check_cuda(
            cudaMemcpy(dense->c, dense->device_c, matrix_bytes(dense), cudaMemcpyDeviceToHost));
    times(dense, dense->c, sign, result, false);
    double eps = dense->precision == SPMV_DOUBLE ? DBL_EPSILON : FLT_EPSILON, worst = 0;
    for (size_t i = 0; i < n; i++) {
        double ratio = fabs(result[i] - expected[i]) / ((double)(n + 2) * eps * bound[i]);
        worst = ratio <= worst ? worst : isnan(ratio) ? INFINITY : ratio;
    }
    free(memory);
    return worst;
}
