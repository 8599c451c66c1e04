/* assignment.h: between this image's memory and the elements that a reference means. */
#ifndef COARRAYS_GFORTRAN_ASSIGNMENT_H
#define COARRAYS_GFORTRAN_ASSIGNMENT_H

#include "convert.h"
#include "place.h"

/* One side of an assignment in this image's memory. */
struct local {
    void *first;
    struct caf_strides strides;
    struct element element;
};

bool assignment_equal_shapes(const struct caf_shape *a, const struct caf_shape *b);

/* CAF_BAD_ARGUMENT unless the shapes are equal or `from` is that of a scalar, which is assigned to
 * every element. `image` is named in the sentence. */
enum dm_status assignment_check(const struct caf_shape *to, const struct caf_shape *from,
                                int image);

/* Room for what has this shape, without gaps. After DM_OK, free(buffer->first). */
enum dm_status assignment_buffer(struct caf_shape shape, struct element element,
                                 struct local *buffer);

/* Both need shapes that have been checked; `shape` is that of the local side. Elements of equal
 * type go in one section call; what needs a conversion, and what may overlap, through a buffer. */
enum dm_status assignment_get(const struct local *to, const struct caf_shape *shape,
                              const struct place *from, struct element from_element);
enum dm_status assignment_put(const struct place *to, struct element to_element,
                              const struct local *from, const struct caf_shape *shape);

#endif
