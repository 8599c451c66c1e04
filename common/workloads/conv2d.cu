#include "conv2d.h"

static __global__ void conv2d_kernel(const float *__restrict__ input, float *__restrict__ output,
                                     size_t columns, size_t pitch, size_t first_row, size_t end_row)
{
    const float weights[3][3] = CONV2D_WEIGHTS;
    size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x + 1;
    size_t i = (size_t)blockIdx.y * blockDim.y + threadIdx.y + first_row;
    if (i >= end_row || j + 1 >= columns)
        return;
    const float *above = input + (i - 1) * pitch + j - 1;
    float sum = 0.0f;
    for (int di = 0; di < 3; di++)
        for (int dj = 0; dj < 3; dj++)
            sum += weights[di][dj] * above[di * pitch + dj];
    output[i * pitch + j] = sum;
}

cudaError_t conv2d_launch(const float *input, float *output, size_t rows, size_t columns,
                          size_t pitch, size_t first_row, size_t end_row, dim3 block,
                          cudaStream_t stream)
{
    if (first_row < 1 || end_row + 1 > rows || first_row > end_row || pitch < columns)
        return cudaErrorInvalidValue;
    if (columns < 3 || first_row == end_row)
        return cudaSuccess;
    dim3 grid((unsigned)((columns - 2 + block.x - 1) / block.x),
              (unsigned)((end_row - first_row + block.y - 1) / block.y), 1);
    launch(conv2d_kernel, grid, block, 0, stream, input, output, columns, pitch, first_row,
           end_row);
    return cudaGetLastError();
}
