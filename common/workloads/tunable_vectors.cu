#include "tunable_vectors.h"

#include "common/gpu.h"

#include "tunable_device.h"

/* Threads that only fill up a block have nothing to do. */
static inline __device__ bool is_idle(int n)
{
    return threadIdx.y > 0 || tunable_column() >= n;
}

static __global__ void __launch_bounds__(TUNABLE_THREADS)
    gesummv_kernel(const float *a, const float *b, const float *x, float *y, int n, float alpha,
                   float beta)
{
    if (is_idle(n))
        return;
    int i = tunable_column();
    float a_sum = 0.0f, b_sum = 0.0f;
    for (int j = 0; j < n; j++) {
        a_sum += a[i * n + j] * x[j];
        b_sum += b[i * n + j] * x[j];
    }
    y[i] = alpha * a_sum + beta * b_sum;
}

static __global__ void __launch_bounds__(TUNABLE_THREADS)
    add_product_kernel(const float *a, const float *y, float *x, int n)
{
    if (is_idle(n))
        return;
    int i = tunable_column();
    float sum = x[i];
    for (int j = 0; j < n; j++)
        sum += a[i * n + j] * y[j];
    x[i] = sum;
}

static __global__ void __launch_bounds__(TUNABLE_THREADS)
    add_transposed_product_kernel(const float *a, const float *y, float *x, int n)
{
    if (is_idle(n))
        return;
    int i = tunable_column();
    float sum = x[i];
    for (int j = 0; j < n; j++)
        sum += a[j * n + i] * y[j];
    x[i] = sum;
}

cudaError_t gesummv_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                                   cudaStream_t stream)
{
    dim3 grid = tunable_blocks(1, tunable->size, block);
    dm_launch(gesummv_kernel, grid, block, 0, stream, arrays[GESUMMV_A], arrays[GESUMMV_B],
              arrays[GESUMMV_X], arrays[GESUMMV_Y], (int)tunable->size, TUNABLE_ALPHA,
              TUNABLE_BETA);
    return cudaGetLastError();
}

cudaError_t mvt_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                               cudaStream_t stream)
{
    dim3 grid = tunable_blocks(1, tunable->size, block);
    int n = (int)tunable->size;
    dm_launch(add_product_kernel, grid, block, 0, stream, arrays[MVT_A], arrays[MVT_Y1],
              arrays[MVT_X1], n);
    cudaError_t error = cudaGetLastError();
    if (error)
        return error;
    dm_launch(add_transposed_product_kernel, grid, block, 0, stream, arrays[MVT_A], arrays[MVT_Y2],
              arrays[MVT_X2], n);
    return cudaGetLastError();
}
