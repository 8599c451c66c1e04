/* reference.c: transfers from and to components of coarrays: x[k]%a(1:9), x(2)[k]%inner%n. What
 * they mean in the image's memory is found by walk.c. may_require_tmp is not needed: where the
 * memory lies tells what overlaps. */
#include <stdlib.h>

#include "coarrays/caf/error.h"

#include "abi.h"
#include "assignment.h"
#include "image.h"
#include "reallocate.h"
#include "status.h"
#include "walk.h"

static struct element element_of(const struct place *place, int type, int kind)
{
    return (struct element){type, kind, place->shape.element_bytes};
}

static struct local local_array(const struct descriptor *array, int kind, int rank)
{
    return (struct local){
        .first = array->base,
        .strides = descriptor_strides(array, rank),
        .element = {array->type.type, kind, array->type.element_bytes},
    };
}

/* ---- get ---- */

static enum dm_status get(struct descriptor *to, int to_kind, bool to_reallocatable,
                          const struct place *from, struct element from_element)
{
    enum dm_status status = place_need(from);
    if (status == DM_OK && to_reallocatable)
        status = reallocate_array(to, &from->shape);
    if (status != DM_OK)
        return status;
    struct caf_shape shape = descriptor_shape(to);
    struct local local = local_array(to, to_kind, shape.rank);
    status = assignment_check(&shape, &from->shape, from->image);
    return status != DM_OK ? status : assignment_get(&local, &shape, from, from_element);
}

void _gfortran_caf_get_by_ref(caf_token token, int image, struct descriptor *to,
                              struct reference *references, int to_kind, int from_kind,
                              bool may_require_tmp, bool to_reallocatable, int *stat, int from_type)
{
    (void)may_require_tmp;
    struct place from;
    image = image_number(image);
    enum dm_status status = walk(token, image, references, &from);
    if (status == DM_OK) {
        status = get(to, to_kind, to_reallocatable, &from, element_of(&from, from_type, from_kind));
        place_free(&from);
    }
    image_report(status, image, stat);
}

/* ---- send ---- */

static enum dm_status send(const struct place *to, struct element to_element,
                           const struct descriptor *from, int from_kind)
{
    struct caf_shape shape = descriptor_shape(from);
    TRY(place_need(to));
    TRY(assignment_check(&to->shape, &shape, to->image));
    struct local local = local_array(from, from_kind, to->shape.rank);
    return assignment_put(to, to_element, &local, &shape);
}

void _gfortran_caf_send_by_ref(caf_token token, int image, struct descriptor *from,
                               struct reference *references, int to_kind, int from_kind,
                               bool may_require_tmp, bool to_reallocatable, int *stat, int to_type)
{
    (void)may_require_tmp;
    (void)to_reallocatable; /* only that image could; Fortran forbids what needs it (10.2.1.2) */
    struct place to;
    enum dm_status status = walk(token, image_number(image), references, &to);
    if (status == DM_OK) {
        status = send(&to, element_of(&to, to_type, to_kind), from, from_kind);
        place_free(&to);
    }
    image_report(status, image_number(image), stat);
}

/* ---- from one image to another ---- */

/* One for each side. */
struct statuses {
    enum dm_status to, from;
};

static struct statuses through_buffer(const struct place *to, struct element to_element,
                                      const struct place *from, struct element from_element)
{
    struct local buffer;
    struct statuses statuses = {DM_OK, assignment_buffer(from->shape, from_element, &buffer)};
    if (statuses.from != DM_OK)
        return statuses;
    statuses.from = place_get(from, buffer.first, &buffer.strides);
    if (statuses.from == DM_OK)
        statuses.to = assignment_put(to, to_element, &buffer, &from->shape);
    free(buffer.first);
    return statuses;
}

/* What this image has without vector subscripts needs no buffer. */
static struct statuses send_get(const struct place *to, struct element to_element,
                                const struct place *from, struct element from_element)
{
    int here = caf_this_image();
    if (to->image == here && from->image != here && to->vectors == 0) {
        struct local local = {place_address(to), to->strides, to_element};
        return (struct statuses){.from = assignment_get(&local, &to->shape, from, from_element)};
    }
    if (from->image == here && to->image != here && from->vectors == 0) {
        struct local local = {place_address(from), from->strides, from_element};
        return (struct statuses){.to = assignment_put(to, to_element, &local, &from->shape)};
    }
    return through_buffer(to, to_element, from, from_element);
}

/* The left side is this image's own component, x%a = x[k]%a, which may need another shape. */
static enum dm_status reshape_own(struct place *to, caf_token token, struct reference *references,
                                  const struct place *from, struct element element)
{
    if (to->image != caf_this_image() ||
        (to->state == PLACE_FOUND && assignment_equal_shapes(&to->shape, &from->shape)))
        return DM_OK;
    TRY(reallocate_component(token, references, &from->shape, element));
    place_free(to);
    return walk(token, to->image, references, to);
}

static enum dm_status prepare(struct place *to, caf_token token, struct reference *references,
                              const struct place *from, struct element element)
{
    enum dm_status status = reshape_own(to, token, references, from, element);
    if (status == DM_OK)
        status = place_need(to);
    return status != DM_OK ? status : assignment_check(&to->shape, &from->shape, to->image);
}

void _gfortran_caf_sendget_by_ref(caf_token to_token, int to_image, struct reference *to_references,
                                  caf_token from_token, int from_image,
                                  struct reference *from_references, int to_kind, int from_kind,
                                  bool may_require_tmp, int *to_stat, int *from_stat, int to_type,
                                  int from_type)
{
    (void)may_require_tmp;
    to_image = image_number(to_image);
    from_image = image_number(from_image);
    struct place to = {0}, from = {0};
    struct statuses statuses = {DM_OK, walk(from_token, from_image, from_references, &from)};
    if (statuses.from == DM_OK)
        statuses.from = place_need(&from);
    if (statuses.from == DM_OK)
        statuses.to = walk(to_token, to_image, to_references, &to);
    if (statuses.from == DM_OK && statuses.to == DM_OK) {
        struct element to_element = element_of(&to, to_type, to_kind);
        statuses.to = prepare(&to, to_token, to_references, &from, to_element);
        if (statuses.to == DM_OK)
            statuses = send_get(&to, to_element, &from, element_of(&from, from_type, from_kind));
    }
    place_free(&from);
    place_free(&to);
    status_report(statuses.from, from_stat, NULL, 0);
    status_report(statuses.to, to_stat, NULL, 0);
}

/* ---- allocated(x[k]%a) ---- */

int _gfortran_caf_is_present(caf_token token, int image, struct reference *references)
{
    struct place place;
    status_report(walk(token, image_number(image), references, &place), NULL, NULL, 0);
    place_free(&place);
    return place.state != PLACE_UNALLOCATED;
}
