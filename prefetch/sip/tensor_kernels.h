/* tensor_kernels.h: the GPU's primitives but for the matrix product; arguments as in struct
 * tensor_functions. */
#ifndef PREFETCH_SIP_TENSOR_KERNELS_H
#define PREFETCH_SIP_TENSOR_KERNELS_H

#include "tensor_labels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most thread blocks that add up a dot product, each with one partial sum. */
enum { TENSOR_PARTIAL_SUMS = 256 };

cudaError_t tensor_launch_fill(cudaStream_t stream, double *target, size_t elements, double keep,
                               double value);

cudaError_t tensor_launch_permute(cudaStream_t stream, const struct tensor_permutation *plan,
                                  double *target, double keep, double alpha, const double *source);

/* partial_sums: GPU memory for TENSOR_PARTIAL_SUMS doubles. */
cudaError_t tensor_launch_dot(cudaStream_t stream, size_t elements, double *target, double keep,
                              double alpha, const double *a, const double *b, double *partial_sums);

#ifdef __cplusplus
}
#endif
#endif
