/* tensor.h: operations on the dense blocks of a SIAL program, on the host and on the GPU.
 *
 * A block is row-major: the last dimension is contiguous. Each dimension carries a label, the index
 * that it runs over in the statement; equal labels in two operands are the same index and have
 * equal extents. Contractions are permutations followed by one matrix product (Peshne 2018, 2.1.2
 * and 3.5), on the host by OpenBLAS, on the GPU by cuBLAS or, on the software GPU, by an own
 * kernel. */
#ifndef PREFETCH_SIP_TENSOR_H
#define PREFETCH_SIP_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TENSOR_RANK_MAX = 8 };

struct tensor {
    double *data; /* in the memory of the device that computes */
    int rank;
    int extent[TENSOR_RANK_MAX];
    int label[TENSOR_RANK_MAX];
};

/* How a result changes its target: set, add to, subtract from. Same values as enum sial_mode. */
enum tensor_mode { TENSOR_SET, TENSOR_ADD, TENSOR_SUBTRACT };

/* A device's way to compute, with its own workspace and, on the GPU, its own stream. */
struct tensor_device;

/* The host, or the current GPU. On error *device is NULL. */
cudaError_t tensor_open_host(struct tensor_device **device);
cudaError_t tensor_open_gpu(struct tensor_device **device);
void tensor_close(struct tensor_device *device);

/* The stream on which the GPU's operations are enqueued; NULL for the host, whose operations are
 * complete when they return. */
cudaStream_t tensor_stream(const struct tensor_device *device);

/* Operations are enqueued (GPU) or done (host). cudaErrorInvalidValue: labels or extents do not
 * fit, or a tensor has a label twice; cudaErrorMemoryAllocation: no workspace. Sources may be the
 * target itself, also permuted: the result is as if all sources were read first. */
cudaError_t tensor_fill(struct tensor_device *device, const struct tensor *target,
                        enum tensor_mode mode, double value);
/* target *= alpha */
cudaError_t tensor_scale(struct tensor_device *device, const struct tensor *target, double alpha);
/* target <- alpha a; labels of a are those of the target in any order */
cudaError_t tensor_copy(struct tensor_device *device, const struct tensor *target,
                        enum tensor_mode mode, double alpha, const struct tensor *a);
/* target <- alpha a + beta b, each permuted by its labels */
cudaError_t tensor_sum(struct tensor_device *device, const struct tensor *target,
                       enum tensor_mode mode, double alpha, const struct tensor *a, double beta,
                       const struct tensor *b);
/* target <- alpha a b; labels in a and b but not in the target are summed over. Each label occurs
 * in exactly two of the three tensors. */
cudaError_t tensor_contract(struct tensor_device *device, const struct tensor *target,
                            enum tensor_mode mode, double alpha, const struct tensor *a,
                            const struct tensor *b);
/* *result = sum of the products of equal elements; labels of b are those of a in any order. Waits
 * for the result. */
cudaError_t tensor_dot(struct tensor_device *device, const struct tensor *a, const struct tensor *b,
                       double *result);

/* Elements of a tensor. */
size_t tensor_elements(const struct tensor *tensor);

/* Floating-point operations of a contraction: 2 x product of all extents. */
double tensor_contract_flops(const struct tensor *target, const struct tensor *a,
                             const struct tensor *b);

#ifdef __cplusplus
}
#endif
#endif
