/* convert.c: assignment between elements of different type, kind or length. For numbers there is
 * one loop per pair of kinds; a complex number is a pair of reals, a logical is an integer. */
#include "convert.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "descriptor.h"

typedef int8_t integer1;
typedef int16_t integer2;
typedef int32_t integer4;
typedef int64_t integer8;
typedef __int128 integer16;
typedef float real4;
typedef double real8;
/* Kind 10 is the x87's; elsewhere long double is kind 16. */
typedef long double real10;
#if LDBL_MANT_DIG == 64
typedef __float128 real16;
#else
typedef long double real16;
#endif

/* Elements of derived types need not be aligned, hence memcpy. */
#define LOOP(TO, FROM)                                                                             \
    static void TO##_from_##FROM(char *to, ptrdiff_t to_stride, const char *from,                  \
                                 ptrdiff_t from_stride, size_t count)                              \
    {                                                                                              \
        for (size_t i = 0; i < count; i++, to += to_stride, from += from_stride) {                 \
            FROM value;                                                                            \
            memcpy(&value, from, sizeof value);                                                    \
            TO converted = (TO)value;                                                              \
            memcpy(to, &converted, sizeof converted);                                              \
        }                                                                                          \
    }
#define LOOPS(TO)                                                                                  \
    LOOP(TO, integer1)                                                                             \
    LOOP(TO, integer2)                                                                             \
    LOOP(TO, integer4)                                                                             \
    LOOP(TO, integer8)                                                                             \
    LOOP(TO, integer16)                                                                            \
    LOOP(TO, real4)                                                                                \
    LOOP(TO, real8)                                                                                \
    LOOP(TO, real10)                                                                               \
    LOOP(TO, real16)
#define ROW(TO)                                                                                    \
    {                                                                                              \
        TO##_from_integer1, TO##_from_integer2, TO##_from_integer4, TO##_from_integer8,            \
            TO##_from_integer16, TO##_from_real4, TO##_from_real8, TO##_from_real10,               \
            TO##_from_real16                                                                       \
    }

LOOPS(integer1)
LOOPS(integer2)
LOOPS(integer4)
LOOPS(integer8)
LOOPS(integer16)
LOOPS(real4)
LOOPS(real8)
LOOPS(real10)
LOOPS(real16)

enum { NUMBER_KINDS = 9 };

typedef void number_loop(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride,
                         size_t count);

static number_loop *const loops[NUMBER_KINDS][NUMBER_KINDS] = {
    ROW(integer1), ROW(integer2), ROW(integer4), ROW(integer8), ROW(integer16),
    ROW(real4),    ROW(real8),    ROW(real10),   ROW(real16)};

/* The row of an element, or of its parts if it is complex; -1 if it is no number. */
static int number_row(struct element element)
{
    static const int kinds[NUMBER_KINDS] = {1, 2, 4, 8, 16, 4, 8, 10, 16};
    bool integer = element.type == TYPE_INTEGER || element.type == TYPE_LOGICAL;
    bool real = element.type == TYPE_REAL || element.type == TYPE_COMPLEX;
    int first = integer ? 0 : 5, last = integer ? 4 : NUMBER_KINDS - 1;
    for (int row = first; row <= last && (integer || real); row++)
        if (kinds[row] == element.kind && (element.kind != 10 || LDBL_MANT_DIG == 64))
            return row;
    return -1;
}

bool convert_possible(struct element to, struct element from)
{
    if (element_equal(to, from))
        return true;
    if (to.type == TYPE_CHARACTER)
        return from.type == TYPE_CHARACTER && (to.kind == 1 || to.kind == 4) &&
               (from.kind == 1 || from.kind == 4);
    return number_row(to) >= 0 && number_row(from) >= 0 &&
           (to.type == TYPE_LOGICAL) == (from.type == TYPE_LOGICAL);
}

static uint32_t character_get(const char *string, int kind, size_t index)
{
    if (kind == 1)
        return (unsigned char)string[index];
    uint32_t character;
    memcpy(&character, string + 4 * index, sizeof character);
    return character;
}

static void character_set(char *string, int kind, size_t index, uint32_t character)
{
    if (kind == 1)
        string[index] = character <= UINT8_MAX ? (char)character : '?';
    else
        memcpy(string + 4 * index, &character, sizeof character);
}

static void convert_string(char *to, struct element to_element, const char *from,
                           struct element from_element)
{
    size_t to_length = to_element.bytes / (size_t)to_element.kind;
    size_t from_length = from_element.bytes / (size_t)from_element.kind;
    for (size_t i = 0; i < to_length; i++)
        character_set(to, to_element.kind, i,
                      i < from_length ? character_get(from, from_element.kind, i) : ' ');
}

static void convert_numbers(char *to, ptrdiff_t to_stride, struct element to_element,
                            const char *from, ptrdiff_t from_stride, struct element from_element,
                            size_t count)
{
    int to_row = number_row(to_element);
    number_loop *loop = loops[to_row][number_row(from_element)];
    loop(to, to_stride, from, from_stride, count);
    if (to_element.type != TYPE_COMPLEX)
        return;
    static const char zero;
    char *imaginary = to + to_element.bytes / 2;
    if (from_element.type == TYPE_COMPLEX)
        loop(imaginary, to_stride, from + from_element.bytes / 2, from_stride, count);
    else
        loops[to_row][0](imaginary, to_stride, &zero, 0, count);
}

void convert(void *to, ptrdiff_t to_stride, struct element to_element, const void *from,
             ptrdiff_t from_stride, struct element from_element, size_t count)
{
    char *target = to;
    const char *source = from;
    bool equal = element_equal(to_element, from_element);
    ptrdiff_t bytes = (ptrdiff_t)to_element.bytes;
    if (equal && to_stride == bytes && from_stride == bytes) {
        memcpy(target, source, count * to_element.bytes);
    } else if (equal) {
        for (size_t i = 0; i < count; i++, target += to_stride, source += from_stride)
            memcpy(target, source, to_element.bytes);
    } else if (to_element.type == TYPE_CHARACTER) {
        for (size_t i = 0; i < count; i++, target += to_stride, source += from_stride)
            convert_string(target, to_element, source, from_element);
    } else {
        convert_numbers(target, to_stride, to_element, source, from_stride, from_element, count);
    }
}

/* Both sides of an array assignment, down to dimension 0. */
struct assignment {
    const struct caf_shape *shape;
    const struct caf_strides *to_strides, *from_strides;
    struct element to, from;
};

static void convert_dimensions(const struct assignment *assignment, int dimensions, char *to,
                               const char *from)
{
    if (dimensions == 0) {
        convert(to, 0, assignment->to, from, 0, assignment->from, 1);
        return;
    }
    int d = dimensions - 1;
    size_t count = assignment->shape->count[d];
    ptrdiff_t to_stride = assignment->to_strides->stride[d];
    ptrdiff_t from_stride = assignment->from_strides->stride[d];
    if (d == 0) {
        convert(to, to_stride, assignment->to, from, from_stride, assignment->from, count);
        return;
    }
    for (size_t i = 0; i < count; i++, to += to_stride, from += from_stride)
        convert_dimensions(assignment, d, to, from);
}

void convert_array(const struct caf_shape *shape, void *to, const struct caf_strides *to_strides,
                   struct element to_element, const void *from,
                   const struct caf_strides *from_strides, struct element from_element)
{
    struct assignment assignment = {shape, to_strides, from_strides, to_element, from_element};
    convert_dimensions(&assignment, shape->rank, to, from);
}
