#include "reallocate.h"

#include <stdlib.h>

#include "coarrays/caf/error.h"

#include "component.h"
#include "walk.h"

static bool has_shape(const struct descriptor *array, const struct caf_shape *shape)
{
    if (!array->base || array->type.rank != shape->rank)
        return false;
    for (int d = 0; d < shape->rank; d++)
        if (descriptor_extent(array, d) != shape->count[d])
            return false;
    return true;
}

static bool count_bytes(const struct caf_shape *shape, size_t element_bytes, size_t *bytes)
{
    *bytes = element_bytes;
    for (int d = 0; d < shape->rank; d++)
        if (__builtin_mul_overflow(*bytes, shape->count[d], bytes))
            return false;
    *bytes += *bytes == 0;
    return true;
}

/* Bounds from 1, without gaps. */
static void set_bounds(struct descriptor *array, const struct caf_shape *shape)
{
    ptrdiff_t stride = 1, offset = 0;
    array->span = (ptrdiff_t)array->type.element_bytes;
    for (int d = 0; d < shape->rank; d++) {
        array->dimension[d] = (struct dimension){stride, 1, (ptrdiff_t)shape->count[d]};
        offset -= stride;
        stride *= (ptrdiff_t)shape->count[d];
    }
    array->offset = (size_t)offset;
}

enum dm_status reallocate_array(struct descriptor *array, const struct caf_shape *shape)
{
    size_t bytes;
    if (array->type.rank != shape->rank || has_shape(array, shape))
        return DM_OK;
    if (component_is(array->base))
        return invalid(CAF_BAD_ARGUMENT, "an assignment that would reallocate a coarray");
    free(array->base);
    array->base = count_bytes(shape, array->type.element_bytes, &bytes) ? malloc(bytes) : NULL;
    if (!array->base)
        return dm_fail(DM_NO_MEMORY, "no memory to reallocate the left side of an assignment");
    if (shape->rank > 0)
        set_bounds(array, shape);
    return DM_OK;
}

/* ---- components ---- */

/* The rank of the component if nothing follows it but (:), else -1. */
static int rank_of_whole(const struct reference *component)
{
    const struct reference *array = component->next;
    int rank = 0;
    if (!array)
        return 0;
    if (array->type != REFERENCE_ARRAY || array->next)
        return -1;
    for (; rank < CAF_MAX_RANK && array->array.mode[rank] != REFERENCE_NONE; rank++)
        if (array->array.mode[rank] != REFERENCE_FULL ||
            array->array.dimension[rank].range.step != 1)
            return -1;
    return rank;
}

static struct reference *last_component(struct reference *references)
{
    struct reference *last = NULL;
    for (struct reference *r = references; r; r = r->next)
        if (r->type == REFERENCE_COMPONENT)
            last = r;
    return last;
}

/* The way to the component's descriptor itself. */
static enum dm_status find_descriptor(void *token, struct reference *references,
                                      struct reference *component, struct descriptor **descriptor)
{
    struct place place;
    struct reference kept = *component;
    component->next = NULL;
    component->component.token_offset = 0;
    enum dm_status status = walk(token, caf_this_image(), references, &place);
    *component = kept;
    if (status == DM_OK)
        status = place_need(&place);
    if (status == DM_OK)
        *descriptor = place_address(&place);
    return status;
}

static enum dm_status allocate_component(struct descriptor *descriptor, void **token,
                                         const struct caf_shape *shape, struct element element)
{
    size_t bytes;
    if (!count_bytes(shape, element.bytes, &bytes))
        return dm_fail(DM_NO_MEMORY, "no memory to reallocate a component");
    if (descriptor->base)
        component_deregister(token);
    descriptor->base = NULL;
    enum dm_status status = component_register(bytes, true, token, descriptor);
    if (status != DM_OK || shape->rank == 0)
        return status;
    descriptor->type.element_bytes = element.bytes;
    descriptor->type.rank = (signed char)shape->rank;
    descriptor->type.type = (signed char)element.type;
    set_bounds(descriptor, shape);
    return DM_OK;
}

enum dm_status reallocate_component(void *token, struct reference *references,
                                    const struct caf_shape *shape, struct element element)
{
    struct descriptor *descriptor;
    struct reference *component = last_component(references);
    if (!component || component->component.token_offset == 0 ||
        rank_of_whole(component) != shape->rank)
        return DM_OK;
    enum dm_status status = find_descriptor(token, references, component, &descriptor);
    /* A scalar's descriptor is its address alone. */
    if (status != DM_OK ||
        (shape->rank > 0 ? has_shape(descriptor, shape) : descriptor->base != NULL))
        return status;
    void **own_token = (void **)((char *)descriptor + component->component.token_offset -
                                 component->component.offset);
    return allocate_component(descriptor, own_token, shape, element);
}
