#include "walk.h"

#include <stdint.h>
#include <stdlib.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/runtime.h"

#include "component.h"
#include "foreign.h"

/* A descriptor of any rank. */
struct fetched {
    struct descriptor descriptor;
    struct dimension room[CAF_MAX_RANK];
};

static int subscripts(const struct reference *array)
{
    int count = 0;
    while (count < CAF_MAX_RANK && array->array.mode[count] != REFERENCE_NONE)
        count++;
    return count;
}

static void add_dimension(struct place *place, size_t count, ptrdiff_t stride, ptrdiff_t *vector)
{
    int d = place->shape.rank++;
    place->shape.count[d] = count;
    place->strides.stride[d] = stride;
    place->vector[d] = vector;
    place->vectors += vector != NULL;
}

static int64_t vector_value(const void *values, int kind, size_t i)
{
    switch (kind) {
    case 1:
        return ((const int8_t *)values)[i];
    case 2:
        return ((const int16_t *)values)[i];
    case 4:
        return ((const int32_t *)values)[i];
    default:
        return ((const int64_t *)values)[i];
    }
}

/* ---- arrays with a descriptor ---- */

static enum dm_status outside(const struct place *place, ptrdiff_t subscript, int d,
                              const struct dimension *bounds)
{
    return invalid(CAF_BAD_RANGE, "subscript %td of dimension %d is outside of %td:%td on image %d",
                   subscript, d + 1, bounds->lower, bounds->upper, place->image);
}

static bool is_inside(ptrdiff_t subscript, const struct dimension *bounds)
{
    return subscript >= bounds->lower && subscript <= bounds->upper;
}

static enum dm_status follow_vector(struct place *place, const struct reference *array, int d,
                                    const struct dimension *bounds, ptrdiff_t stride)
{
    size_t count = array->array.dimension[d].vector.count;
    int kind = array->array.dimension[d].vector.kind;
    if (kind != 1 && kind != 2 && kind != 4 && kind != 8)
        return invalid(CAF_BAD_ARGUMENT, "vector subscripts of integer kind %d", kind);
    ptrdiff_t *distances = malloc((count + 1) * sizeof *distances);
    if (!distances)
        return dm_fail(DM_NO_MEMORY, "no memory for a vector subscript of %zu", count);
    add_dimension(place, count, 0, distances);
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t subscript = vector_value(array->array.dimension[d].vector.values, kind, i);
        if (!is_inside(subscript, bounds))
            return outside(place, subscript, d, bounds);
        distances[i] = (subscript - bounds->lower) * stride;
    }
    return DM_OK;
}

static size_t range_count(ptrdiff_t first, ptrdiff_t last, ptrdiff_t step)
{
    ptrdiff_t count = step == 1   ? last - first + 1
                      : step == 0 ? first <= last
                                  : (last - first + step) / step;
    return count > 0 ? (size_t)count : 0;
}

/* first:last:step; bounds that are left out are the declared ones, whatever the step's sign. */
static enum dm_status follow_range(struct place *place, const struct reference *array, int d,
                                   const struct dimension *bounds, ptrdiff_t stride)
{
    int mode = array->array.mode[d];
    bool has_first = mode == REFERENCE_RANGE || mode == REFERENCE_OPEN_END;
    bool has_last = mode == REFERENCE_RANGE || mode == REFERENCE_OPEN_START;
    ptrdiff_t first = has_first ? array->array.dimension[d].range.first : bounds->lower;
    ptrdiff_t last = has_last ? array->array.dimension[d].range.last : bounds->upper;
    ptrdiff_t step = array->array.dimension[d].range.step;
    size_t count = range_count(first, last, step);
    if (count > 0 && !is_inside(first, bounds))
        return outside(place, first, d, bounds);
    if (count > 0 && !is_inside(first + (ptrdiff_t)(count - 1) * step, bounds))
        return outside(place, last, d, bounds);
    place->offset += (size_t)((first - bounds->lower) * stride);
    add_dimension(place, count, step * stride, NULL);
    return DM_OK;
}

static enum dm_status follow_array(struct place *place, const struct reference *array,
                                   const struct descriptor *descriptor)
{
    place->shape.element_bytes = array->item_bytes;
    for (int d = 0, count = subscripts(array); d < count; d++) {
        const struct dimension *bounds = &descriptor->dimension[d];
        ptrdiff_t stride =
            bounds->stride * (descriptor->span ? descriptor->span : (ptrdiff_t)array->item_bytes);
        ptrdiff_t first = array->array.dimension[d].range.first;
        enum dm_status status = DM_OK;
        if (array->array.mode[d] == REFERENCE_VECTOR)
            status = follow_vector(place, array, d, bounds, stride);
        else if (array->array.mode[d] != REFERENCE_SINGLE)
            status = follow_range(place, array, d, bounds, stride);
        else if (is_inside(first, bounds))
            place->offset += (size_t)((first - bounds->lower) * stride);
        else
            status = outside(place, first, d, bounds);
        if (status != DM_OK)
            return status;
    }
    return DM_OK;
}

/* ---- arrays of constant shape ---- */

/* Here the compiler has made distances from the array's start, in elements, out of subscripts. */
static enum dm_status follow_static_array(struct place *place, const struct reference *array)
{
    ptrdiff_t bytes = (ptrdiff_t)array->item_bytes;
    place->shape.element_bytes = array->item_bytes;
    for (int d = 0, count = subscripts(array); d < count; d++) {
        ptrdiff_t first = array->array.dimension[d].range.first;
        ptrdiff_t step = array->array.dimension[d].range.step;
        if (array->array.mode[d] == REFERENCE_VECTOR)
            return invalid(CAF_BAD_ARGUMENT,
                           "a vector subscript for a component of constant shape");
        place->offset += (size_t)(first * bytes);
        if (array->array.mode[d] != REFERENCE_SINGLE)
            add_dimension(place, range_count(first, array->array.dimension[d].range.last, step),
                          step * bytes, NULL);
    }
    return DM_OK;
}

/* ---- components ---- */

/* An allocatable component, or a pointer: goes on where its data are. */
static enum dm_status follow_allocatable(struct place *place, const struct reference *component,
                                         struct fetched *fetched)
{
    const struct reference *next = component->next;
    bool is_array = next && next->type == REFERENCE_ARRAY;
    size_t bytes =
        is_array ? sizeof fetched->descriptor + (size_t)subscripts(next) * sizeof(struct dimension)
                 : sizeof fetched->descriptor.base;
    if (place->shape.rank > 0)
        return invalid(CAF_BAD_ARGUMENT,
                       "an allocatable component of several elements of an array at once");
    enum dm_status status = place_get_bytes(place, fetched, bytes);
    if (status == DM_OK && !fetched->descriptor.base)
        place->state = PLACE_UNALLOCATED;
    else if (status == DM_OK)
        status =
            component_find(place->image, fetched->descriptor.base, &place->coarray, &place->offset);
    if (status == DM_OK && place->state == PLACE_FOUND && !place->coarray) {
        place->offset = (size_t)fetched->descriptor.base;
        place->state = foreign_is_near(place->image) ? PLACE_FOUND : PLACE_ELSEWHERE;
    }
    return status;
}

static enum dm_status follow_component(struct place *place, const struct reference *component,
                                       struct fetched *fetched)
{
    place->offset += (size_t)component->component.offset;
    place->shape.element_bytes = component->item_bytes;
    return component->component.token_offset ? follow_allocatable(place, component, fetched)
                                             : DM_OK;
}

static enum dm_status follow(struct place *place, const struct reference *reference,
                             struct fetched *fetched, const struct descriptor **descriptor)
{
    if (reference->type == REFERENCE_COMPONENT) {
        *descriptor = &fetched->descriptor;
        return follow_component(place, reference, fetched);
    }
    if (reference->type == REFERENCE_STATIC_ARRAY)
        return follow_static_array(place, reference);
    if (*descriptor)
        return follow_array(place, reference, *descriptor);
    return invalid(CAF_BAD_ARGUMENT, "the bounds of the coarray are not known");
}

enum dm_status walk(void *token, int image, const struct reference *references, struct place *place)
{
    struct caf_coarray *coarray = token;
    struct fetched fetched;
    /* Its bounds are the same on all images. */
    const struct descriptor *descriptor = caf_owner(coarray);
    *place = (struct place){.image = image, .coarray = coarray};
    if (!is_image(image))
        return error_no_image("an image in brackets", image);
    for (const struct reference *r = references; r && place->state == PLACE_FOUND; r = r->next) {
        enum dm_status status = follow(place, r, &fetched, &descriptor);
        if (status != DM_OK) {
            place_free(place);
            return status;
        }
    }
    return DM_OK;
}
