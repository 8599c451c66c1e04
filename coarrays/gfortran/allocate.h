/* allocate.h: which memory belongs to coarrays that programs have registered. */
#ifndef COARRAYS_GFORTRAN_ALLOCATE_H
#define COARRAYS_GFORTRAN_ALLOCATE_H

#include <stdbool.h>

/* The address lies in this image's own part of a coarray that is registered and not yet freed. */
bool coarray_holds(const void *address);

#endif
