/* reference.c: transfers from and to components of coarrays: x[k]%a(1:9), x(2)[k]%inner%n. What
 * they mean in the image's memory is found by walk.c. may_require_tmp is not asked: where the
 * memory lies tells what overlaps. */
#include <stdlib.h>

#include "abi.h"
#include "assignment.h"
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

static int get(struct descriptor *to, int to_kind, bool to_reallocatable, const struct place *from,
               struct element from_element)
{
    int code = place_need(from);
    if (!code && to_reallocatable)
        code = reallocate_array(to, &from->shape);
    if (code)
        return code;
    struct caf_shape shape = descriptor_shape(to);
    struct local local = local_array(to, to_kind, shape.rank);
    code = assignment_check(&shape, &from->shape, from->image);
    return code ? code : assignment_get(&local, &shape, from, from_element);
}

void _gfortran_caf_get_by_ref(caf_token token, int image, struct descriptor *to,
                              struct reference *references, int to_kind, int from_kind,
                              bool may_require_tmp, bool to_reallocatable, int *stat, int from_type)
{
    (void)may_require_tmp;
    struct place from;
    int code = walk(token, image, references, &from);
    if (!code) {
        code = get(to, to_kind, to_reallocatable, &from, element_of(&from, from_type, from_kind));
        place_free(&from);
    }
    status_report(code, stat, NULL, 0);
}

/* ---- send ---- */

static int send(const struct place *to, struct element to_element, const struct descriptor *from,
                int from_kind)
{
    struct caf_shape shape = descriptor_shape(from);
    int code = place_need(to);
    if (!code)
        code = assignment_check(&to->shape, &shape, to->image);
    if (code)
        return code;
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
    int code = walk(token, image, references, &to);
    if (!code) {
        code = send(&to, element_of(&to, to_type, to_kind), from, from_kind);
        place_free(&to);
    }
    status_report(code, stat, NULL, 0);
}

/* ---- from one image to another ---- */

/* A code for each side. */
struct codes {
    int to, from;
};

static struct codes through_buffer(const struct place *to, struct element to_element,
                                   const struct place *from, struct element from_element)
{
    struct local buffer;
    struct codes codes = {CAF_OK, assignment_buffer(from->shape, from_element, &buffer)};
    if (codes.from)
        return codes;
    codes.from = place_get(from, buffer.first, &buffer.strides);
    if (!codes.from)
        codes.to = assignment_put(to, to_element, &buffer, &from->shape);
    free(buffer.first);
    return codes;
}

/* What this image has without vector subscripts needs no buffer. */
static struct codes send_get(const struct place *to, struct element to_element,
                             const struct place *from, struct element from_element)
{
    int here = caf_this_image();
    if (to->image == here && from->image != here && to->vectors == 0) {
        struct local local = {place_address(to), to->strides, to_element};
        return (struct codes){.from = assignment_get(&local, &to->shape, from, from_element)};
    }
    if (from->image == here && to->image != here && from->vectors == 0) {
        struct local local = {place_address(from), from->strides, from_element};
        return (struct codes){.to = assignment_put(to, to_element, &local, &from->shape)};
    }
    return through_buffer(to, to_element, from, from_element);
}

/* The left side is this image's own component, x%a = x[k]%a, which may need another shape. */
static int reshape_own(struct place *to, caf_token token, struct reference *references,
                       const struct place *from, struct element element)
{
    if (to->image != caf_this_image() ||
        (to->state == PLACE_FOUND && assignment_equal_shapes(&to->shape, &from->shape)))
        return CAF_OK;
    int code = reallocate_component(token, references, &from->shape, element);
    if (code)
        return code;
    place_free(to);
    return walk(token, to->image, references, to);
}

static int prepare(struct place *to, caf_token token, struct reference *references,
                   const struct place *from, struct element element)
{
    int code = reshape_own(to, token, references, from, element);
    if (!code)
        code = place_need(to);
    return code ? code : assignment_check(&to->shape, &from->shape, to->image);
}

void _gfortran_caf_sendget_by_ref(caf_token to_token, int to_image, struct reference *to_references,
                                  caf_token from_token, int from_image,
                                  struct reference *from_references, int to_kind, int from_kind,
                                  bool may_require_tmp, int *to_stat, int *from_stat, int to_type,
                                  int from_type)
{
    (void)may_require_tmp;
    struct place to = {0}, from = {0};
    struct codes codes = {CAF_OK, walk(from_token, from_image, from_references, &from)};
    if (!codes.from)
        codes.from = place_need(&from);
    if (!codes.from)
        codes.to = walk(to_token, to_image, to_references, &to);
    if (!codes.from && !codes.to) {
        struct element to_element = element_of(&to, to_type, to_kind);
        codes.to = prepare(&to, to_token, to_references, &from, to_element);
        if (!codes.to)
            codes = send_get(&to, to_element, &from, element_of(&from, from_type, from_kind));
    }
    place_free(&from);
    place_free(&to);
    status_report(codes.from, from_stat, NULL, 0);
    status_report(codes.to, to_stat, NULL, 0);
}

/* ---- allocated(x[k]%a) ---- */

int _gfortran_caf_is_present(caf_token token, int image, struct reference *references)
{
    struct place place;
    status_report(walk(token, image, references, &place), NULL, NULL, 0);
    place_free(&place);
    return place.state != PLACE_UNALLOCATED;
}
