/* Fortran's atomic subroutines (thesis, 5.1). They order nothing but the word itself. */
#include "error.h"
#include "word.h"

enum dm_status caf_atomic_define(struct caf_coarray *coarray, int image, size_t offset,
                                 int32_t value)
{
    caf_statement = "ATOMIC_DEFINE";
    enum dm_status status = word_check(coarray, image, offset, sizeof value);
    return status != DM_OK ? status : word_change(coarray, image, offset, WORD_SWAP, value, NULL);
}

enum dm_status caf_atomic_ref(struct caf_coarray *coarray, int image, size_t offset, int32_t *value)
{
    caf_statement = "ATOMIC_REF";
    enum dm_status status = word_check(coarray, image, offset, sizeof *value);
    return status != DM_OK ? status : word_read(coarray, image, offset, value);
}

enum dm_status caf_atomic_operation(struct caf_coarray *coarray, int image, size_t offset,
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
        return invalid(CAF_BAD_ARGUMENT, "ATOMIC_OP: there is no operation %d", (int)operation);
    caf_statement = operations[operation].name;
    enum dm_status status = word_check(coarray, image, offset, sizeof value);
    return status != DM_OK
               ? status
               : word_change(coarray, image, offset, operations[operation].step, value, old);
}

enum dm_status caf_atomic_cas(struct caf_coarray *coarray, int image, size_t offset,
                              int32_t compare, int32_t value, int32_t *old)
{
    caf_statement = "ATOMIC_CAS";
    enum dm_status status = word_check(coarray, image, offset, sizeof value);
    return status != DM_OK ? status
                           : word_compare_swap(coarray, image, offset, compare, value, old);
}
