#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "far.h"
#include "section.h"

/* A transfer from one far image to another goes through a buffer of this size. */
enum { RELAY_BYTES = 1 << 20 };

/* ---- what can be wrong ---- */

static int check_image(const char *statement, int image)
{
    caf_statement = statement;
    if (is_image(image))
        return CAF_OK;
    return caf_error(CAF_BAD_IMAGE, "%s: there is no image %d of %d", statement, image,
                     runtime.images);
}

/* Bytes offset + low to offset + high. */
static int check_range(const char *statement, const struct caf_coarray *coarray, int image,
                       size_t offset, ptrdiff_t low, size_t high)
{
    ptrdiff_t first = PTRDIFF_MAX, end = PTRDIFF_MAX;
    if (!coarray)
        return caf_error(CAF_BAD_ARGUMENT, "%s: there is no coarray", statement);
    if (!__builtin_add_overflow(offset, low, &first) &&
        !__builtin_add_overflow(offset, high, &end) && first >= 0 &&
        end <= (ptrdiff_t)coarray->bytes)
        return CAF_OK;
    return caf_error(CAF_BAD_RANGE, "%s: bytes %td to %td of a coarray of %zu bytes on image %d",
                     statement, first, end, coarray->bytes, image);
}

static int check(const char *statement, const struct caf_coarray *coarray, int image, size_t offset,
                 size_t bytes)
{
    int code = check_image(statement, image);
    if (!code && runtime.debug)
        code = check_range(statement, coarray, image, offset, 0, bytes);
    return code;
}

static int check_section(const char *statement, const struct caf_coarray *coarray, int image,
                         size_t offset, const struct caf_strides *strides,
                         const struct caf_shape *shape)
{
    ptrdiff_t low, high;
    int code = check_image(statement, image);
    if (code)
        return code;
    if (!section_extent(shape, strides, &low, &high))
        return caf_error(CAF_BAD_ARGUMENT,
                         "%s: a section of rank %d is beyond rank %d or any memory", statement,
                         shape->rank, (int)CAF_MAX_RANK);
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

/* What the elements are is not known here. */
static void divide(struct far_section *section, size_t bytes)
{
    section->rank = 1;
    section->element_bytes = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
    section->count[0] = bytes / section->element_bytes;
    section->far[0] = section->near[0] = (ptrdiff_t)section->element_bytes;
}

static __attribute__((noinline)) int put(struct caf_coarray *to, int image, size_t offset,
                                         const void *from, size_t bytes)
{
    int code = check("PUT", to, image, offset, bytes);
    if (code || bytes == 0)
        return code;
    if (is_memory(image)) {
        memcpy(near_address(to, image, offset), from, bytes);
        return CAF_OK;
    }
    struct far_section section = {
        .is_put = true, .coarray = to, .image = image, .offset = offset, .local = (char *)from};
    divide(&section, bytes);
    return far_transfer(&section);
}

static __attribute__((noinline)) int get(void *to, struct caf_coarray *from, int image,
                                         size_t offset, size_t bytes)
{
    int code = check("GET", from, image, offset, bytes);
    if (code || bytes == 0)
        return code;
    if (is_memory(image)) {
        memcpy(to, near_address(from, image, offset), bytes);
        return CAF_OK;
    }
    struct far_section section = {.coarray = from, .image = image, .offset = offset, .local = to};
    divide(&section, bytes);
    return far_transfer(&section);
}

int caf_put(struct caf_coarray *to, int image, size_t offset, const void *from, size_t bytes)
{
    if (is_image(image) && is_direct(image) && !runtime.debug) {
        copy(near_address(to, image, offset), from, bytes);
        return CAF_OK;
    }
    return put(to, image, offset, from, bytes);
}

int caf_get(void *to, struct caf_coarray *from, int image, size_t offset, size_t bytes)
{
    if (is_image(image) && is_direct(image) && !runtime.debug) {
        copy(to, near_address(from, image, offset), bytes);
        return CAF_OK;
    }
    return get(to, from, image, offset, bytes);
}

/* ---- from image to image ---- */

/* Through a buffer. Where both places overlap, the end goes first if the data move upwards. */
static int relay(struct caf_coarray *to, int to_image, size_t to_offset, struct caf_coarray *from,
                 int from_image, size_t from_offset, size_t bytes)
{
    size_t most = bytes < RELAY_BYTES ? bytes : RELAY_BYTES;
    bool backwards = to == from && to_image == from_image && to_offset > from_offset;
    char *buffer = malloc(most);
    int code =
        buffer ? CAF_OK
               : caf_error(CAF_NO_MEMORY, "PUT: no memory for a buffer on image %d", runtime.image);
    for (size_t done = 0, piece; !code && done < bytes; done += piece) {
        piece = bytes - done < most ? bytes - done : most;
        size_t at = backwards ? bytes - done - piece : done;
        code = get(buffer, from, from_image, from_offset + at, piece);
        if (!code)
            code = put(to, to_image, to_offset + at, buffer, piece);
    }
    free(buffer);
    return code;
}

int caf_send_get(struct caf_coarray *to, int to_image, size_t to_offset, struct caf_coarray *from,
                 int from_image, size_t from_offset, size_t bytes)
{
    int code = check("GET", from, from_image, from_offset, bytes);
    if (!code)
        code = check("PUT", to, to_image, to_offset, bytes);
    if (code || bytes == 0)
        return code;
    if (is_memory(to_image) && is_memory(from_image))
        memmove(near_address(to, to_image, to_offset), near_address(from, from_image, from_offset),
                bytes);
    else if (is_memory(to_image))
        code = get(near_address(to, to_image, to_offset), from, from_image, from_offset, bytes);
    else if (is_memory(from_image))
        code = put(to, to_image, to_offset, near_address(from, from_image, from_offset), bytes);
    else
        code = relay(to, to_image, to_offset, from, from_image, from_offset, bytes);
    return code;
}

/* ---- sections ---- */

static int transfer_section(struct far_section *section, const struct caf_shape *shape,
                            const struct caf_strides *far, const struct caf_strides *near)
{
    if (section_bytes(shape) == 0)
        return CAF_OK;
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

int caf_put_section(struct caf_coarray *to, int image, size_t offset,
                    const struct caf_strides *to_strides, const void *from,
                    const struct caf_strides *from_strides, const struct caf_shape *shape)
{
    int code = check_section("PUT", to, image, offset, to_strides, shape);
    if (code)
        return code;
    if (is_memory(image)) {
        struct section section;
        section_make(&section, shape, to_strides, from_strides);
        section_copy(&section, near_address(to, image, offset), from);
        return CAF_OK;
    }
    struct far_section section = {
        .is_put = true, .coarray = to, .image = image, .offset = offset, .local = (char *)from};
    return transfer_section(&section, shape, to_strides, from_strides);
}

int caf_get_section(void *to, const struct caf_strides *to_strides, struct caf_coarray *from,
                    int image, size_t offset, const struct caf_strides *from_strides,
                    const struct caf_shape *shape)
{
    int code = check_section("GET", from, image, offset, from_strides, shape);
    if (code)
        return code;
    if (is_memory(image)) {
        struct section section;
        section_make(&section, shape, to_strides, from_strides);
        section_copy(&section, to, near_address(from, image, offset));
        return CAF_OK;
    }
    struct far_section section = {.coarray = from, .image = image, .offset = offset, .local = to};
    return transfer_section(&section, shape, from_strides, to_strides);
}
