/* access.h: a reference to another image's coarray, as GNU Fortran 15 and later pass it. */
#ifndef COARRAYS_GFORTRAN_ACCESS_H
#define COARRAYS_GFORTRAN_ACCESS_H

#include <stdbool.h>

#include "accessor.h"
#include "descriptor.h"

/* With room for the dimensions of any array. */
struct any_descriptor {
    struct descriptor header;
    struct dimension dimension[CAF_MAX_RANK];
};

struct access {
    struct caf_coarray *coarray;
    size_t offset;   /* of the object in it, where that has no descriptor */
    void *evaluated; /* by this image, and the object in the place of a coarray; else NULL */
    bool is_served;  /* for another image, whose memory cannot be reached */
    int image;
    int accessor; /* index */
    void *added;
    size_t added_bytes;
    const struct descriptor *array; /* the coarray's on this image; NULL: it has none */
    const size_t *length;           /* of its characters; NULL: none */
    bool by_pointer;                /* allocated() takes the address of a scalar's pointer */
};

/* The other side, in this image's own memory. */
struct values {
    struct descriptor *array; /* NULL: a scalar */
    void *scalar;
    size_t scalar_bytes; /* in all */
    bool at_most;        /* the scalar may have fewer bytes: the compiler did not say how many */
    size_t *length;      /* of characters */
};

/* The copy: that of an array of at most CAF_MAX_RANK dimensions. */
void descriptor_copy(struct any_descriptor *copy, const struct descriptor *array);

/* The same elements without gaps in `memory`. */
void descriptor_pack(struct any_descriptor *packed, const struct descriptor *array, void *memory);

static inline size_t descriptor_bytes(const struct descriptor *array)
{
    return descriptor_count(array) * array->type.element_bytes;
}

/* ---- on an image whose memory this one can reach; `caller` is an index in the current team ----
 */

void access_get_array(const struct access *access, int image, int caller, struct values *to);

/* Where the scalar is: in the image's memory, or if *made in memory to be freed. */
void *access_find_scalar(const struct access *access, int image, int caller, size_t *length,
                         int32_t *made);
/* How many bytes of it can be read, where it may have fewer than `wanted`. */
size_t access_scalar_bytes(const struct access *access, int image, const void *scalar, int32_t made,
                           size_t wanted);

void access_put(const struct access *access, int image, int caller, const struct values *from);

int32_t access_is_present(const struct access *access, int image, int caller);

/* ---- by message to the image (access_far.c) ---- */

/* As the procedure leaves it: an array without memory gets some by malloc. */
enum dm_status access_get_far(const struct access *access, struct values *to);
enum dm_status access_put_far(const struct access *access, const struct values *from);
enum dm_status access_is_present_far(const struct access *access, int32_t *is_present);

/* Before the first message can come. */
void access_start(void);

#endif
