/* first_ranges.h: calls on memory that run on device 0 as the program made them. */
#ifndef FIRST_RANGES_H
#define FIRST_RANGES_H

#include "partition/interpose/gpu/virtual_gpu.h"

struct first_range {
    CUdeviceptr address; /* in a buffer, or anywhere else: then nothing is done for it */
    size_t bytes;
    bool written;
};

/* Brings the ranges up to date on device 0, runs there, and notes what was written.
 * CUDA_ERROR_INVALID_VALUE for a range that reaches over the end of a buffer. */
CUresult first_ranges_run(struct virtual_gpu *gpu, const struct first_range *ranges, size_t count,
                          CUresult (*run)(CUstream stream, void *task), void *task);

#endif
