/* section.h: copying sections of arrays of any rank.
 *
 * A section is first made as simple as can be: dimensions of one element vanish, dimensions that
 * follow one another in both memories become one, an inner dimension that is contiguous in both
 * becomes a longer element. What is left is copied with loops for elements of 1, 2, 4, 8, 16
 * bytes or any. */
#ifndef COARRAYS_CAF_SECTION_H
#define COARRAYS_CAF_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/coarrays.h>

struct section {
    int rank; /* 0: one piece of element_bytes */
    size_t element_bytes;
    size_t count[CAF_MAX_RANK];
    ptrdiff_t to[CAF_MAX_RANK], from[CAF_MAX_RANK]; /* strides in bytes */
};

/* The simplest section that says the same. count 0 in any dimension gives rank 1, count[0] == 0. */
void section_make(struct section *section, const struct caf_shape *shape,
                  const struct caf_strides *to, const struct caf_strides *from);

/* The same, where a copy of the description does not matter. */
static inline struct section section_simplify(const struct caf_shape *shape,
                                              const struct caf_strides *to,
                                              const struct caf_strides *from)
{
    struct section section;
    section_make(&section, shape, to, from);
    return section;
}

void section_copy(const struct section *section, void *to, const void *from);

/* Bytes that the section holds. */
size_t section_bytes(const struct caf_shape *shape);

/* Strides of the same shape without gaps, as it is packed. */
struct caf_strides section_packed(const struct caf_shape *shape);

/* The lowest byte, relative to the first element's, and one past the highest that the section
 * touches. False if that does not fit into ptrdiff_t, or the shape is senseless (rank, overflow).
 */
bool section_extent(const struct caf_shape *shape, const struct caf_strides *strides,
                    ptrdiff_t *low, ptrdiff_t *high);

#endif
