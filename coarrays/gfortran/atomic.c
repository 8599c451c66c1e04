/* atomic.c: ATOMIC_DEFINE, _REF, _CAS, _ADD, _AND, _OR, _XOR and their FETCH forms. GNU Fortran's
 * atomic integers and logicals have 4 bytes, and it converts all arguments to them. */
#include "coarrays/caf/error.h"

#include <stdint.h>

#include "abi.h"
#include "image.h"
#include "status.h"
#include "token.h"

/* Other kinds would come from another version of the compiler. */
static enum dm_status need_word(int type, int kind)
{
    if (kind == (int)sizeof(int32_t) && (type == TYPE_INTEGER || type == TYPE_LOGICAL))
        return DM_OK;
    return invalid(CAF_BAD_ARGUMENT, "ATOMIC: there is no atomic variable of type %d, kind %d",
                   type, kind);
}

void _gfortran_caf_atomic_define(caf_token token, size_t offset, int image, void *value, int *stat,
                                 int type, int kind)
{
    struct token of = token_meaning(token);
    enum dm_status status = need_word(type, kind);
    if (status == DM_OK)
        status = caf_atomic_define(of.coarray, image_or_this(image), of.offset + offset,
                                   *(int32_t *)value);
    status_report(status, stat, NULL, 0);
}

void _gfortran_caf_atomic_ref(caf_token token, size_t offset, int image, void *value, int *stat,
                              int type, int kind)
{
    struct token of = token_meaning(token);
    enum dm_status status = need_word(type, kind);
    if (status == DM_OK)
        status = caf_atomic_ref(of.coarray, image_or_this(image), of.offset + offset, value);
    status_report(status, stat, NULL, 0);
}

/* No memory of a program lies below; GNU Fortran 16 calls with numbers. */
enum { FIRST_ADDRESS = 65536 };

void _gfortran_caf_atomic_cas(caf_token token, size_t offset, int image, void *old, void *compare,
                              void *value, int *stat, int type, int kind)
{
    struct token of = token_meaning(token);
    enum dm_status status = need_word(type, kind);
    if ((uintptr_t)compare < FIRST_ADDRESS || (uintptr_t)value < FIRST_ADDRESS)
        status_fatal(
            "ATOMIC_CAS with an expression: this compiler passes its value in the place of "
            "its address; assign it to a variable first");
    if (status == DM_OK)
        status = caf_atomic_cas(of.coarray, image_or_this(image), of.offset + offset,
                                *(int32_t *)compare, *(int32_t *)value, old);
    status_report(status, stat, NULL, 0);
}

void _gfortran_caf_atomic_op(int operation, caf_token token, size_t offset, int image, void *value,
                             void *old, int *stat, int type, int kind)
{
    static const enum caf_operation operations[] = {CAF_ADD, CAF_AND, CAF_OR, CAF_XOR};
    struct token of = token_meaning(token);
    enum dm_status status = need_word(type, kind);
    if (status == DM_OK && (operation < 1 || operation > 4))
        status = invalid(CAF_BAD_ARGUMENT, "ATOMIC: there is no operation %d", operation);
    if (status == DM_OK)
        status = caf_atomic_operation(of.coarray, image_or_this(image), of.offset + offset,
                                      operations[operation - 1], *(int32_t *)value, old);
    status_report(status, stat, NULL, 0);
}
