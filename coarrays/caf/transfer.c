#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "far.h"
#include "near.h"
#include "parcel.h"
#include "section.h"

/* A transfer from one far image to another goes through a buffer of this size. */
enum { RELAY_BYTES = 1 << 20 };

/* ---- what can be wrong ---- */

static enum dm_status check_image(const char *statement, int image)
{
    caf_statement = statement;
    if (is_image(image))
        return DM_OK;
    return error_no_image(statement, image);
}

/* Bytes offset + low to offset + high. */
static enum dm_status check_range(const char *statement, const struct caf_coarray *coarray,
                                  int image, size_t offset, ptrdiff_t low, size_t high)
{
    ptrdiff_t first = PTRDIFF_MAX, end = PTRDIFF_MAX;
    if (!coarray)
        return invalid(CAF_BAD_ARGUMENT, "%s: there is no coarray", statement);
    if (!__builtin_add_overflow(offset, low, &first) &&
        !__builtin_add_overflow(offset, high, &end) && first >= 0 &&
        end <= (ptrdiff_t)coarray->bytes)
        return DM_OK;
    return invalid(CAF_BAD_RANGE, "%s: bytes %td to %td of a coarray of %zu bytes on image %d",
                   statement, first, end, coarray->bytes, image);
}

static enum dm_status check(const char *statement, const struct caf_coarray *coarray, int image,
                            size_t offset, size_t bytes)
{
    enum dm_status status = check_image(statement, image);
    if (status == DM_OK && runtime.debug)
        status = check_range(statement, coarray, image, offset, 0, bytes);
    return status;
}

static enum dm_status check_section(const char *statement, const struct caf_coarray *coarray,
                                    int image, size_t offset, const struct caf_strides *strides,
                                    const struct caf_shape *shape)
{
    ptrdiff_t low, high;
    TRY(check_image(statement, image));
    if (!section_extent(shape, strides, &low, &high))
        return invalid(CAF_BAD_ARGUMENT, "%s: a section of rank %d is beyond rank %d or any memory",
                       statement, shape->rank, (int)CAF_MAX_RANK);
    return check_range(statement, coarray, image, offset, low, (size_t)high);
}

/* ---- contiguous ---- */

/* The sizes of numbers without a call. */
static inline void copy(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

/* An image's own memory is never reached through MPI. */
static bool is_memory(int image)
{
    return is_direct(image) || image == runtime.image;
}

/* What others have put there comes first. */
static inline enum dm_status settle(const struct caf_coarray *coarray, int image, size_t low,
                                    size_t high)
{
    return parcels_lie_at(image) ? parcels_settle(coarray, image, low, high) : DM_OK;
}

/* What the elements are is not known here. */
static void divide(struct far_section *section, size_t bytes)
{
    section->rank = 1;
    section->element_bytes = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
    section->count[0] = bytes / section->element_bytes;
    section->far[0] = section->near[0] = (ptrdiff_t)section->element_bytes;
}

static __attribute__((noinline)) enum dm_status put(struct caf_coarray *to, int image,
                                                    size_t offset, const void *from, size_t bytes)
{
    enum dm_status status = check("PUT", to, image, offset, bytes);
    if (status != DM_OK || bytes == 0)
        return status;
    if (is_memory(image)) {
        TRY(settle(to, image, offset, offset + bytes));
        memcpy(near_address(to, image, offset), from, bytes);
        return DM_OK;
    }
    struct far_section section = {
        .is_put = true, .coarray = to, .image = image, .offset = offset, .local = (char *)from};
    divide(&section, bytes);
    return far_transfer(&section);
}

static __attribute__((noinline)) enum dm_status get(void *to, struct caf_coarray *from, int image,
                                                    size_t offset, size_t bytes)
{
    enum dm_status status = check("GET", from, image, offset, bytes);
    if (status != DM_OK || bytes == 0)
        return status;
    if (is_memory(image)) {
        TRY(settle(from, image, offset, offset + bytes));
        memcpy(to, near_address(from, image, offset), bytes);
        return DM_OK;
    }
    struct far_section section = {.coarray = from, .image = image, .offset = offset, .local = to};
    divide(&section, bytes);
    return far_transfer(&section);
}

enum dm_status caf_put(struct caf_coarray *to, int image, size_t offset, const void *from,
                       size_t bytes)
{
    if (is_image(image) && is_direct(image) && !runtime.debug) {
        TRY(settle(to, image, offset, offset + bytes));
        copy(near_address(to, image, offset), from, bytes);
        return DM_OK;
    }
    return put(to, image, offset, from, bytes);
}

enum dm_status caf_get(void *to, struct caf_coarray *from, int image, size_t offset, size_t bytes)
{
    if (is_image(image) && is_direct(image) && !runtime.debug) {
        TRY(settle(from, image, offset, offset + bytes));
        copy(to, near_address(from, image, offset), bytes);
        return DM_OK;
    }
    return get(to, from, image, offset, bytes);
}

/* ---- from image to image ---- */

/* Through a buffer. Where both places overlap, the end goes first if the data move upwards. */
static enum dm_status relay(struct caf_coarray *to, int to_image, size_t to_offset,
                            struct caf_coarray *from, int from_image, size_t from_offset,
                            size_t bytes)
{
    size_t largest = bytes < RELAY_BYTES ? bytes : RELAY_BYTES;
    bool backwards = to == from && to_image == from_image && to_offset > from_offset;
    char *buffer = malloc(largest);
    enum dm_status status =
        buffer ? DM_OK
               : dm_fail(DM_NO_MEMORY, "PUT: no memory for a buffer on image %d", runtime.image);
    for (size_t done = 0, piece; status == DM_OK && done < bytes; done += piece) {
        piece = bytes - done < largest ? bytes - done : largest;
        size_t at = backwards ? bytes - done - piece : done;
        status = get(buffer, from, from_image, from_offset + at, piece);
        if (status == DM_OK)
            status = put(to, to_image, to_offset + at, buffer, piece);
    }
    free(buffer);
    return status;
}

enum dm_status caf_send_get(struct caf_coarray *to, int to_image, size_t to_offset,
                            struct caf_coarray *from, int from_image, size_t from_offset,
                            size_t bytes)
{
    enum dm_status status = check("GET", from, from_image, from_offset, bytes);
    if (status == DM_OK)
        status = check("PUT", to, to_image, to_offset, bytes);
    if (status != DM_OK || bytes == 0)
        return status;
    TRY(settle(to, to_image, to_offset, to_offset + bytes));
    TRY(settle(from, from_image, from_offset, from_offset + bytes));
    if (is_memory(to_image) && is_memory(from_image))
        memmove(near_address(to, to_image, to_offset), near_address(from, from_image, from_offset),
                bytes);
    else if (is_memory(to_image))
        status = get(near_address(to, to_image, to_offset), from, from_image, from_offset, bytes);
    else if (is_memory(from_image))
        status = put(to, to_image, to_offset, near_address(from, from_image, from_offset), bytes);
    else
        status = relay(to, to_image, to_offset, from, from_image, from_offset, bytes);
    return status;
}

/* ---- sections ---- */

/* The bytes between a section's first and last are in use, too. */
static enum dm_status settle_section(const struct caf_coarray *coarray, int image, size_t offset,
                                     const struct section *section, const ptrdiff_t *stride)
{
    size_t low = offset, high = offset + section->element_bytes;
    if (!parcels_lie_at(image))
        return DM_OK;
    for (int d = 0; d < section->rank && section->count[0] > 0; d++) {
        ptrdiff_t distance = ((ptrdiff_t)section->count[d] - 1) * stride[d];
        if (distance < 0)
            low -= (size_t)-distance;
        else
            high += (size_t)distance;
    }
    return parcels_settle(coarray, image, low, high);
}

enum dm_status put_near(struct caf_coarray *to, int image, size_t offset,
                        const struct section *section, const void *from)
{
    if (parcel_send(to, image, offset, section, from))
        return DM_OK;
    TRY(settle_section(to, image, offset, section, section->to));
    section_copy(section, near_address(to, image, offset), from);
    return DM_OK;
}

enum dm_status get_near(void *to, struct caf_coarray *from, int image, size_t offset,
                        const struct section *section)
{
    TRY(settle_section(from, image, offset, section, section->from));
    section_copy(section, to, near_address(from, image, offset));
    return DM_OK;
}

static enum dm_status transfer_section(struct far_section *section, const struct caf_shape *shape,
                                       const struct caf_strides *far,
                                       const struct caf_strides *near)
{
    if (section_bytes(shape) == 0)
        return DM_OK;
    section->rank = shape->rank;
    section->element_bytes = shape->element_bytes;
    for (int d = 0; d < shape->rank; d++) {
        section->count[d] = shape->count[d];
        section->far[d] = far->stride[d];
        section->near[d] = near->stride[d];
    }
    far_turn(section);
    return far_transfer(section);
}

enum dm_status caf_put_section(struct caf_coarray *to, int image, size_t offset,
                               const struct caf_strides *to_strides, const void *from,
                               const struct caf_strides *from_strides,
                               const struct caf_shape *shape)
{
    TRY(check_section("PUT", to, image, offset, to_strides, shape));
    if (is_memory(image)) {
        struct section section;
        section_make(&section, shape, to_strides, from_strides);
        return put_near(to, image, offset, &section, from);
    }
    struct far_section section = {
        .is_put = true, .coarray = to, .image = image, .offset = offset, .local = (char *)from};
    return transfer_section(&section, shape, to_strides, from_strides);
}

enum dm_status caf_get_section(void *to, const struct caf_strides *to_strides,
                               struct caf_coarray *from, int image, size_t offset,
                               const struct caf_strides *from_strides,
                               const struct caf_shape *shape)
{
    TRY(check_section("GET", from, image, offset, from_strides, shape));
    if (is_memory(image)) {
        struct section section;
        section_make(&section, shape, to_strides, from_strides);
        return get_near(to, from, image, offset, &section);
    }
    struct far_section section = {.coarray = from, .image = image, .offset = offset, .local = to};
    return transfer_section(&section, shape, from_strides, to_strides);
}
