/* Fortran's atomic subroutines (S51). They order nothing but the word itself. */
#include "error.h"
#include "word.h"

int caf_atomic_define(struct caf_coarray *coarray, int image, size_t offset, int32_t value)
{
    caf_statement = "ATOMIC_DEFINE";
    int code = word_check(coarray, image, offset, sizeof value);
    return code ? code : word_change(coarray, image, offset, WORD_SWAP, value, NULL);
}

int caf_atomic_ref(struct caf_coarray *coarray, int image, size_t offset, int32_t *value)
{
    caf_statement = "ATOMIC_REF";
    int code = word_check(coarray, image, offset, sizeof *value);
    return code ? code : word_read(coarray, image, offset, value);
}

int caf_atomic_operation(struct caf_coarray *coarray, int image, size_t offset,
                         enum caf_operation operation, int32_t value, int32_t *old)
{
    static const struct {
        const char *name;
        enum word_step step;
    } operations[] = {[CAF_ADD] = {"ATOMIC_ADD", WORD_ADD},
                      [CAF_AND] = {"ATOMIC_AND", WORD_AND},
                      [CAF_OR] = {"ATOMIC_OR", WORD_OR},
                      [CAF_XOR] = {"ATOMIC_XOR", WORD_XOR}};
    if ((unsigned)operation >= sizeof operations / sizeof *operations)
        return caf_error(CAF_BAD_ARGUMENT, "ATOMIC_OP: there is no operation %d", (int)operation);
    caf_statement = operations[operation].name;
    int code = word_check(coarray, image, offset, sizeof value);
    return code ? code
                : word_change(coarray, image, offset, operations[operation].step, value, old);
}

int caf_atomic_cas(struct caf_coarray *coarray, int image, size_t offset, int32_t compare,
                   int32_t value, int32_t *old)
{
    caf_statement = "ATOMIC_CAS";
    int code = word_check(coarray, image, offset, sizeof value);
    return code ? code : word_compare_swap(coarray, image, offset, compare, value, old);
}
