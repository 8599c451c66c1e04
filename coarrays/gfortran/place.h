/* place.h: the elements of an image's memory that a reference means. */
#ifndef COARRAYS_GFORTRAN_PLACE_H
#define COARRAYS_GFORTRAN_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "descriptor.h"

enum place_state {
    PLACE_FOUND,
    PLACE_UNALLOCATED, /* the way ends at a component that is not allocated, or a null pointer */
    PLACE_ELSEWHERE    /* at a pointer's target that is no component, on another node */
};

/* The elements meant: a section, or with vector subscripts a set without regular distances. */
struct place {
    int image;
    enum place_state state; /* what follows is complete if it is PLACE_FOUND */
    struct caf_coarray
        *coarray; /* NULL: foreign memory (foreign.h), and the offset is an address */
    /* Of the first element; with vectors, of where their distances count from. */
    size_t offset;
    struct caf_shape shape;
    struct caf_strides strides;
    /* The elements' distances in bytes along a dimension; NULL: they have the stride. */
    ptrdiff_t *vector[CAF_MAX_RANK];
    int vectors; /* dimensions that have some */
};

/* CAF_BAD_ARGUMENT with a sentence unless the place was found. */
enum dm_status place_need(const struct place *place);

void place_free(struct place *place);

/* Where the place lies in this image's memory; its image is this one. */
static inline void *place_address(const struct place *place)
{
    return (place->coarray ? (char *)caf_memory(place->coarray) : NULL) + place->offset;
}

/* So many bytes from its first element on. */
enum dm_status place_get_bytes(const struct place *place, void *to, size_t bytes);

/* Moves all elements of the place to or from local memory with these strides. */
enum dm_status place_get(const struct place *place, void *to, const struct caf_strides *to_strides);
enum dm_status place_put(const struct place *place, const void *from,
                         const struct caf_strides *from_strides);

#endif
