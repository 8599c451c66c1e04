/* reallocate.h: the left side of an assignment takes the shape of the right one, if it is
 * allocatable and has another shape or none. */
#ifndef COARRAYS_GFORTRAN_REALLOCATE_H
#define COARRAYS_GFORTRAN_REALLOCATE_H

#include "convert.h"
#include "descriptor.h"

/* A local array that is no coarray. A scalar right side changes nothing. CAF_BAD_ARGUMENT for a
 * coarray, which assignment may not reallocate. Lower bounds become 1. */
enum dm_status reallocate_array(struct descriptor *array, const struct caf_shape *shape);

/* The allocatable component of this image that the chain ends with, if all of it is meant; else
 * nothing is done. */
enum dm_status reallocate_component(void *token, struct reference *references,
                                    const struct caf_shape *shape, struct element element);

#endif
