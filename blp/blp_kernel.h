/* blp_kernel.h: BLP_KERNEL makes a workload's function a persistent kernel. Device code.
 *
 *   BLP_KERNEL(conv2d, struct conv2d_shape, conv2d_compute, 1024, 1)
 *
 * defines the kernel, for blocks of at most 1024 threads of which at least 1 is to fit on a
 * multiprocessor, and conv2d_resident() and conv2d_start() for a struct blp_kernel. */
#ifndef BLP_KERNEL_H
#define BLP_KERNEL_H

#include "blp_device.h"

#define BLP_KERNEL(name, shape_type, compute, most_threads, least_blocks)                          \
    static __global__ void __launch_bounds__(most_threads, least_blocks)                           \
        name##_persistent(struct blp_work work, shape_type shape)                                  \
    {                                                                                              \
        blp_persistent(&work, compute, &shape);                                                    \
    }                                                                                              \
    static cudaError_t name##_resident(int threads, int *blocks)                                   \
    {                                                                                              \
        *blocks = 0;                                                                               \
        if (threads > (most_threads))                                                              \
            return cudaSuccess;                                                                    \
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, name##_persistent, threads,   \
                                                             0);                                   \
    }                                                                                              \
    static cudaError_t name##_start(const struct blp_work *work, const void *shape,                \
                                    cudaStream_t stream)                                           \
    {                                                                                              \
        dm_launch_cooperative(name##_persistent, dim3((unsigned)work->blocks),                        \
                           dim3((unsigned)work->threads), 0, stream, *work,                        \
                           *(const shape_type *)shape);                                            \
        return cudaGetLastError();                                                                 \
    }

/* As many parts as wanted, within what a flag holds. */
static inline int blp_parts(long wanted)
{
    if (wanted < 1)
        return 1;
    return wanted < BLP_SHARES ? (int)wanted : (int)BLP_SHARES;
}

static inline int blp_one_part(const void *)
{
    return 1;
}

#endif
