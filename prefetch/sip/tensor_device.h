/* tensor_device.h: what host and GPU each bring to the operations of tensor.h.
 *
 * A device offers five primitives; tensor.c makes the operations of them and alone knows about
 * labels that do not fit, aliases and workspace. `keep` is what the target keeps of itself: 0
 * overwrites without reading, 1 adds. */
#ifndef PREFETCH_SIP_TENSOR_DEVICE_H
#define PREFETCH_SIP_TENSOR_DEVICE_H

#include "tensor.h"
#include "tensor_labels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tensor_workspace { WORKSPACE_FIRST, WORKSPACE_SECOND, WORKSPACE_TARGET, WORKSPACES };

struct tensor_gemm; /* tensor_gemm.h */

struct tensor_functions {
    /* *memory = room for `elements`; on error cudaErrorMemoryAllocation and *memory is NULL. */
    cudaError_t (*allocate)(double **memory, size_t elements);
    void (*release)(double *memory);
    /* target = keep target + value */
    cudaError_t (*fill)(struct tensor_device *device, double *target, size_t elements, double keep,
                        double value);
    /* target = keep target + alpha permuted source; in place only if the plan is linear */
    cudaError_t (*permute)(struct tensor_device *device, const struct tensor_permutation *plan,
                           double *target, double keep, double alpha, const double *source);
    /* target = keep target + alpha first second, each as the plan wants it */
    cudaError_t (*multiply)(struct tensor_device *device, const struct tensor_product *plan,
                            double *target, double keep, double alpha, const double *first,
                            const double *second);
    /* *target = keep *target + alpha sum of a[i] b[i], in the same order each time */
    cudaError_t (*dot)(struct tensor_device *device, size_t elements, double *target, double keep,
                       double alpha, const double *a, const double *b);
    /* Returns when all that was enqueued is done, with its error. */
    cudaError_t (*wait)(struct tensor_device *device);
    /* Releases what opening allocated, the device included. */
    void (*close)(struct tensor_device *device);
};

struct tensor_device {
    const struct tensor_functions *functions;
    double *workspace[WORKSPACES];
    size_t workspace_elements[WORKSPACES];
    double *word;             /* in host memory that the device can write */
    cudaStream_t stream;      /* GPU only, as what follows */
    struct tensor_gemm *gemm; /* the matrix product */
    double *partial_sums;
};

#ifdef __cplusplus
}
#endif
#endif
