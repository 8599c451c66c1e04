#include "elements.h"

#include <stdlib.h>

#include "coarrays/caf/section.h"

#include "status.h"

static bool is_contiguous(const struct descriptor *array)
{
    struct caf_shape shape = descriptor_shape(array);
    struct caf_strides strides = descriptor_strides(array, shape.rank);
    struct caf_strides packed = section_packed(&shape);
    return section_simplify(&shape, &strides, &packed).rank == 0;
}

/* Between the array and its copy. */
static void copy(const struct elements *elements, bool to_array)
{
    struct caf_shape shape = descriptor_shape(elements->array);
    struct caf_strides strides = descriptor_strides(elements->array, shape.rank);
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
    size_t count = descriptor_count(array);
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
