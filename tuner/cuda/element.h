/* element.h: the types of a kernel's arguments. */
#ifndef TUNER_CUDA_ELEMENT_H
#define TUNER_CUDA_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct element {
    const char *name;
    size_t bytes;
    enum { ELEMENT_REAL, ELEMENT_SIGNED, ELEMENT_UNSIGNED } kind;
};

/* Ended by one without a name. */
extern const struct element elements[];

/* The element of that name (its first `length` letters), or NULL. */
const struct element *element_of(const char *name, size_t length);

/* Element `place` of an array as a number; a whole number beyond 2^53 is rounded. */
double element_get(const struct element *element, const void *array, size_t place);
void element_set(const struct element *element, void *array, size_t place, double value);

/* A number as text into one element; false if it is none or does not fit. */
bool element_read(const struct element *element, const char *text, void *value);

#endif
