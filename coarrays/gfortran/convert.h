/* convert.h: intrinsic assignment between elements of different type, kind or length. */
#ifndef COARRAYS_GFORTRAN_CONVERT_H
#define COARRAYS_GFORTRAN_CONVERT_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/coarrays.h>

/* What an element is. Bytes tell more than the kind for characters (their length) and derived
 * types (kind 0). */
struct element {
    int type; /* enum basic_type */
    int kind;
    size_t bytes;
};

/* Assignment is a copy of bytes. */
static inline bool element_equal(struct element a, struct element b)
{
    return a.bytes == b.bytes && a.type == b.type && a.kind == b.kind;
}

/* Whether Fortran can assign one to the other: equal ones, numbers of any kind, logicals of any
 * kind, characters of kinds 1 and 4 and any length. */
bool convert_possible(struct element to, struct element from);

/* Assigns `count` elements that lie `to_stride` and `from_stride` bytes apart (any sign; 0 reads
 * one element for all). Memory may not overlap. Integers that do not fit are cut off as C does;
 * characters are padded with blanks or cut off, and one that kind 1 does not have becomes '?'.
 * convert_possible() must be true. */
void convert(void *to, ptrdiff_t to_stride, struct element to_element, const void *from,
             ptrdiff_t from_stride, struct element from_element, size_t count);

/* The same for arrays of a shape, whose own element_bytes is not used. */
void convert_array(const struct caf_shape *shape, void *to, const struct caf_strides *to_strides,
                   struct element to_element, const void *from,
                   const struct caf_strides *from_strides, struct element from_element);

#endif
