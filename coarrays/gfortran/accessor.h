/* accessor.h: procedures that GNU Fortran 15 and later make of each reference to another image's
 * coarray, such as x(v)[k]%a(2:n), and hand to the library, to be executed where that image's
 * memory can be reached: within a node by the image that refers, between nodes by the one referred
 * to. What the reference needs besides the coarray (v, n) is `added`. */
#ifndef COARRAYS_GFORTRAN_ACCESSOR_H
#define COARRAYS_GFORTRAN_ACCESSOR_H

#include <stddef.h>
#include <stdint.h>

/* `object` is the coarray: its descriptor, or without one its memory; of characters with a length.
 *
 * Gets: of an array *to is a descriptor, into whose memory the elements are copied; without memory,
 * or with another shape, it gets some by malloc. Of a scalar *to becomes a pointer to it. *made:
 * the memory of `to` was made by the procedure. */
typedef void accessor_get(void *added, const int *caller, void *to, int32_t *made, void *object,
                          void *token, size_t offset, size_t *to_length,
                          const size_t *object_length);

/* Puts: `from` is a descriptor or the address of a scalar. */
typedef void accessor_put(void *added, const int *caller, void *object, const void *from,
                          void *token, size_t offset, const size_t *object_length,
                          const size_t *from_length);

/* Whether it is allocated. */
typedef void accessor_present(void *added, const int *caller, int32_t *is_present, void *object,
                              void *token, size_t offset);

/* The procedure of that index, the same on all images of a program: cast to what it is. */
typedef void accessor(void);
accessor *accessor_of(int index);

#endif
