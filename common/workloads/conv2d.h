/* conv2d.h: 2DCONV, a 3x3 convolution in single precision, after PolyBench.
 *
 *     output[i][j] = sum over di, dj in {-1, 0, 1} of weight[di+1][dj+1] * input[i+di][j+dj]
 *
 * for the interior 1 <= i < rows-1, 1 <= j < columns-1; the border of `output` is not written.
 * Arrays are row-major, `pitch` elements from one row to the next. */
#ifndef COMMON_WORKLOADS_CONV2D_H
#define COMMON_WORKLOADS_CONV2D_H

#include <stddef.h>

#include "../gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The weights, row by row. */
#define CONV2D_WEIGHTS                                                                             \
    {                                                                                              \
        {0.2f, 0.5f, -0.8f}, {-0.3f, 0.6f, -0.9f},                                                 \
        {                                                                                          \
            0.4f, 0.7f, 0.1f                                                                       \
        }                                                                                          \
    }

/* 9 products and 8 sums per interior element. */
static inline double conv2d_flops(size_t rows, size_t columns)
{
    return rows < 3 || columns < 3 ? 0.0 : 17.0 * (double)(rows - 2) * (double)(columns - 2);
}

/* Bytes that must cross the memory bus: the input once, the interior of the output once. */
static inline double conv2d_bytes(size_t rows, size_t columns)
{
    double input = (double)rows * (double)columns;
    double output = rows < 3 || columns < 3 ? 0.0 : (double)(rows - 2) * (double)(columns - 2);
    return sizeof(float) * (input + output);
}

void conv2d_reference(const float *input, float *output, size_t rows, size_t columns, size_t pitch);

/* Enqueues the kernel for the interior rows first_row <= i < end_row, so that a part of the array
 * can be done when its rows have arrived. `block` is the thread block. Errors:
 * cudaErrorInvalidValue for rows outside the interior, and those of the launch. */
cudaError_t conv2d_launch(const float *input, float *output, size_t rows, size_t columns,
                          size_t pitch, size_t first_row, size_t end_row, dim3 block,
                          cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
