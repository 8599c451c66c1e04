/* remote.h: the side of an assignment that lies in an image's coarray, as a whole: with its vector
 * subscripts, from or to a buffer that holds its elements in array element order without gaps. */
#ifndef COARRAYS_GFORTRAN_REMOTE_H
#define COARRAYS_GFORTRAN_REMOTE_H

#include "descriptor.h"

struct remote {
    struct caf_coarray *coarray;
    int image;
    size_t offset; /* of the array's first element in the coarray */
    const struct descriptor *array;
    const struct subscript *subscripts; /* NULL, or one per dimension */
};

/* GNU Fortran 12 passes a vector that is a section with a stride without that stride, and divides
 * its length by it. This is said where it is noticed. */
#define REMOTE_STRIDED_VECTOR                                                                      \
    "a vector subscript that is itself a section with a stride: this compiler passes it without "  \
    "the stride; copy it into a variable"

/* Elements that are meant. */
size_t remote_count(const struct remote *remote);

/* remote_count() is not 0. A vector subscript is cut into runs of equal
 * step, and each combination of runs is one section: 1, 2, 3, 7, 9 are two runs. */
enum dm_status remote_read(const struct remote *remote, void *packed);

/* element_stride: bytes between elements in the buffer; 0: all get the same one. */
enum dm_status remote_write(const struct remote *remote, const void *packed,
                            ptrdiff_t element_stride);

#endif
