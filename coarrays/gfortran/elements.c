#include "elements.h"

#include <stdlib.h>

#include "coarrays/caf/section.h"

#include "status.h"

/* For an allocatable component of a structure, CO_BROADCAST of GNU Fortran 12 leaves `span` and
 * `offset` as it finds them on the stack. Such a component is contiguous. In other descriptors the
 * offset is that of the element with all subscripts 0. */
static struct caf_strides strides_of(const struct descriptor *array)
{
    ptrdiff_t first = 0, bytes = (ptrdiff_t)array->type.element_bytes;
    for (int d = 0; d < array->type.rank; d++)
        first -= array->dimension[d].lower * array->dimension[d].stride;
    bool is_set = (ptrdiff_t)array->offset == first && array->span >= bytes;
    struct caf_strides strides = descriptor_strides(array, array->type.rank);
    for (int d = 0; d < array->type.rank && !is_set; d++)
        strides.stride[d] = array->dimension[d].stride * bytes;
    return strides;
}

static bool is_contiguous(const struct descriptor *array)
{
    struct caf_shape shape = descriptor_shape(array);
    struct caf_strides strides = strides_of(array);
    struct caf_strides packed = section_packed(&shape);
    return section_simplify(&shape, &strides, &packed).rank == 0;
}

/* Between the array and its copy. */
static void copy(const struct elements *elements, bool to_array)
{
    struct caf_shape shape = descriptor_shape(elements->array);
    struct caf_strides strides = strides_of(elements->array);
    struct caf_strides packed = section_packed(&shape);
    struct section section = to_array ? section_simplify(&shape, &strides, &packed)
                                      : section_simplify(&shape, &packed, &strides);
    if (to_array)
        section_copy(&section, elements->array->base, elements->data);
    else
        section_copy(&section, elements->data, elements->array->base);
}

struct elements elements_open(const struct descriptor *array)
{
    /* A component that is not allocated has no bounds. */
    size_t count = array->base ? descriptor_count(array) : 0;
    struct elements elements = {
        .array = array,
        .data = array->base,
        .count = count,
        .bytes = count * array->type.element_bytes,
    };
    if (count == 0 || is_contiguous(array))
        return elements;
    elements.data = malloc(elements.bytes);
    if (!elements.data)
        status_fatal("a collective subroutine has no memory for a copy of %zu bytes",
                     elements.bytes);
    copy(&elements, false);
    return elements;
}

void elements_close(struct elements *elements)
{
    if (elements->data == elements->array->base)
        return;
    copy(elements, true);
    free(elements->data);
}
