#include "assignment.h"

#include <stdlib.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/section.h"

#include "component.h"

bool assignment_equal_shapes(const struct caf_shape *a, const struct caf_shape *b)
{
    bool equal = a->rank == b->rank;
    for (int d = 0; equal && d < a->rank; d++)
        equal = a->count[d] == b->count[d];
    return equal;
}

static size_t elements(const struct caf_shape *shape)
{
    size_t count = 1;
    for (int d = 0; d < shape->rank; d++)
        count *= shape->count[d];
    return count;
}

enum dm_status assignment_check(const struct caf_shape *to, const struct caf_shape *from, int image)
{
    if (assignment_equal_shapes(to, from) || from->rank == 0)
        return DM_OK;
    return invalid(CAF_BAD_ARGUMENT,
                   "%zu elements, rank %d, are assigned to %zu, rank %d, with a component of "
                   "image %d; the component of another image is never reallocated",
                   elements(from), from->rank, elements(to), to->rank, image);
}

static enum dm_status check_conversion(struct element to, struct element from)
{
    if (convert_possible(to, from))
        return DM_OK;
    return invalid(CAF_BAD_ARGUMENT,
                   "there is no conversion from type %d, kind %d, %zu bytes to type %d, kind %d, "
                   "%zu bytes",
                   from.type, from.kind, from.bytes, to.type, to.kind, to.bytes);
}

enum dm_status assignment_buffer(struct caf_shape shape, struct element element,
                                 struct local *buffer)
{
    shape.element_bytes = element.bytes;
    size_t bytes = section_bytes(&shape);
    *buffer = (struct local){.first = malloc(bytes ? bytes : 1), .element = element};
    if (!buffer->first)
        return dm_fail(DM_NO_MEMORY, "no memory for a buffer of %zu bytes", bytes);
    /* A scalar's strides stay 0, so that it can be assigned to many elements. */
    if (shape.rank > 0)
        buffer->strides = section_packed(&shape);
    return DM_OK;
}

/* Both may lie in this image's coarrays, or the place may be the target of a pointer. */
static bool may_overlap(const struct place *place, const void *local)
{
    return place->image == caf_this_image() && (!place->coarray || component_is(local));
}

enum dm_status assignment_get(const struct local *to, const struct caf_shape *shape,
                              const struct place *from, struct element from_element)
{
    struct local buffer;
    if (element_equal(from_element, to->element) && shape->rank == from->shape.rank &&
        !may_overlap(from, to->first))
        return place_get(from, to->first, &to->strides);
    TRY(check_conversion(to->element, from_element));
    TRY(assignment_buffer(from->shape, from_element, &buffer));
    enum dm_status status = place_get(from, buffer.first, &buffer.strides);
    if (status == DM_OK)
        convert_array(shape, to->first, &to->strides, to->element, buffer.first, &buffer.strides,
                      from_element);
    free(buffer.first);
    return status;
}

enum dm_status assignment_put(const struct place *to, struct element to_element,
                              const struct local *from, const struct caf_shape *shape)
{
    struct local buffer;
    if (element_equal(from->element, to_element) && !may_overlap(to, from->first))
        return place_put(to, from->first, &from->strides);
    TRY(check_conversion(to_element, from->element));
    TRY(assignment_buffer(*shape, to_element, &buffer));
    convert_array(shape, buffer.first, &buffer.strides, to_element, from->first, &from->strides,
                  from->element);
    enum dm_status status = place_put(to, buffer.first, &buffer.strides);
    free(buffer.first);
    return status;
}
