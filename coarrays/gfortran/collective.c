/* collective.c: CO_BROADCAST, CO_SUM, CO_MIN, CO_MAX, CO_REDUCE (Fanfarillo 2016, 5.1, 6.2) for
 * scalars and arrays of any rank, contiguous or not. */
#include <stdint.h>
#include <stdlib.h>

#include "coarrays/caf/error.h"

#include "abi.h"
#include "elements.h"
#include "operation.h"
#include "status.h"
#include "wide.h"

/* Of a local variable of constant length in ERRMSG=, GNU Fortran 12 passes a copy instead of the
 * address (it is right for substrings, dummy arguments and allocatable variables). The copy lies on
 * the stack, so that the next argument, a length, is found in the address's place. No variable lies
 * at so low an address: the text is lost then, but nothing is overwritten. */
static bool is_length(const char *errmsg)
{
    return (uintptr_t)errmsg < 65536;
}

static void report(enum dm_status status, int *stat, char *errmsg, size_t errmsg_length)
{
    status_report(status, stat, is_length(errmsg) ? NULL : errmsg, errmsg_length);
}

static int length_of_characters(const char *errmsg, int character_length)
{
    return errmsg && is_length(errmsg) ? (int)(uintptr_t)errmsg : character_length;
}

/* Of a scalar substring the descriptor says how many bytes the whole variable has; its length is
 * right. Kind 4 has four bytes for each character. */
static const struct descriptor *narrow(const struct descriptor *array, int character_length,
                                       struct descriptor *room)
{
    size_t length = (size_t)character_length;
    if (array->type.type != TYPE_CHARACTER || array->type.rank > 0 ||
        length >= array->type.element_bytes || 4 * length == array->type.element_bytes)
        return array;
    *room = *array;
    room->type.element_bytes = length;
    return room;
}

typedef enum dm_status arithmetic(void *data, size_t count, enum caf_type type, int result_image);

void _gfortran_caf_co_broadcast(struct descriptor *array, int source_image, int *stat, char *errmsg,
                                size_t errmsg_length)
{
    struct elements elements = elements_open(array);
    enum dm_status status = caf_broadcast(elements.data, elements.bytes, source_image);
    elements_close(&elements);
    report(status, stat, errmsg, errmsg_length);
}

/* ---- sum, min, max ---- */

/* False: numbers that the library does not know. */
static bool find_type(const struct descriptor *array, enum caf_type *type)
{
    static const struct {
        int type;
        size_t bytes;
        enum caf_type known;
    } types[] = {
        {TYPE_INTEGER, 1, CAF_INT8},
        {TYPE_INTEGER, 2, CAF_INT16},
        {TYPE_INTEGER, 4, CAF_INT32},
        {TYPE_INTEGER, 8, CAF_INT64},
        {TYPE_REAL, 4, CAF_FLOAT},
        {TYPE_REAL, 8, CAF_DOUBLE},
        {TYPE_COMPLEX, 8, CAF_COMPLEX_FLOAT},
        {TYPE_COMPLEX, 16, CAF_COMPLEX_DOUBLE},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == array->type.type && types[i].bytes == array->type.element_bytes) {
            *type = types[i].known;
            return true;
        }
    return false;
}

/* What a program can do about it. */
static const char *advice(const struct descriptor *array)
{
    switch (array->type.type) {
    case TYPE_DERIVED:
        return ": of a component of an array of structures the compiler passes the structures; "
               "use a variable";
    default:
        return "";
    }
}

/* Characters may have no bytes. */
static enum dm_status combine(const struct elements *elements, struct operation *operation,
                              int result_image)
{
    return operation->element_bytes == 0
               ? DM_OK
               : caf_reduce(elements->data, elements->count, operation->element_bytes,
                            operation_combine, operation, result_image);
}

static enum dm_status reduce(const char *statement, arithmetic *known, enum operation_kind kind,
                             const struct descriptor *array, int result_image, int character_length)
{
    enum caf_type type;
    struct operation operation;
    struct descriptor room;
    array = narrow(array, character_length, &room);
    bool is_known = find_type(array, &type);
    bool is_wide = wide_is(array) && (kind == OPERATION_SUM || array->type.type == TYPE_REAL);
    if (!is_known && !is_wide && !operation_find(&operation, kind, array, character_length))
        return invalid(CAF_BAD_ARGUMENT,
                       "%s: no such operation on elements of %zu bytes of type %d%s", statement,
                       array->type.element_bytes, array->type.type, advice(array));
    struct elements elements = elements_open(array);
    enum dm_status status = is_known  ? known(elements.data, elements.count, type, result_image)
                            : is_wide ? wide_reduce(kind, &elements, result_image)
                                      : combine(&elements, &operation, result_image);
    elements_close(&elements);
    return status;
}

void _gfortran_caf_co_sum(struct descriptor *array, int result_image, int *stat, char *errmsg,
                          size_t errmsg_length)
{
    enum dm_status status = reduce("CO_SUM", caf_sum, OPERATION_SUM, array, result_image, 0);
    report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_co_min(struct descriptor *array, int result_image, int *stat, char *errmsg,
                          int character_length, size_t errmsg_length)
{
    enum dm_status status = reduce("CO_MIN", caf_min, OPERATION_MIN, array, result_image,
                                   length_of_characters(errmsg, character_length));
    report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_co_max(struct descriptor *array, int result_image, int *stat, char *errmsg,
                          int character_length, size_t errmsg_length)
{
    enum dm_status status = reduce("CO_MAX", caf_max, OPERATION_MAX, array, result_image,
                                   length_of_characters(errmsg, character_length));
    report(status, stat, errmsg, errmsg_length);
}

/* ---- reduce ---- */

void _gfortran_caf_co_reduce(struct descriptor *array, void *(*function)(void *, void *),
                             int function_flags, int result_image, int *stat, char *errmsg,
                             int character_length, size_t errmsg_length)
{
    struct descriptor room;
    struct operation operation;
    int length = length_of_characters(errmsg, character_length);
    struct elements elements = elements_open(narrow(array, length, &room));
    enum dm_status status = operation_of_function(&operation, (operation_function *)function,
                                                  function_flags, &elements, length);
    if (status == DM_OK) {
        status = combine(&elements, &operation, result_image);
        free(operation.result);
    }
    elements_close(&elements);
    report(status, stat, errmsg, errmsg_length);
}
