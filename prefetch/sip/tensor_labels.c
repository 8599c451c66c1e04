#include "tensor_labels.h"

#include <limits.h>
#include <string.h>

size_t tensor_elements(const struct tensor *tensor)
{
    size_t elements = 1;
    for (int d = 0; d < tensor->rank; d++)
        elements *= (size_t)tensor->extent[d];
    return elements;
}

/* The dimension with that label, or -1. */
static int find(const struct tensor *tensor, int label)
{
    for (int d = 0; d < tensor->rank; d++)
        if (tensor->label[d] == label)
            return d;
    return -1;
}

cudaError_t tensor_check(const struct tensor *tensor)
{
    if (!tensor->data || tensor->rank < 0 || tensor->rank > TENSOR_RANK_MAX)
        return cudaErrorInvalidValue;
    for (int d = 0; d < tensor->rank; d++)
        if (tensor->extent[d] < 1 || find(tensor, tensor->label[d]) != d)
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

static void append(struct tensor *order, int extent, int label)
{
    order->extent[order->rank] = extent;
    order->label[order->rank++] = label;
}

/* Without the dimensions of extent 1: they have no say in how data lie. */
static struct tensor squeezed(const struct tensor *tensor)
{
    struct tensor order = {.rank = 0};
    for (int d = 0; d < tensor->rank; d++)
        if (tensor->extent[d] > 1)
            append(&order, tensor->extent[d], tensor->label[d]);
    return order;
}

static bool same_order(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank &&
           memcmp(a->label, b->label, (size_t)a->rank * sizeof *a->label) == 0;
}

/* Whether every label of `part` is in `whole`, with the same extent. */
static bool contains(const struct tensor *whole, const struct tensor *part)
{
    for (int d = 0; d < part->rank; d++) {
        int at = find(whole, part->label[d]);
        if (at < 0 || whole->extent[at] != part->extent[d])
            return false;
    }
    return true;
}

static size_t stride_of(const struct tensor *tensor, int dimension)
{
    size_t stride = 1;
    for (int d = dimension + 1; d < tensor->rank; d++)
        stride *= (size_t)tensor->extent[d];
    return stride;
}

/* ---- permutations ---- */

/* The axes in the target's order, neighbours merged that follow one another in the source, too.
 * Returns their number.
 */
static int merged_axes(struct tensor_axis *axes, const struct tensor *target,
                       const struct tensor *source)
{
    int count = 0;
    for (int d = 0; d < target->rank; d++) {
        struct tensor_axis axis = {(size_t)target->extent[d], stride_of(target, d),
                                   stride_of(source, find(source, target->label[d]))};
        struct tensor_axis *last = count ? &axes[count - 1] : NULL;
        if (last && last->source_stride == axis.extent * axis.source_stride)
            *last = (struct tensor_axis){last->extent * axis.extent, axis.target_stride,
                                         axis.source_stride};
        else
            axes[count++] = axis;
    }
    return count;
}

/* The axis that goes with the column: the source's fastest one or, if that is the column, the next
 * in the target. */
static int row_axis(const struct tensor_axis *axes, int column)
{
    for (int i = 0; i < column; i++)
        if (axes[i].source_stride == 1)
            return i;
    return column - 1;
}

cudaError_t tensor_plan_permutation(struct tensor_permutation *plan, const struct tensor *target,
                                    const struct tensor *source)
{
    if (tensor_check(target) || tensor_check(source) || target->rank != source->rank ||
        !contains(source, target))
        return cudaErrorInvalidValue;
    struct tensor to = squeezed(target), from = squeezed(source);
    struct tensor_axis axes[TENSOR_RANK_MAX];
    int column = merged_axes(axes, &to, &from) - 1;
    size_t elements = tensor_elements(target);
    *plan = (struct tensor_permutation){.elements = elements,
                                        .linear = column <= 0,
                                        .column = {elements, 1, 1},
                                        .row = {1, elements, elements},
                                        .batch = 1};
    if (plan->linear)
        return cudaSuccess;
    int row = row_axis(axes, column);
    plan->column = axes[column];
    plan->row = axes[row];
    plan->transposed = axes[column].source_stride != 1;
    for (int i = 0; i < column; i++) {
        if (i == row)
            continue;
        plan->outer[plan->outers++] = axes[i];
        plan->batch *= axes[i].extent;
    }
    return cudaSuccess;
}

/* ---- contractions ---- */

/* The labels of `of` that `in` has, too. */
static struct tensor common_labels(const struct tensor *of, const struct tensor *in)
{
    struct tensor order = {.rank = 0};
    for (int d = 0; d < of->rank; d++)
        if (find(in, of->label[d]) >= 0)
            append(&order, of->extent[d], of->label[d]);
    return order;
}

static struct tensor joined(const struct tensor *first, const struct tensor *second)
{
    struct tensor order = *first;
    for (int d = 0; d < second->rank; d++)
        append(&order, second->extent[d], second->label[d]);
    return order;
}

/* Whether a matrix lies in memory as rows x columns or as columns x rows. */
static bool lies_as(const struct tensor *tensor, const struct tensor *rows,
                    const struct tensor *columns)
{
    struct tensor straight = joined(rows, columns), transposed = joined(columns, rows);
    return same_order(tensor, &straight) || same_order(tensor, &transposed);
}

static struct tensor_matrix matrix(const struct tensor *tensor, const struct tensor *rows,
                                   const struct tensor *columns)
{
    struct tensor_matrix matrix = {.order = joined(rows, columns),
                                   .leading = (int)tensor_elements(columns)};
    if (same_order(tensor, &matrix.order))
        return matrix;
    matrix.permuted = !lies_as(tensor, rows, columns);
    if (!matrix.permuted)
        matrix = (struct tensor_matrix){
            .order = *tensor, .transposed = true, .leading = (int)tensor_elements(rows)};
    return matrix;
}

/* Adds the labels of extent 1, which the operand has and the order was made without. */
static void complete(struct tensor *order, const struct tensor *operand)
{
    for (int d = 0; d < operand->rank; d++)
        if (operand->extent[d] == 1)
            append(order, 1, operand->label[d]);
}

/* Each label of `of` is in exactly one of the two others, with the same extent. */
static bool labels_fit(const struct tensor *of, const struct tensor *one,
                       const struct tensor *other)
{
    for (int d = 0; d < of->rank; d++) {
        int in_one = find(one, of->label[d]), in_other = find(other, of->label[d]);
        if ((in_one < 0) == (in_other < 0))
            return false;
        if (of->extent[d] != (in_one < 0 ? other->extent[in_other] : one->extent[in_one]))
            return false;
    }
    return true;
}

/* The order of the summed labels: that of the larger operand if this saves its permutation, else
 * the other's. */
static struct tensor summed_labels(const struct tensor *a, const struct tensor *a_outer,
                                   const struct tensor *b, const struct tensor *b_outer)
{
    struct tensor by_a = common_labels(a, b), by_b = common_labels(b, a);
    bool a_fits = lies_as(a, a_outer, &by_a), b_fits = lies_as(b, b_outer, &by_b);
    if (a_fits && b_fits)
        return tensor_elements(a) >= tensor_elements(b) ? by_a : by_b;
    return b_fits ? by_b : by_a;
}

cudaError_t tensor_plan_product(struct tensor_product *plan, const struct tensor *target,
                                const struct tensor *a, const struct tensor *b)
{
    if (tensor_check(target) || tensor_check(a) || tensor_check(b) || !labels_fit(target, a, b) ||
        !labels_fit(a, target, b) || !labels_fit(b, target, a))
        return cudaErrorInvalidValue;
    struct tensor to = squeezed(target), first = squeezed(a), second = squeezed(b);
    bool swapped = to.rank > 0 && find(&second, to.label[0]) >= 0;
    if (swapped) {
        struct tensor kept = first;
        first = second;
        second = kept;
    }
    struct tensor rows = common_labels(&to, &first), columns = common_labels(&to, &second);
    struct tensor wanted = joined(&rows, &columns);
    bool fits = same_order(&to, &wanted);
    if (!fits) { /* the target is permuted anyway, so the operands say how */
        rows = common_labels(&first, &to);
        columns = common_labels(&second, &to);
    }
    struct tensor summed = summed_labels(&first, &rows, &second, &columns);
    size_t m = tensor_elements(&rows), n = tensor_elements(&columns), k = tensor_elements(&summed);
    if (m > INT_MAX || n > INT_MAX || k > INT_MAX)
        return cudaErrorInvalidValue;
    *plan = (struct tensor_product){.m = (int)m, .n = (int)n, .k = (int)k, .swapped = swapped};
    plan->first = matrix(&first, &rows, &summed);
    plan->second = matrix(&second, &summed, &columns);
    plan->target = (struct tensor_matrix){
        .order = joined(&rows, &columns), .permuted = !fits, .leading = (int)n};
    complete(&plan->first.order, swapped ? b : a);
    complete(&plan->second.order, swapped ? a : b);
    complete(&plan->target.order, target);
    return cudaSuccess;
}

double tensor_contract_flops(const struct tensor *target, const struct tensor *a,
                             const struct tensor *b)
{
    double flops = 2.0 * (double)tensor_elements(target);
    for (int d = 0; d < a->rank; d++)
        if (find(b, a->label[d]) >= 0)
            flops *= a->extent[d];
    return flops;
}
