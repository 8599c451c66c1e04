/* transpose_device.h: transposition on the device, by tiles in shared memory, so that both loads
 * and stores are of consecutive elements. */
#ifndef COMMON_WORKLOADS_TRANSPOSE_DEVICE_H
#define COMMON_WORKLOADS_TRANSPOSE_DEVICE_H

#include "transpose.h"

/* The tile of panel i and columns [32*tile, 32*tile + 32) of the input, by all threads of a block
 * whose blockDim.x is a multiple of 32. */
static inline __device__ void transpose_tile(const struct dm_slices *views,
                                             struct transpose_shape shape, long i, long tile)
{
    enum { SIDE = TRANSPOSE_PANEL };
    /* One column more, so that a column's elements lie in different banks. */
    __shared__ float elements[SIDE][SIDE + 1];
    const int lane = (int)(threadIdx.x % SIDE), lines = (int)(blockDim.x / SIDE * blockDim.y);
    const int line = (int)(threadIdx.y * (blockDim.x / SIDE) + threadIdx.x / SIDE);
    const float *input = dm_slice<float>(views[IN_OUT_INPUT], i) + tile * SIDE;
    const size_t pitch = dm_pitch<float>(views[IN_OUT_OUTPUT]);
    float *output = dm_slice<float>(views[IN_OUT_OUTPUT], i) + tile * SIDE * pitch;
    long left = shape.columns - tile * SIDE;
    int columns = left < SIDE ? (int)left : (int)SIDE;
    for (int y = line; y < SIDE; y += lines)
        if (lane < columns)
            elements[y][lane] = input[y * shape.columns + lane];
    __syncthreads();
    for (int y = line; y < columns; y += lines)
        output[y * pitch + lane] = elements[lane][y];
    __syncthreads(); /* the next tile is written to the same place */
}

/* Panel i, by all threads of a one-dimensional block of a multiple of 32 threads. */
static inline __device__ void transpose_iteration(const struct dm_slices *views,
                                                  struct transpose_shape shape, long i)
{
    for (long tile = 0; tile * TRANSPOSE_PANEL < shape.columns; tile++)
        transpose_tile(views, shape, i, tile);
}

#endif
