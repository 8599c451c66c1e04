/* access_near.c: the procedures of references, executed on memory that this image can reach. */
#include <malloc.h>
#include <string.h>

#include "coarrays/caf/memory.h"
#include "coarrays/caf/section.h"

#include "access.h"
#include "allocate.h"
#include "component.h"
#include "token.h"

void descriptor_copy(struct any_descriptor *copy, const struct descriptor *array)
{
    size_t dimensions = (size_t)array->type.rank * sizeof *array->dimension;
    memcpy(&copy->header, array, sizeof *array);
    memcpy(copy->dimension, array->dimension, dimensions);
}

void descriptor_pack(struct any_descriptor *packed, const struct descriptor *array, void *memory)
{
    struct caf_shape shape = descriptor_shape(array);
    struct caf_strides from = descriptor_strides(array, shape.rank), to = section_packed(&shape);
    struct section section = section_simplify(&shape, &to, &from);
    section_copy(&section, memory, array->base);
    descriptor_copy(packed, array);
    packed->header.base = memory;
    packed->header.span = (ptrdiff_t)shape.element_bytes;
    packed->header.offset = 0;
    ptrdiff_t stride = 1;
    for (int d = 0; d < shape.rank; d++) {
        packed->dimension[d].stride = stride;
        packed->header.offset -= (size_t)(packed->dimension[d].lower * stride);
        stride *= (ptrdiff_t)shape.count[d];
    }
}

/* Distances from the beginning of a coarray are the same on all images. */
static void *object_of(const struct access *access, int image, struct any_descriptor *copy)
{
    if (access->evaluated)
        return access->evaluated;
    char *memory = near_address(access->coarray, image, 0);
    if (!access->array)
        return memory + access->offset;
    descriptor_copy(copy, access->array);
    copy->header.base =
        memory + ((char *)access->array->base - (char *)caf_memory(access->coarray));
    return copy;
}

/* By which the procedure reads what was evaluated for it: it is part of what is added. */
static caf_token token_for(const struct access *access)
{
    return token_of_evaluated(access->is_served ? NULL : access->added);
}

void access_get_array(const struct access *access, int image, int caller, struct values *to)
{
    struct any_descriptor copy;
    int32_t made = 0;
    void *object = object_of(access, image, &copy);
    ((accessor_get *)accessor_of(access->accessor))(access->added, &caller, to->array, &made,
                                                    object, token_for(access), 0, to->length,
                                                    access->length);
}

void *access_find_scalar(const struct access *access, int image, int caller, size_t *length,
                         int32_t *made)
{
    struct any_descriptor copy;
    void *scalar = NULL, *object = object_of(access, image, &copy);
    *made = 0;
    ((accessor_get *)accessor_of(access->accessor))(access->added, &caller, &scalar, made, object,
                                                    token_for(access), 0, length, access->length);
    return scalar;
}

size_t access_scalar_bytes(const struct access *access, int image, const void *scalar, int32_t made,
                           size_t wanted)
{
    const char *begin = near_address(access->coarray, image, 0);
    const char *end = begin + caf_size(access->coarray), *at = scalar;
    size_t left = made                      ? malloc_usable_size((void *)scalar)
                  : at >= begin && at < end ? (size_t)(end - at)
                                            : component_bytes_from(image, at);
    return left < wanted ? left : wanted;
}

/* The length of the object's characters comes before that of the values, but only where the coarray
 * itself is of characters, and not where a component of it is. */
void access_put(const struct access *access, int image, int caller, const struct values *from)
{
    struct any_descriptor copy;
    void *object = object_of(access, image, &copy);
    const void *source = from->array ? (const void *)from->array : from->scalar;
    bool has_length = access->length && coarray_is_of_characters(access->coarray);
    ((accessor_put *)accessor_of(access->accessor))(
        access->added, &caller, object, source, token_for(access), 0,
        has_length ? access->length : from->length, from->length);
}

/* Of an allocatable array the procedure takes the descriptor, of an allocatable scalar the address
 * of its pointer, of others that of the memory. */
int32_t access_is_present(const struct access *access, int image, int caller)
{
    struct any_descriptor copy;
    struct access meant = *access;
    int32_t is_present = 0;
    enum registered_kind kind = coarray_kind(access->coarray);
    meant.array = kind == REGISTERED_ARRAY ? caf_owner(access->coarray) : NULL;
    void *object = object_of(&meant, image, &copy);
    bool by_pointer = access->by_pointer && kind == REGISTERED_SCALAR;
    ((accessor_present *)accessor_of(access->accessor))(access->added, &caller, &is_present,
                                                        by_pointer ? (void *)&object : object,
                                                        token_for(access), 0);
    return is_present;
}
