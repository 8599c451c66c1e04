/* descriptor.h: what GNU Fortran 12 passes to a coarray library: array descriptors, vector
 * subscripts, references to components. The layouts are the compiler's (its manual, "Function ABI
 * Documentation"); the names are ours. */
#ifndef COARRAYS_GFORTRAN_DESCRIPTOR_H
#define COARRAYS_GFORTRAN_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/coarrays.h>

enum basic_type {
    TYPE_UNKNOWN,
    TYPE_INTEGER,
    TYPE_LOGICAL,
    TYPE_REAL,
    TYPE_COMPLEX,
    TYPE_DERIVED,
    TYPE_CHARACTER,
    TYPE_CLASS,
    TYPE_PROCEDURE,
    TYPE_HOLLERITH,
    TYPE_VOID, /* locks and events */
    TYPE_ASSUMED
};

/* One dimension; the stride counts spans. lower > upper: no elements. */
struct dimension {
    ptrdiff_t stride, lower, upper;
};

/* An array, or with rank 0 a scalar. The first element is at `base`. Of an allocatable coarray, a
 * token follows the dimensions and codimensions. */
struct descriptor {
    void *base;
    size_t offset; /* the compiler's own */
    struct {
        size_t element_bytes;
        int version;
        signed char rank, type;
        signed short attribute;
    } type;
    ptrdiff_t
        span; /* bytes between elements of stride 1: more than element_bytes for a component */
    struct dimension dimension[];
};

/* One dimension of a subscript list that holds a vector. All numbers count from the declared lower
 * bound, which is the descriptor's. */
struct subscript {
    size_t count; /* of the vector; 0: a range */
    union {
        struct {
            const void *values;
            int kind;
        } vector;
        struct {
            ptrdiff_t first, last, step;
        } range;
    };
};

enum reference_type { REFERENCE_COMPONENT, REFERENCE_ARRAY, REFERENCE_STATIC_ARRAY };

enum reference_mode {
    REFERENCE_NONE, /* ends the dimensions */
    REFERENCE_VECTOR,
    REFERENCE_FULL,      /* (:) */
    REFERENCE_RANGE,     /* (first:last:step) */
    REFERENCE_SINGLE,    /* (first) */
    REFERENCE_OPEN_END,  /* (first::step) */
    REFERENCE_OPEN_START /* (:last:step) */
};

/* One step of a[i]%b(1:3)%c: a list, from the coarray to what is meant. */
struct reference {
    struct reference *next;
    int type;          /* enum reference_type */
    size_t item_bytes; /* of an element of this array, or of this component */
    union {
        struct {
            ptrdiff_t offset;
            ptrdiff_t token_offset; /* of the component's token; 0: not allocatable */
        } component;
        struct {
            unsigned char mode[CAF_MAX_RANK]; /* enum reference_mode */
            int static_type;                  /* enum basic_type, of a static array */
            union {
                struct {
                    ptrdiff_t first, last, step;
                } range;
                struct {
                    void *values;
                    size_t count;
                    int kind;
                } vector;
            } dimension[CAF_MAX_RANK];
        } array;
    };
};

/* Bytes between neighbours along a dimension. */
static inline ptrdiff_t descriptor_stride(const struct descriptor *array, int dimension)
{
    ptrdiff_t span = array->span != 0 ? array->span : (ptrdiff_t)array->type.element_bytes;
    return array->dimension[dimension].stride * span;
}

static inline size_t descriptor_extent(const struct descriptor *array, int dimension)
{
    ptrdiff_t extent = array->dimension[dimension].upper - array->dimension[dimension].lower + 1;
    return extent > 0 ? (size_t)extent : 0;
}

/* Elements of the array; 1 of a scalar. */
static inline size_t descriptor_count(const struct descriptor *array)
{
    size_t count = 1;
    for (int d = 0; d < array->type.rank; d++)
        count *= descriptor_extent(array, d);
    return count;
}

static inline struct caf_shape descriptor_shape(const struct descriptor *array)
{
    struct caf_shape shape;
    shape.rank = array->type.rank;
    shape.element_bytes = array->type.element_bytes;
    for (int d = 0; d < shape.rank; d++)
        shape.count[d] = descriptor_extent(array, d);
    return shape;
}

/* Strides in bytes for a shape of `rank` dimensions. A scalar has strides of 0 in all of them: it
 * is assigned to, or read for, every element. */
static inline struct caf_strides descriptor_strides(const struct descriptor *array, int rank)
{
    struct caf_strides strides = {{0}};
    for (int d = 0; d < rank; d++)
        strides.stride[d] = d < array->type.rank ? descriptor_stride(array, d) : 0;
    return strides;
}

#endif
