/* tensor_labels.h: from the labels of operands to what the memory has to go through.
 *
 * Nothing here touches data. Labels of extent 1 are left out first and neighbours that stay
 * neighbours are merged, so that a permutation has as few axes as its data allow. */
#ifndef PREFETCH_SIP_TENSOR_LABELS_H
#define PREFETCH_SIP_TENSOR_LABELS_H

#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One loop over target and source; strides in elements. */
struct tensor_axis {
    size_t extent, target_stride, source_stride;
};

/* target[...] <- source[...]: a batch of matrices `row` x `column`. The column has stride 1 in the
 * target. If the order is transposed, the row has stride 1 in the source; else the column has it
 * there, too. */
struct tensor_permutation {
    size_t elements;
    bool linear;     /* both have the same order: one long column */
    bool transposed; /* the source's stride 1 is not the target's */
    struct tensor_axis column, row;
    int outers;
    struct tensor_axis outer[TENSOR_RANK_MAX]; /* the batch, slowest first */
    size_t batch;                              /* product of the outer extents */
};

/* An operand of a matrix product. */
struct tensor_matrix {
    struct tensor order; /* its labels as they have to lie in memory; no data */
    bool permuted;       /* they do not lie so */
    bool transposed;     /* lies column by column */
    int leading;         /* elements from one row (transposed: column) to the next */
};

/* target (m x n) <- first (m x k) second (k x n). If one of m and n is 1, it is n, or both are. */
struct tensor_product {
    int m, n, k;
    bool swapped; /* the second operand of the contraction is the first of the product */
    struct tensor_matrix first, second, target;
};

/* cudaErrorInvalidValue: rank or extents out of range, a label twice in one tensor, or no data. */
cudaError_t tensor_check(const struct tensor *tensor);

/* cudaErrorInvalidValue also if labels or extents of the two differ. */
cudaError_t tensor_plan_permutation(struct tensor_permutation *plan, const struct tensor *target,
                                    const struct tensor *source);

/* cudaErrorInvalidValue also if a label does not occur in exactly two of the three tensors, or a
 * matrix has more than 2^31 - 1 rows or columns. */
cudaError_t tensor_plan_product(struct tensor_product *plan, const struct tensor *target,
                                const struct tensor *a, const struct tensor *b);

#ifdef __cplusplus
}
#endif
#endif
