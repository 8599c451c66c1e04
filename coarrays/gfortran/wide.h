/* wide.h: reals of 16 bytes. The compiler passes kinds 10 and 16 alike. */
#ifndef COARRAYS_GFORTRAN_WIDE_H
#define COARRAYS_GFORTRAN_WIDE_H

#include "elements.h"
#include "operation.h"

/* Whether the array consists of such reals, or of complex numbers of two. */
bool wide_is(const struct descriptor *array);

/* Sum, minimum or maximum of reals, sum of complex numbers. Collective: all images tell which kind
 * their numbers can be of. */
enum dm_status wide_reduce(enum operation_kind kind, struct elements *elements, int result_image);

#endif
