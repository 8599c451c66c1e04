/* mapped_copy.h: a kernel that copies, for host memory that is mapped into the GPU's address space.
 */
#ifndef PINNING_MAPPED_COPY_H
#define PINNING_MAPPED_COPY_H

#include <stddef.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `elements` doubles on the GPU; both pointers are valid there. Returns when enqueued. */
cudaError_t mapped_copy(double *target, const double *source, size_t elements, cudaStream_t stream);

/* A kernel that only computes: every thread does `steps` dependent multiply-adds and writes its
 * result into values[], of `threads` doubles (a multiple of 128). */
cudaError_t compute_only(double *values, unsigned threads, unsigned steps, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
