/* elements.h: an array's elements without gaps, where they are or as a copy. */
#ifndef COARRAYS_GFORTRAN_ELEMENTS_H
#define COARRAYS_GFORTRAN_ELEMENTS_H

#include "descriptor.h"

struct elements {
    const struct descriptor *array;
    void *data;
    size_t count, bytes; /* bytes: of all */
};

/* Error stop if there is no memory for a copy: the images that wait for this one in a collective
 * could not go on. */
struct elements elements_open(const struct descriptor *array);

/* Puts a copy back into the array. */
void elements_close(struct elements *elements);

#endif
