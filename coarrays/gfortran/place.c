#include "place.h"

#include <stdlib.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/section.h"

#include "foreign.h"

enum dm_status place_need(const struct place *place)
{
    if (place->state == PLACE_UNALLOCATED)
        return invalid(CAF_BAD_ARGUMENT, "the component of image %d is not allocated",
                       place->image);
    if (place->state == PLACE_ELSEWHERE)
        return invalid(CAF_BAD_ARGUMENT,
                       "the component of image %d points to what was not allocated as a "
                       "component of a coarray: images of other nodes cannot reach it",
                       place->image);
    return DM_OK;
}

void place_free(struct place *place)
{
    for (int d = 0; d < place->shape.rank; d++)
        free(place->vector[d]);
    place->shape.rank = 0;
}

/* ---- moving what a place means: in one piece, in one section call, or with vector subscripts in
 * one for each combination of their values ---- */

/* Without gaps on both sides, and not empty. */
static bool is_one_piece(const struct place *place, const struct caf_strides *local_strides)
{
    ptrdiff_t stride = (ptrdiff_t)place->shape.element_bytes;
    for (int d = 0; d < place->shape.rank; d++) {
        if (place->vector[d] || place->strides.stride[d] != stride ||
            local_strides->stride[d] != stride)
            return false;
        stride *= (ptrdiff_t)place->shape.count[d];
    }
    return stride > 0;
}

typedef enum dm_status section_call(const struct place *place, size_t offset, char *local,
                                    const struct caf_strides *local_strides,
                                    const struct caf_shape *shape,
                                    const struct caf_strides *strides);

static enum dm_status get_section(const struct place *place, size_t offset, char *local,
                                  const struct caf_strides *local_strides,
                                  const struct caf_shape *shape, const struct caf_strides *strides)
{
    if (!place->coarray)
        return foreign_get(place->image, offset, strides, local, local_strides, shape);
    return caf_get_section(local, local_strides, place->coarray, place->image, offset, strides,
                           shape);
}

static enum dm_status put_section(const struct place *place, size_t offset, char *local,
                                  const struct caf_strides *local_strides,
                                  const struct caf_shape *shape, const struct caf_strides *strides)
{
    if (!place->coarray)
        return foreign_put(place->image, offset, strides, local, local_strides, shape);
    return caf_put_section(place->coarray, place->image, offset, strides, local, local_strides,
                           shape);
}

/* The dimensions without vectors, as a section of their own. */
static void split(const struct place *place, const struct caf_strides *local_strides,
                  struct caf_shape *shape, struct caf_strides *strides, struct caf_strides *local)
{
    shape->rank = 0;
    shape->element_bytes = place->shape.element_bytes;
    for (int d = 0; d < place->shape.rank; d++)
        if (!place->vector[d]) {
            shape->count[shape->rank] = place->shape.count[d];
            strides->stride[shape->rank] = place->strides.stride[d];
            local->stride[shape->rank++] = local_strides->stride[d];
        }
}

/* The next combination of indices into the vectors; false after the last. */
static bool advance(const struct place *place, size_t *index)
{
    for (int d = 0; d < place->shape.rank; d++) {
        if (!place->vector[d])
            continue;
        if (++index[d] < place->shape.count[d])
            return true;
        index[d] = 0;
    }
    return false;
}

static bool is_empty(const struct caf_shape *shape)
{
    for (int d = 0; d < shape->rank; d++)
        if (shape->count[d] == 0)
            return true;
    return false;
}

static enum dm_status transfer(const struct place *place, char *local,
                               const struct caf_strides *local_strides, section_call *call)
{
    struct caf_shape shape;
    struct caf_strides strides, inner;
    size_t index[CAF_MAX_RANK] = {0};
    enum dm_status status = DM_OK;
    if (is_empty(&place->shape))
        return DM_OK;
    split(place, local_strides, &shape, &strides, &inner);
    do {
        ptrdiff_t remote_distance = 0, local_distance = 0;
        for (int d = 0; d < place->shape.rank; d++)
            if (place->vector[d]) {
                remote_distance += place->vector[d][index[d]];
                local_distance += (ptrdiff_t)index[d] * local_strides->stride[d];
            }
        status = call(place, place->offset + (size_t)remote_distance, local + local_distance,
                      &inner, &shape, &strides);
    } while (status == DM_OK && advance(place, index));
    return status;
}

enum dm_status place_get_bytes(const struct place *place, void *to, size_t bytes)
{
    static const struct caf_strides none;
    struct caf_shape piece = {.rank = 0, .element_bytes = bytes};
    if (!place->coarray)
        return foreign_get(place->image, place->offset, &none, to, &none, &piece);
    return caf_get(to, place->coarray, place->image, place->offset, bytes);
}

enum dm_status place_get(const struct place *place, void *to, const struct caf_strides *to_strides)
{
    if (place->coarray && is_one_piece(place, to_strides))
        return caf_get(to, place->coarray, place->image, place->offset,
                       section_bytes(&place->shape));
    return transfer(place, to, to_strides, get_section);
}

enum dm_status place_put(const struct place *place, const void *from,
                         const struct caf_strides *from_strides)
{
    if (place->coarray && is_one_piece(place, from_strides))
        return caf_put(place->coarray, place->image, place->offset, from,
                       section_bytes(&place->shape));
    return transfer(place, (char *)from, from_strides, put_section);
}
