#include "remote.h"

#include <stdbool.h>
#include <stdint.h>

#include "coarrays/caf/error.h"

#include "status.h"

/* A vector without elements looks like a range, from its address to its kind: from beyond the
 * coarray, that is, to one of a few numbers. */
static bool is_empty_vector(const struct remote *remote, int d)
{
    const struct subscript *subscript = &remote->subscripts[d];
    int kind = subscript->vector.kind;
    ptrdiff_t index = subscript->range.first - remote->array->dimension[d].lower, distance;
    if (subscript->count > 0 || (kind != 1 && kind != 2 && kind != 4 && kind != 8))
        return false;
    if (__builtin_mul_overflow(index, descriptor_stride(remote->array, d), &distance))
        return true;
    return (size_t)distance + remote->offset >= caf_size(remote->coarray);
}

/* Indices of one dimension. With subscripts the descriptor's own extents say nothing. */
static size_t dimension_count(const struct remote *remote, int d)
{
    if (!remote->subscripts)
        return descriptor_extent(remote->array, d);
    const struct subscript *subscript = &remote->subscripts[d];
    if (subscript->count > PTRDIFF_MAX)
        status_fatal(REMOTE_STRIDED_VECTOR);
    if (subscript->count > 0)
        return subscript->count;
    ptrdiff_t step = subscript->range.step;
    if (step == 0 || is_empty_vector(remote, d))
        return 0;
    ptrdiff_t count = (subscript->range.last - subscript->range.first + step) / step;
    return count > 0 ? (size_t)count : 0;
}

size_t remote_count(const struct remote *remote)
{
    size_t count = 1;
    for (int d = 0; d < remote->array->type.rank; d++)
        count *= dimension_count(remote, d);
    return count;
}

static ptrdiff_t vector_index(const struct subscript *subscript, size_t i)
{
    const void *values = subscript->vector.values;
    switch (subscript->vector.kind) {
    case 1:
        return ((const int8_t *)values)[i];
    case 2:
        return ((const int16_t *)values)[i];
    case 4:
        return ((const int32_t *)values)[i];
    case 8:
        return (ptrdiff_t)((const int64_t *)values)[i];
    default:
        status_fatal("a vector subscript of integers of kind %d is not supported",
                     subscript->vector.kind);
    }
}

/* Indices first, first + step, ... that follow one another in a dimension. */
struct run {
    ptrdiff_t first, step; /* distances in elements of the dimension from the array's first */
    size_t count;
};

/* The longest run from the dimension's index number `start`. */
static struct run next_run(const struct remote *remote, int d, size_t start)
{
    size_t count = dimension_count(remote, d);
    if (!remote->subscripts)
        return (struct run){.first = 0, .step = 1, .count = count};
    const struct subscript *subscript = &remote->subscripts[d];
    ptrdiff_t lower = remote->array->dimension[d].lower;
    if (subscript->count == 0)
        return (struct run){subscript->range.first - lower, subscript->range.step, count};
    ptrdiff_t last = vector_index(subscript, start);
    struct run run = {.first = last - lower, .step = 1, .count = 1};
    for (size_t i = start + 1; i < count; i++, run.count++) {
        ptrdiff_t next = vector_index(subscript, i);
        if (run.count == 1)
            run.step = next - last;
        /* An index that is repeated is no step: a section writes each element once. */
        if (next - last != run.step || next == last)
            break;
        last = next;
    }
    if (run.count == 1)
        run.step = 1;
    return run;
}

/* A transfer on its way through the dimensions. */
struct walk {
    const struct remote *remote;
    bool write;
    struct caf_shape shape;
    struct caf_strides there, here;
};

static enum dm_status transfer(const struct walk *walk, size_t offset, char *packed)
{
    const struct remote *remote = walk->remote;
    if (walk->write)
        return caf_put_section(remote->coarray, remote->image, offset, &walk->there, packed,
                               &walk->here, &walk->shape);
    return caf_get_section(packed, &walk->here, remote->coarray, remote->image, offset,
                           &walk->there, &walk->shape);
}

/* Fixes the dimensions below `dimensions` run by run; the shape of those above is fixed. */
static enum dm_status walk_dimensions(struct walk *walk, int dimensions, size_t offset,
                                      char *packed)
{
    if (dimensions == 0)
        return transfer(walk, offset, packed);
    int d = dimensions - 1;
    size_t count = dimension_count(walk->remote, d);
    ptrdiff_t stride = descriptor_stride(walk->remote->array, d);
    size_t done = 0;
    /* Also a dimension without elements is walked once: the image is still to be checked. */
    do {
        struct run run = {.count = 0};
        if (count > 0)
            run = next_run(walk->remote, d, done);
        walk->shape.count[d] = run.count;
        walk->there.stride[d] = run.step * stride;
        TRY(walk_dimensions(walk, d, offset + (size_t)(run.first * stride),
                            packed + (ptrdiff_t)done * walk->here.stride[d]));
        done += run.count;
    } while (done < count);
    return DM_OK;
}

static enum dm_status walk_remote(const struct remote *remote, bool write, char *packed,
                                  ptrdiff_t element_stride)
{
    struct walk walk = {.remote = remote, .write = write};
    walk.shape.rank = remote->array->type.rank;
    walk.shape.element_bytes = remote->array->type.element_bytes;
    ptrdiff_t stride = element_stride;
    for (int d = 0; d < walk.shape.rank; d++) {
        walk.here.stride[d] = stride;
        stride *= (ptrdiff_t)dimension_count(remote, d);
    }
    return walk_dimensions(&walk, walk.shape.rank, remote->offset, packed);
}

enum dm_status remote_read(const struct remote *remote, void *packed)
{
    return walk_remote(remote, false, packed, (ptrdiff_t)remote->array->type.element_bytes);
}

enum dm_status remote_write(const struct remote *remote, const void *packed,
                            ptrdiff_t element_stride)
{
    return walk_remote(remote, true, (char *)(uintptr_t)packed, element_stride);
}
