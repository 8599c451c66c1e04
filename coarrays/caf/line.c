/* Elements in a line, the most frequent section: within a node a loop, without what sections of any
 * rank need. */
#include "near.h"
#include "section.h"

/* False also if there is no such image or the line leaves the coarray: a call with a section tells
 * that. */
static bool is_near_line(const struct caf_coarray *coarray, int image, size_t offset,
                         ptrdiff_t stride, size_t count, size_t element_bytes)
{
    ptrdiff_t distance, last;
    if (!coarray || count == 0 || count > PTRDIFF_MAX || !is_image(image) || !is_direct(image))
        return false;
    return !__builtin_mul_overflow((ptrdiff_t)count - 1, stride, &distance) &&
           !__builtin_add_overflow(offset, distance, &last) && last >= 0 &&
           element_bytes <= coarray->bytes && (size_t)last <= coarray->bytes - element_bytes &&
           offset <= coarray->bytes - element_bytes;
}

static struct caf_shape shape_of(size_t count, size_t element_bytes)
{
    return (struct caf_shape){.rank = 1, .element_bytes = element_bytes, .count = {count}};
}

enum dm_status caf_put_line(struct caf_coarray *to, int image, size_t offset, ptrdiff_t to_stride,
                            const void *from, ptrdiff_t from_stride, size_t count,
                            size_t element_bytes)
{
    if (is_near_line(to, image, offset, to_stride, count, element_bytes)) {
        struct section line;
        line.rank = 1;
        line.element_bytes = element_bytes;
        line.count[0] = count;
        line.to[0] = to_stride;
        line.from[0] = from_stride;
        return put_near(to, image, offset, &line, from);
    }
    struct caf_shape shape = shape_of(count, element_bytes);
    return caf_put_section(to, image, offset, &(struct caf_strides){{to_stride}}, from,
                           &(struct caf_strides){{from_stride}}, &shape);
}

enum dm_status caf_get_line(void *to, ptrdiff_t to_stride, struct caf_coarray *from, int image,
                            size_t offset, ptrdiff_t from_stride, size_t count,
                            size_t element_bytes)
{
    if (is_near_line(from, image, offset, from_stride, count, element_bytes)) {
        struct section line;
        line.rank = 1;
        line.element_bytes = element_bytes;
        line.count[0] = count;
        line.to[0] = to_stride;
        line.from[0] = from_stride;
        return get_near(to, from, image, offset, &line);
    }
    struct caf_shape shape = shape_of(count, element_bytes);
    return caf_get_section(to, &(struct caf_strides){{to_stride}}, from, image, offset,
                           &(struct caf_strides){{from_stride}}, &shape);
}
