/* transfer.c: reading and writing another image's coarray, and from one image's to another's
 * (Fanfarillo 2016, 6.2: GET, SEND, SENDGET).
 *
 * A scalar of equal type goes straight to caf_put or caf_get, and so does an array that is
 * contiguous on both sides; other arrays of equal type are one section. What is left goes through
 * a buffer (buffered.h). */
#include <stdint.h>

#include "abi.h"
#include "buffered.h"
#include "image.h"
#include "status.h"

static inline struct element element_of(const struct descriptor *array, int kind)
{
    return (struct element){array->type.type, kind, array->type.element_bytes};
}

static bool is_contiguous(const struct descriptor *array)
{
    ptrdiff_t stride = (ptrdiff_t)array->type.element_bytes;
    for (int d = 0; d < array->type.rank; d++) {
        if (descriptor_stride(array, d) != stride)
            return false;
        stride *= (ptrdiff_t)descriptor_extent(array, d);
    }
    return true;
}

/* ---- memory of both sides in common ---- */

/* First byte and one past the last, as numbers. */
struct extent {
    intptr_t low, high;
};

static struct extent extent_of(const struct descriptor *array, intptr_t base)
{
    struct extent extent = {base, base + (intptr_t)array->type.element_bytes};
    for (int d = 0; d < array->type.rank; d++) {
        ptrdiff_t distance =
            ((ptrdiff_t)descriptor_extent(array, d) - 1) * descriptor_stride(array, d);
        if (distance < 0)
            extent.low += distance;
        else
            extent.high += distance;
    }
    return extent;
}

static bool meet(struct extent a, struct extent b)
{
    return a.low < b.high && b.low < a.high;
}

/* A section is copied in an order of its own, so it is the overlap itself that calls for a buffer,
 * whatever the compiler knows. */
static bool overlap_local(const struct remote *remote, const struct descriptor *local)
{
    if (remote->image != caf_this_image())
        return false;
    intptr_t base = (intptr_t)caf_memory(remote->coarray) + (intptr_t)remote->offset;
    return meet(extent_of(remote->array, base), extent_of(local, (intptr_t)local->base));
}

static bool overlap_remote(const struct remote *to, const struct remote *from)
{
    if (to->coarray != from->coarray || to->image != from->image)
        return false;
    return meet(extent_of(to->array, (intptr_t)to->offset),
                extent_of(from->array, (intptr_t)from->offset));
}

/* An array of rank 1, and as many elements or one for all. */
static bool is_line(const struct descriptor *array, const struct descriptor *local)
{
    return array->type.rank == 1 &&
           (local->type.rank == 0 ||
            (local->type.rank == 1 && descriptor_extent(local, 0) == descriptor_extent(array, 0)));
}

static ptrdiff_t line_stride(const struct descriptor *array)
{
    return array->type.rank == 1 ? descriptor_stride(array, 0) : 0;
}

/* ---- arrays ---- */

static enum dm_status get_array(const struct remote *from, struct element from_element,
                                const struct descriptor *to, struct element to_element)
{
    if (from->subscripts || !element_equal(to_element, from_element) ||
        to->type.rank != from->array->type.rank || overlap_local(from, to))
        return get_buffered(from, from_element, to, to_element);
    if (is_contiguous(to) && is_contiguous(from->array))
        return caf_get(to->base, from->coarray, from->image, from->offset,
                       descriptor_count(to) * to_element.bytes);
    if (is_line(from->array, to))
        return caf_get_line(to->base, line_stride(to), from->coarray, from->image, from->offset,
                            line_stride(from->array), descriptor_extent(to, 0), to_element.bytes);
    struct caf_shape shape = descriptor_shape(to);
    struct caf_strides to_strides = descriptor_strides(to, shape.rank);
    struct caf_strides from_strides = descriptor_strides(from->array, shape.rank);
    return caf_get_section(to->base, &to_strides, from->coarray, from->image, from->offset,
                           &from_strides, &shape);
}

static enum dm_status send_array(const struct remote *to, struct element to_element,
                                 const struct descriptor *from, struct element from_element)
{
    if (to->subscripts || !element_equal(to_element, from_element) || overlap_local(to, from))
        return send_buffered(to, to_element, from, from_element);
    if (from->type.rank > 0 && is_contiguous(from) && is_contiguous(to->array))
        return caf_put(to->coarray, to->image, to->offset, from->base,
                       descriptor_count(from) * from_element.bytes);
    if (is_line(to->array, from))
        return caf_put_line(to->coarray, to->image, to->offset, line_stride(to->array), from->base,
                            line_stride(from), descriptor_extent(to->array, 0), to_element.bytes);
    struct caf_shape shape = descriptor_shape(to->array);
    struct caf_strides to_strides = descriptor_strides(to->array, shape.rank);
    struct caf_strides from_strides = descriptor_strides(from, shape.rank);
    return caf_put_section(to->coarray, to->image, to->offset, &to_strides, from->base,
                           &from_strides, &shape);
}

static enum dm_status sendget_array(const struct remote *to, struct element to_element,
                                    const struct remote *from, struct element from_element)
{
    bool contiguous = to->array->type.rank == from->array->type.rank && !to->subscripts &&
                      !from->subscripts && is_contiguous(to->array) && is_contiguous(from->array);
    if (!contiguous || !element_equal(to_element, from_element) || overlap_remote(to, from))
        return sendget_buffered(to, to_element, from, from_element);
    return caf_send_get(to->coarray, to->image, to->offset, from->coarray, from->image,
                        from->offset, descriptor_count(from->array) * from_element.bytes);
}

/* GNU Fortran 12 compiles complex scalars that are static coarrays to accesses to a copy, whose
 * address makes an offset that leads anywhere; assignments on the image itself are lost. */
static void refuse_complex_scalar(void) __attribute__((noreturn, cold));
static void refuse_complex_scalar(void)
{
    status_fatal("a complex scalar that is a static coarray: this compiler passes a wrong address; "
                 "make it an array of one element, or allocatable");
}

/* Where a condition or an expression reads a substring of another image's characters, GNU
 * Fortran 12 makes a variable for it of which the descriptor says that it has none. */
static void refuse_substring(void) __attribute__((noreturn, cold));
static void refuse_substring(void)
{
    status_fatal("a substring of another image's characters, in an expression: this compiler "
                 "does not say how long it is; assign it to a variable first");
}

static inline bool is_lost_substring(const struct descriptor *to, const struct descriptor *from)
{
    return to->type.element_bytes == 0 && to->type.type == TYPE_CHARACTER && to->type.rank == 0 &&
           from->type.rank == 0 && from->type.element_bytes > 0;
}

static inline void check_offset(const struct caf_coarray *coarray, size_t offset,
                                struct element element)
{
    if (__builtin_expect(element.type == TYPE_COMPLEX, 0) && offset >= caf_size(coarray) &&
        caf_size(coarray) == element.bytes)
        refuse_complex_scalar();
}

/* ---- entry points: scalars of equal type first ---- */

void _gfortran_caf_get(caf_token token, size_t offset, int image, struct descriptor *from,
                       struct subscript *from_subscripts, struct descriptor *to, int from_kind,
                       int to_kind, bool may_require_tmp, int *stat)
{
    struct element from_element = element_of(from, from_kind), to_element = element_of(to, to_kind);
    image = image_number(image);
    check_offset(token, offset, from_element);
    if (__builtin_expect(is_lost_substring(to, from), 0))
        refuse_substring();
    bool scalar = (from->type.rank | to->type.rank) == 0;
    enum dm_status status;
    if (scalar && element_equal(to_element, from_element) &&
        !(may_require_tmp && image == caf_this_image())) {
        status = caf_get(to->base, token, image, offset, to_element.bytes);
    } else {
        struct remote remote = {token, image, offset, from, from_subscripts};
        status = scalar ? get_scalar(&remote, from_element, to, to_element)
                        : get_array(&remote, from_element, to, to_element);
    }
    image_report(status, image, stat);
}

void _gfortran_caf_send(caf_token token, size_t offset, int image, struct descriptor *to,
                        struct subscript *to_subscripts, struct descriptor *from, int to_kind,
                        int from_kind, bool may_require_tmp, int *stat, void *team)
{
    struct element from_element = element_of(from, from_kind), to_element = element_of(to, to_kind);
    image = team ? image_of_team(image, team) : image_number(image);
    check_offset(token, offset, to_element);
    bool scalar = (from->type.rank | to->type.rank) == 0;
    enum dm_status status;
    if (scalar && element_equal(to_element, from_element) &&
        !(may_require_tmp && image == caf_this_image())) {
        status = caf_put(token, image, offset, from->base, from_element.bytes);
    } else {
        struct remote remote = {token, image, offset, to, to_subscripts};
        status = scalar ? send_scalar(&remote, to_element, from, from_element)
                        : send_array(&remote, to_element, from, from_element);
    }
    image_report(status, image, stat);
}

void _gfortran_caf_sendget(caf_token to_token, size_t to_offset, int to_image,
                           struct descriptor *to, struct subscript *to_subscripts,
                           caf_token from_token, size_t from_offset, int from_image,
                           struct descriptor *from, struct subscript *from_subscripts, int to_kind,
                           int from_kind, bool may_require_tmp, int *stat)
{
    (void)may_require_tmp; /* the overlap decides */
    to_image = image_number(to_image);
    from_image = image_number(from_image);
    struct element from_element = element_of(from, from_kind), to_element = element_of(to, to_kind);
    check_offset(to_token, to_offset, to_element);
    check_offset(from_token, from_offset, from_element);
    struct remote to_remote = {to_token, to_image, to_offset, to, to_subscripts};
    struct remote from_remote = {from_token, from_image, from_offset, from, from_subscripts};
    enum dm_status status = sendget_array(&to_remote, to_element, &from_remote, from_element);
    image_report(status, from_image, stat);
}
