/* access_linear.c: from indices to runs of elements.
 *
 * Boxes overlap (the five accesses of a stencil). The outermost dimension is cut at their borders:
 * between two cuts every row has the same boxes, so that their inner dimensions are united once and
 * repeated for every row. The runs come out in order, without sorting.
 *
 * An index may lie beyond its dimension: a neighbour in the plane above, written as index + n * n,
 * is far to the right in the same row. Such a box is first moved to where its elements are, so that
 * it meets the others. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "access_internal.h"
#include "access_sums.h"

static enum dm_status too_large(void)
{
    return dm_fail(DM_UNAVAILABLE, "an index is too large");
}

/* ---- runs ---- */

static enum dm_status append(struct partition_intervals *out, int64_t begin, int64_t end)
{
    if (out->count > 0 && out->items[out->count - 1].end == begin) {
        out->items[out->count - 1].end = end;
        return DM_OK;
    }
    if (out->count >= ACCESS_MAX_INTERVALS)
        return dm_fail(DM_UNAVAILABLE, "the accessed elements are too many separate runs");
    return partition_intervals_push(out, begin, end);
}

static enum dm_status emit_run(struct access_target *target, int64_t begin, int64_t length)
{
    int64_t end;
    if (__builtin_add_overflow(begin, length, &end))
        return too_large();
    return append(target->out, begin, end);
}

static enum dm_status linear(const struct access_target *target, const int64_t *index,
                             int64_t *element)
{
    *element = 0;
    for (size_t d = 0; d < target->dims; d++) {
        int64_t part;
        if (__builtin_mul_overflow(index[d], target->pitch[d], &part) ||
            __builtin_add_overflow(*element, part, element))
            return too_large();
    }
    return DM_OK;
}

enum dm_status access_emit_row(struct access_target *target, const int64_t *index, int64_t last)
{
    int64_t begin, length;
    TRY(linear(target, index, &begin));
    if (__builtin_sub_overflow(last, index[target->dims - 1], &length) || length == INT64_MAX)
        return too_large();
    return emit_run(target, begin, length + 1);
}

/* ---- boxes without strides ---- */

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Where the boxes begin and end along a dimension, in order; the caller frees it. */
static int64_t *find_cuts(const struct access_box *const *boxes, size_t count, size_t dim)
{
    int64_t *cuts = malloc(2 * count * sizeof *cuts);
    for (size_t i = 0; cuts && i < count; i++) {
        cuts[2 * i] = boxes[i]->lower[dim];
        cuts[2 * i + 1] = boxes[i]->upper[dim] + 1;
    }
    if (cuts)
        qsort(cuts, 2 * count, sizeof *cuts, compare);
    return cuts;
}

static size_t find_boxes(const struct access_box *const *boxes, size_t count, size_t dim,
                         int64_t at, const struct access_box **found)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (boxes[i]->lower[dim] <= at && at <= boxes[i]->upper[dim])
            found[kept++] = boxes[i];
    return kept;
}

/* Rows begin ... end - 1, all with the runs `row`. */
static enum dm_status repeat(struct partition_intervals *out, const struct partition_intervals *row,
                             int64_t begin, int64_t end, int64_t pitch)
{
    const struct partition_range *runs = row->items;
    if (row->count == 1 && runs[0].end - runs[0].begin == pitch)
        return append(out, begin * pitch + runs[0].begin, (end - 1) * pitch + runs[0].end);
    for (int64_t i = begin; i < end; i++)
        for (size_t r = 0; r < row->count; r++)
            TRY(append(out, i * pitch + runs[r].begin, i * pitch + runs[r].end));
    return DM_OK;
}

static enum dm_status unite(struct access_target *target, const struct access_box *const *boxes,
                            size_t count, size_t dim, struct partition_intervals *out);

/* The boxes that hold `begin` hold all up to end - 1, too. */
static enum dm_status unite_band(struct access_target *target,
                                 const struct access_box *const *boxes, size_t count, size_t dim,
                                 int64_t begin, int64_t end, struct partition_intervals *out)
{
    if (dim + 1 == target->dims)
        return append(out, begin, end);
    struct partition_intervals row = {0};
    enum dm_status status = unite(target, boxes, count, dim + 1, &row);
    if (status == DM_OK)
        status = repeat(out, &row, begin, end, target->pitch[dim]);
    partition_intervals_free(&row);
    return status;
}

static enum dm_status unite(struct access_target *target, const struct access_box *const *boxes,
                            size_t count, size_t dim, struct partition_intervals *out)
{
    int64_t *cuts = find_cuts(boxes, count, dim);
    const struct access_box **inner = malloc(count * sizeof *inner);
    enum dm_status status = cuts && inner ? DM_OK : error_no_memory(count * sizeof *inner);
    for (size_t i = 0; status == DM_OK && i + 1 < 2 * count; i++) {
        size_t kept = cuts[i] < cuts[i + 1] ? find_boxes(boxes, count, dim, cuts[i], inner) : 0;
        if (kept > 0)
            status = unite_band(target, inner, kept, dim, cuts[i], cuts[i + 1], out);
    }
    free(cuts);
    free(inner);
    return status;
}

/* ---- boxes with strides ---- */

static enum dm_status emit_strided(struct access_target *target, const struct access_box *box,
                                   size_t dim, int64_t *index)
{
    bool is_last = dim + 1 == target->dims;
    if (is_last && box->stride[dim] == 1) {
        index[dim] = box->lower[dim];
        return access_emit_row(target, index, box->upper[dim]);
    }
    for (int64_t i = box->lower[dim]; i <= box->upper[dim]; i += box->stride[dim]) {
        index[dim] = i;
        TRY(is_last ? access_emit_row(target, index, i)
                    : emit_strided(target, box, dim + 1, index));
    }
    return DM_OK;
}

static bool is_dense(const struct access_box *box, size_t dims)
{
    for (size_t d = 0; d < dims; d++)
        if (box->stride[d] != 1)
            return false;
    return true;
}

/* No element of the box, nor the one behind it, is beyond what can be computed with. */
static enum dm_status fits(const struct access_target *target, const struct access_box *box)
{
    int64_t farthest = 0;
    for (size_t d = 0; d < target->dims; d++) {
        int64_t lower, upper;
        if (__builtin_mul_overflow(box->lower[d], target->pitch[d], &lower) ||
            __builtin_mul_overflow(box->upper[d], target->pitch[d], &upper))
            return too_large();
        lower = lower < 0 ? -(lower + 1) : lower;
        upper = upper < 0 ? -(upper + 1) : upper;
        if (__builtin_add_overflow(farthest, lower > upper ? lower : upper, &farthest) ||
            farthest > INT64_MAX / 4 || box->upper[d] > INT64_MAX / 4 ||
            box->lower[d] < INT64_MIN / 4)
            return too_large();
    }
    return DM_OK;
}

/* The same elements with each index inside its dimension, where all of the box is in one row of it.
 * The values are small enough for that: fits(). */
static void move_inside(const struct access_target *target, struct access_box *box)
{
    for (size_t d = target->dims - 1; d > 0; d--) {
        if (target->pitch[d] <= 0 || target->pitch[d - 1] <= 0)
            return;
        int64_t size = target->pitch[d - 1] / target->pitch[d];
        int64_t rows = floor_divide(box->lower[d], size);
        if (floor_divide(box->upper[d], size) != rows)
            return;
        box->lower[d] -= rows * size;
        box->upper[d] -= rows * size;
        box->lower[d - 1] += rows;
        box->upper[d - 1] += rows;
    }
}

enum dm_status access_emit_boxes(struct access_target *target, struct access_box *boxes,
                                 size_t count)
{
    const struct access_box **dense = malloc((count + 1) * sizeof *dense);
    int64_t index[ACCESS_MAX_DIMS];
    size_t dense_count = 0;
    enum dm_status status = dense ? DM_OK : error_no_memory((count + 1) * sizeof *dense);
    for (size_t i = 0; status == DM_OK && i < count; i++) {
        status = fits(target, &boxes[i]);
        if (status == DM_OK)
            move_inside(target, &boxes[i]);
        if (status == DM_OK && is_dense(&boxes[i], target->dims))
            dense[dense_count++] = &boxes[i];
        else if (status == DM_OK)
            status = emit_strided(target, &boxes[i], 0, index);
    }
    if (status == DM_OK && dense_count > 0)
        status = unite(target, dense, dense_count, 0, target->out);
    free(dense);
    return status;
}
