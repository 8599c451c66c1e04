#include "tunable_products.h"

#include "common/gpu.h"

#include "tunable_device.h"

/* C = alpha A B + beta C; C is not read if beta is 0. */
static __global__ void __launch_bounds__(TUNABLE_THREADS)
    product_kernel(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
    int i = tunable_row(), j = tunable_column();
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = beta == 0.0f ? alpha * sum : alpha * sum + beta * c[i * n + j];
}

static __global__ void __launch_bounds__(TUNABLE_THREADS)
    syrk_kernel(const float *a, float *c, int n, float alpha, float beta)
{
    int i = tunable_row(), j = tunable_column();
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * a[j * n + k];
    c[i * n + j] = alpha * sum + beta * c[i * n + j];
}

static __global__ void __launch_bounds__(TUNABLE_THREADS)
    syr2k_kernel(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
    int i = tunable_row(), j = tunable_column();
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[j * n + k] + b[i * n + k] * a[j * n + k];
    c[i * n + j] = alpha * sum + beta * c[i * n + j];
}

static dim3 blocks(const struct tunable *tunable, dim3 block)
{
    return tunable_blocks(tunable->size, tunable->size, block);
}

static cudaError_t launch_product(const struct tunable *tunable, const float *a, const float *b,
                                  float *c, float alpha, float beta, dim3 block,
                                  cudaStream_t stream)
{
    dm_launch(product_kernel, blocks(tunable, block), block, 0, stream, a, b, c, (int)tunable->size,
              alpha, beta);
    return cudaGetLastError();
}

cudaError_t gemm_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                                cudaStream_t stream)
{
    return launch_product(tunable, arrays[GEMM_A], arrays[GEMM_B], arrays[GEMM_C], TUNABLE_ALPHA,
                          TUNABLE_BETA, block, stream);
}

cudaError_t mm2_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                               cudaStream_t stream)
{
    cudaError_t error = launch_product(tunable, arrays[MM2_A], arrays[MM2_B], arrays[MM2_AB],
                                       TUNABLE_ALPHA, 0.0f, block, stream);
    return error ? error
                 : launch_product(tunable, arrays[MM2_AB], arrays[MM2_C], arrays[MM2_D], 1.0f,
                                  TUNABLE_BETA, block, stream);
}

cudaError_t mm3_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                               cudaStream_t stream)
{
    static const int products[][3] = {
        {MM3_A, MM3_B, MM3_AB}, {MM3_C, MM3_D, MM3_CD}, {MM3_AB, MM3_CD, MM3_G}};
    cudaError_t error = cudaSuccess;
    for (int p = 0; p < 3 && !error; p++)
        error = launch_product(tunable, arrays[products[p][0]], arrays[products[p][1]],
                               arrays[products[p][2]], 1.0f, 0.0f, block, stream);
    return error;
}

cudaError_t syrk_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                                cudaStream_t stream)
{
    dm_launch(syrk_kernel, blocks(tunable, block), block, 0, stream, arrays[SYRK_A], arrays[SYRK_C],
              (int)tunable->size, TUNABLE_ALPHA, TUNABLE_BETA);
    return cudaGetLastError();
}

cudaError_t syr2k_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                                 cudaStream_t stream)
{
    dm_launch(syr2k_kernel, blocks(tunable, block), block, 0, stream, arrays[SYR2K_A],
              arrays[SYR2K_B], arrays[SYR2K_C], (int)tunable->size, TUNABLE_ALPHA, TUNABLE_BETA);
    return cudaGetLastError();
}
