#include "buffered.h"

#include <stdlib.h>

#include "coarrays/caf/error.h"

#include "status.h"

/* Small transfers need no allocation. */
enum { SMALL_BYTES = 256 };
struct buffer {
    char *memory;
    char small[SMALL_BYTES];
};

static enum dm_status buffer_start(struct buffer *buffer, size_t count, size_t element_bytes)
{
    size_t bytes;
    bool fits = !__builtin_mul_overflow(count, element_bytes, &bytes);
    buffer->memory = fits && bytes <= sizeof buffer->small ? buffer->small : NULL;
    if (fits && !buffer->memory)
        buffer->memory = malloc(bytes);
    if (buffer->memory)
        return DM_OK;
    return dm_fail(DM_NO_MEMORY,
                   "a transfer through a buffer: no memory for %zu elements of "
                   "%zu bytes",
                   count, element_bytes);
}

static void buffer_end(struct buffer *buffer)
{
    if (buffer->memory != buffer->small)
        free(buffer->memory);
}

static struct caf_strides packed_strides(const struct caf_shape *shape, size_t element_bytes)
{
    struct caf_strides strides = {{0}};
    ptrdiff_t stride = (ptrdiff_t)element_bytes;
    for (int d = 0; d < shape->rank; d++) {
        strides.stride[d] = stride;
        stride *= (ptrdiff_t)shape->count[d];
    }
    return strides;
}

static void need_conversion(struct element to, struct element from)
{
    if (!convert_possible(to, from))
        status_fatal("there is no conversion from type %d, kind %d, %zu bytes to type %d, kind "
                     "%d, %zu bytes",
                     from.type, from.kind, from.bytes, to.type, to.kind, to.bytes);
}

static void need_equal_counts(size_t a, size_t b)
{
    if (a != b)
        status_fatal(
            "an assignment between %zu and %zu elements, perhaps because of " REMOTE_STRIDED_VECTOR,
            a, b);
}

/* Nothing is to be transferred, but there has to be such an image. */
static enum dm_status touch(const struct remote *remote)
{
    char nothing;
    return caf_get(&nothing, remote->coarray, remote->image, 0, 0);
}

enum dm_status get_buffered(const struct remote *from, struct element from_element,
                            const struct descriptor *to, struct element to_element)
{
    need_conversion(to_element, from_element);
    if (descriptor_count(to) == 0)
        return touch(from);
    size_t count = remote_count(from);
    if (from->array->type.rank > 0)
        need_equal_counts(descriptor_count(to), count);
    struct buffer buffer;
    TRY(buffer_start(&buffer, count, from_element.bytes));
    enum dm_status status = remote_read(from, buffer.memory);
    if (status == DM_OK) {
        struct caf_shape shape = descriptor_shape(to);
        struct caf_strides to_strides = descriptor_strides(to, shape.rank);
        struct caf_strides from_strides = from->array->type.rank > 0
                                              ? packed_strides(&shape, from_element.bytes)
                                              : descriptor_strides(from->array, shape.rank);
        convert_array(&shape, to->base, &to_strides, to_element, buffer.memory, &from_strides,
                      from_element);
    }
    buffer_end(&buffer);
    return status;
}

enum dm_status send_buffered(const struct remote *to, struct element to_element,
                             const struct descriptor *from, struct element from_element)
{
    need_conversion(to_element, from_element);
    size_t count = descriptor_count(from), to_count = count > 0 ? remote_count(to) : 0;
    if (to_count == 0)
        return touch(to);
    if (from->type.rank > 0)
        need_equal_counts(to_count, count);
    struct buffer buffer;
    TRY(buffer_start(&buffer, count, to_element.bytes));
    struct caf_shape shape = descriptor_shape(from);
    struct caf_strides to_strides = packed_strides(&shape, to_element.bytes);
    struct caf_strides from_strides = descriptor_strides(from, shape.rank);
    convert_array(&shape, buffer.memory, &to_strides, to_element, from->base, &from_strides,
                  from_element);
    enum dm_status status =
        remote_write(to, buffer.memory, from->type.rank > 0 ? (ptrdiff_t)to_element.bytes : 0);
    buffer_end(&buffer);
    return status;
}

enum dm_status sendget_buffered(const struct remote *to, struct element to_element,
                                const struct remote *from, struct element from_element)
{
    need_conversion(to_element, from_element);
    bool scalar = from->array->type.rank == 0;
    size_t count = remote_count(from), to_count = remote_count(to);
    enum dm_status status = touch(to);
    if (status != DM_OK || to_count == 0)
        return status != DM_OK ? status : touch(from);
    if (!scalar)
        need_equal_counts(to_count, count);
    struct buffer buffer;
    TRY(buffer_start(&buffer, count, from_element.bytes + to_element.bytes));
    char *converted = buffer.memory + count * from_element.bytes;
    status = remote_read(from, buffer.memory);
    if (status == DM_OK) {
        convert(converted, (ptrdiff_t)to_element.bytes, to_element, buffer.memory,
                (ptrdiff_t)from_element.bytes, from_element, count);
        status = remote_write(to, converted, scalar ? 0 : (ptrdiff_t)to_element.bytes);
    }
    buffer_end(&buffer);
    return status;
}

enum dm_status get_scalar(const struct remote *from, struct element from_element,
                          const struct descriptor *to, struct element to_element)
{
    char buffer[SMALL_BYTES];
    if (from_element.bytes > sizeof buffer)
        return get_buffered(from, from_element, to, to_element);
    need_conversion(to_element, from_element);
    enum dm_status status =
        caf_get(buffer, from->coarray, from->image, from->offset, from_element.bytes);
    if (status == DM_OK)
        convert(to->base, 0, to_element, buffer, 0, from_element, 1);
    return status;
}

enum dm_status send_scalar(const struct remote *to, struct element to_element,
                           const struct descriptor *from, struct element from_element)
{
    char buffer[SMALL_BYTES];
    if (to_element.bytes > sizeof buffer)
        return send_buffered(to, to_element, from, from_element);
    need_conversion(to_element, from_element);
    convert(buffer, 0, to_element, from->base, 0, from_element, 1);
    return caf_put(to->coarray, to->image, to->offset, buffer, to_element.bytes);
}
