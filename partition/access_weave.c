/* access_weave.c: boxes with strides that together have no gaps.
 *
 * A thread that writes all four numbers of a float4 makes four accesses, each of every fourth
 * element; threads that write row after row of a tile make boxes of every eighth row. One by one
 * these are as many runs as there are elements or rows; `stride` of them, each one element further
 * than the one before, are one box without a stride. */
#include <stdlib.h>
#include <string.h>

#include "access_internal.h"

/* What qsort is to compare by: one thread at a time has a dimension of its own. */
static _Thread_local struct {
    size_t dims, along;
} order;

static int compare_numbers(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

/* 0: equal but for where they begin and end in the dimension `along`. */
static int compare_others(const struct access_box *left, const struct access_box *right)
{
    int found = compare_numbers(left->stride[order.along], right->stride[order.along]);
    for (size_t d = 0; d < order.dims && !found; d++) {
        if (d == order.along)
            continue;
        found = compare_numbers(left->lower[d], right->lower[d]);
        if (!found)
            found = compare_numbers(left->upper[d], right->upper[d]);
        if (!found)
            found = compare_numbers(left->stride[d], right->stride[d]);
    }
    return found;
}

static int compare_boxes(const void *a, const void *b)
{
    const struct access_box *left = a, *right = b;
    int found = compare_others(left, right);
    if (!found)
        found = compare_numbers(left->lower[order.along], right->lower[order.along]);
    if (!found)
        found = compare_numbers(left->upper[order.along], right->upper[order.along]);
    return found;
}

/* Whether the boxes from `first` on, as many as their stride, begin one after the other and end so,
 * in whatever order: then each element between is in the one that has its residue. */
static bool is_woven(const struct access_box *first, size_t count, size_t along)
{
    int64_t stride = first->stride[along];
    int64_t lowest_end = first->upper[along], highest_end = lowest_end;
    if (stride < 2 || stride > (int64_t)count)
        return false;
    for (int64_t i = 1; i < stride; i++) {
        int64_t end = first[i].upper[along];
        if (compare_others(first, &first[i]) ||
            first[i].lower[along] != first[i - 1].lower[along] + 1)
            return false;
        lowest_end = end < lowest_end ? end : lowest_end;
        highest_end = end > highest_end ? end : highest_end;
    }
    return highest_end - lowest_end == stride - 1;
}

static struct access_box join(const struct access_box *first, size_t along)
{
    struct access_box box = *first;
    for (int64_t i = 1; i < first->stride[along]; i++)
        if (first[i].upper[along] > box.upper[along])
            box.upper[along] = first[i].upper[along];
    box.stride[along] = 1;
    return box;
}

static size_t without_duplicates(struct access_box *boxes, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_boxes(&boxes[kept - 1], &boxes[i]) != 0)
            boxes[kept++] = boxes[i];
    return kept;
}

static size_t weave_along(struct access_box *boxes, size_t count, size_t dims, size_t along)
{
    size_t kept = 0, i = 0;
    order.dims = dims;
    order.along = along;
    qsort(boxes, count, sizeof *boxes, compare_boxes);
    count = without_duplicates(boxes, count);
    while (i < count) {
        bool is_joined = is_woven(&boxes[i], count - i, along);
        size_t taken = is_joined ? (size_t)boxes[i].stride[along] : 1;
        boxes[kept++] = is_joined ? join(&boxes[i], along) : boxes[i];
        i += taken;
    }
    return kept;
}

size_t access_weave(struct access_box *boxes, size_t count, size_t dims)
{
    if (count == 0)
        return 0; /* there may be no array */
    for (size_t along = dims; along-- > 0;)
        count = weave_along(boxes, count, dims, along);
    return count;
}
