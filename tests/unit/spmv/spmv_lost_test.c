/* spmv_lost_test.c: what the public functions say when the GPU is lost, and that everything can be
 * closed then. On the software GPU alone, which can be lost on purpose. */
#include <stdlib.h>

#include <cuda_runtime.h>
#include <datamotion/spmv.h>

#include "tests/unit/test_status.h"

/* A lost device keeps the events and memory that were made on it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static struct spmv_coo diagonal(int64_t rows)
{
    struct spmv_coo coo;
    expect_ok(spmv_coo_open(&coo, rows, rows, rows));
    for (int64_t row = 0; row < rows; row++)
        expect_ok(spmv_coo_add(&coo, row, row, 1));
    expect_ok(spmv_coo_finish(&coo));
    return coo;
}

static void lose_device(void)
{
    for (int calls = 0; calls < 1000 && cudaStreamSynchronize(NULL) == cudaSuccess; calls++)
        ;
}

static void a_lost_gpu_is_a_status(void)
{
    enum { ROWS = 100 };
    double x[ROWS] = {0}, y[ROWS];
    void *x_gpu, *y_gpu;
    struct spmv_coo coo = diagonal(ROWS);
    struct spmv_matrix matrix, other;
    struct spmv_hybrid *hybrid, *none;
    expect_ok(spmv_matrix_create(&matrix, SPMV_CSR, &coo, NULL));
    expect_ok(spmv_matrix_create(&other, SPMV_HLL, &coo, NULL));
    expect_ok(spmv_matrix_to_device(&matrix));
    expect_ok(spmv_hybrid_open(&hybrid, &coo, ROWS / 2, SPMV_HLL, NULL));
    expect(cudaMalloc(&x_gpu, sizeof x) == cudaSuccess);
    expect(cudaMalloc(&y_gpu, sizeof y) == cudaSuccess);
    lose_device();

    expect_error(spmv_matrix_to_device(&other), DM_LOST, "the device is unavailable");
    expect(!other.device && other.host);
    expect_error(spmv_multiply_device(&matrix, 1, x_gpu, 0, y_gpu, NULL), DM_LOST, "(csr.cu:");
    expect_ok(spmv_multiply(&matrix, 1, x, 0, y));
    expect_error(spmv_hybrid_set(hybrid, x), DM_LOST, "(hybrid.c:");
    expect_error(spmv_hybrid_run(hybrid, 1, 1), DM_LOST, "the device is unavailable");
    expect_error(spmv_hybrid_result(hybrid, y), DM_LOST, "(hybrid.c:");
    expect_error(spmv_hybrid_open(&none, &coo, 10, SPMV_CSR, NULL), DM_LOST, "(hybrid.c:");
    expect(!none);
    spmv_matrix_release(&other);
    expect_error(spmv_matrix_convert_device(&other, SPMV_ELL, &matrix, NULL), DM_LOST,
                 "the device is unavailable");
    expect(!other.operations);
    spmv_hybrid_close(hybrid);
    spmv_matrix_release(&matrix);
    spmv_coo_close(&coo);
}

int main(void)
{
    setenv("SOFTGPU_FAIL_AFTER", "200", 1);
    run_test(a_lost_gpu_is_a_status);
    return end_tests();
}
