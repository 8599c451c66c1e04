/* allocate.h: host memory of this library's objects. */
#ifndef TUNER_ALLOCATE_H
#define TUNER_ALLOCATE_H

#include <stddef.h>

/* Zeroed memory for `count` elements, none too; NULL with the sentence of DM_NO_MEMORY. */
void *allocate(size_t count, size_t element_bytes);

/* A copy of `count` elements, or NULL likewise. */
void *allocate_copy(const void *source, size_t count, size_t element_bytes);

#endif
