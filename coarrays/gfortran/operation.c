#include "operation.h"

#include <stdint.h>
#include <string.h>

void operation_combine(const void *in, void *inout, size_t count, void *context)
{
    const struct operation *operation = context;
    for (size_t i = 0; i < count; i++)
        operation->combine(operation, (const char *)in + i * operation->element_bytes,
                           (char *)inout + i * operation->element_bytes);
}

/* ---- integers of 16 bytes ---- */

static void integer_sum(const struct operation *operation, const void *in, void *inout)
{
    unsigned __int128 a, b;
    memcpy(&a, in, sizeof a);
    memcpy(&b, inout, sizeof b);
    b += a;
    memcpy(inout, &b, operation->element_bytes);
}

static void integer_extreme(const struct operation *operation, const void *in, void *inout)
{
    __int128 a, b;
    memcpy(&a, in, sizeof a);
    memcpy(&b, inout, sizeof b);
    if (operation->wants_larger ? a > b : a < b)
        memcpy(inout, in, operation->element_bytes);
}

/* ---- characters: in the order of their codes, as GNU Fortran compares them ---- */

static void character_extreme(const struct operation *operation, const void *in, void *inout)
{
    int order = memcmp(in, inout, operation->element_bytes);
    if (operation->wants_larger ? order > 0 : order < 0)
        memcpy(inout, in, operation->element_bytes);
}

static void wide_character_extreme(const struct operation *operation, const void *in, void *inout)
{
    const uint32_t *a = in, *b = inout;
    for (size_t i = 0; i < operation->length; i++)
        if (a[i] != b[i]) {
            if (operation->wants_larger == (a[i] > b[i]))
                memcpy(inout, in, operation->element_bytes);
            return;
        }
}

bool operation_find(struct operation *operation, enum operation_kind kind,
                    const struct descriptor *array, int character_length)
{
    size_t bytes = array->type.element_bytes, length = (size_t)character_length;
    *operation = (struct operation){
        .element_bytes = bytes, .length = length, .wants_larger = kind == OPERATION_MAX};
    if (array->type.type == TYPE_INTEGER && bytes == sizeof(__int128))
        operation->combine = kind == OPERATION_SUM ? integer_sum : integer_extreme;
    else if (array->type.type == TYPE_CHARACTER && kind != OPERATION_SUM)
        operation->combine =
            bytes == 4 * length && length > 0 ? wide_character_extreme : character_extreme;
    return operation->combine != NULL;
}
