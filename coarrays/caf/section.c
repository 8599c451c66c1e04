#include "section.h"

/* ---- shapes ---- */

size_t section_bytes(const struct caf_shape *shape)
{
    size_t bytes = shape->element_bytes;
    for (int d = 0; d < shape->rank; d++)
        bytes *= shape->count[d];
    return bytes;
}

struct caf_strides section_packed(const struct caf_shape *shape)
{
    struct caf_strides packed;
    size_t stride = shape->element_bytes;
    for (int d = 0; d < shape->rank; d++) {
        packed.stride[d] = (ptrdiff_t)stride;
        stride *= shape->count[d];
    }
    return packed;
}

static bool is_empty(const struct caf_shape *shape)
{
    for (int d = 0; d < shape->rank; d++)
        if (shape->count[d] == 0)
            return true;
    return shape->element_bytes == 0;
}

bool section_extent(const struct caf_shape *shape, const struct caf_strides *strides,
                    ptrdiff_t *low, ptrdiff_t *high)
{
    *low = *high = 0;
    if (shape->rank < 0 || shape->rank > CAF_MAX_RANK)
        return false;
    if (is_empty(shape))
        return true;
    ptrdiff_t bytes, length;
    if (__builtin_add_overflow(shape->element_bytes, 0, &bytes))
        return false;
    *high = bytes;
    for (int d = 0; d < shape->rank; d++) {
        ptrdiff_t *end = strides->stride[d] < 0 ? low : high;
        if (__builtin_mul_overflow(bytes, shape->count[d], &bytes) ||
            __builtin_mul_overflow(shape->count[d] - 1, strides->stride[d], &length) ||
            __builtin_add_overflow(*end, length, end))
            return false;
    }
    return true;
}

/* ---- simplification ---- */

static size_t distance(ptrdiff_t stride)
{
    return stride < 0 ? 0 - (size_t)stride : (size_t)stride;
}

/* Orders the dimensions by their distance in the target, then in the source. The order in which
 * elements are copied means nothing, and neighbours in memory may then become one. */
static bool is_inner(const struct section *section, int a, int b)
{
    size_t to_a = distance(section->to[a]), to_b = distance(section->to[b]);
    return to_a != to_b ? to_a < to_b : distance(section->from[a]) < distance(section->from[b]);
}

static void swap_dimensions(struct section *section, int a, int b)
{
    size_t count = section->count[a];
    ptrdiff_t to = section->to[a], from = section->from[a];
    section->count[a] = section->count[b];
    section->to[a] = section->to[b];
    section->from[a] = section->from[b];
    section->count[b] = count;
    section->to[b] = to;
    section->from[b] = from;
}

static void sort_dimensions(struct section *section)
{
    for (int last = 1; last < section->rank; last++)
        for (int d = last; d > 0 && is_inner(section, d, d - 1); d--)
            swap_dimensions(section, d, d - 1);
}

/* Whether dimension `outer` continues dimension `inner` in both memories. */
static bool continues(const struct section *section, int outer, int inner)
{
    ptrdiff_t count = (ptrdiff_t)section->count[inner];
    return section->to[outer] == section->to[inner] * count &&
           section->from[outer] == section->from[inner] * count;
}

static void join_dimensions(struct section *section)
{
    int last = -1;
    for (int d = 0; d < section->rank; d++) {
        ptrdiff_t bytes = (ptrdiff_t)section->element_bytes;
        if (last < 0 && section->to[d] == bytes && section->from[d] == bytes) {
            section->element_bytes *= section->count[d];
        } else if (last >= 0 && continues(section, d, last)) {
            section->count[last] *= section->count[d];
        } else {
            last++;
            section->count[last] = section->count[d];
            section->to[last] = section->to[d];
            section->from[last] = section->from[d];
        }
    }
    section->rank = last + 1;
}

void section_make(struct section *section, const struct caf_shape *shape,
                  const struct caf_strides *to, const struct caf_strides *from)
{
    section->rank = 0;
    section->element_bytes = shape->element_bytes;
    if (is_empty(shape)) {
        section->rank = 1;
        section->count[0] = 0;
        section->to[0] = section->from[0] = 0;
        return;
    }
    for (int d = 0; d < shape->rank; d++)
        if (shape->count[d] > 1) {
            section->count[section->rank] = shape->count[d];
            section->to[section->rank] = to->stride[d];
            section->from[section->rank] = from->stride[d];
            section->rank++;
        }
    if (section->rank > 1)
        sort_dimensions(section);
    join_dimensions(section);
}
