/* wide.c: what tells reals of kind 10 from those of kind 16: the exponents of numbers that programs
 * compute with are far from the ends of their ranges. A real of kind 10 has it in bytes 8 and 9,
 * with the leading bit of its mantissa, which is always set, below; what is in bytes 10 to 15,
 * where kind 16 has it, was there before, and is mostly 0. */
#include "wide.h"

#include <stdint.h>
#include <string.h>

#include "coarrays/caf/error.h"

enum { BYTES = 16, BIAS = 0x3fff, EXPONENTS = 0x1000 };

bool wide_is(const struct descriptor *array)
{
    size_t bytes = array->type.element_bytes;
    return (array->type.type == TYPE_REAL && bytes == BYTES) ||
           (array->type.type == TYPE_COMPLEX && bytes == 2 * BYTES);
}

/* ---- which kind ---- */

/* Zero, infinite, or of a usual size. */
static bool is_usual(uint16_t sign_and_exponent, bool rest_is_zero)
{
    int exponent = sign_and_exponent & 0x7fff;
    if (exponent == 0)
        return rest_is_zero;
    return exponent == 0x7fff || (exponent > BIAS - EXPONENTS && exponent < BIAS + EXPONENTS);
}

static bool can_be_extended(const char *number)
{
    uint64_t mantissa;
    uint16_t exponent;
    memcpy(&mantissa, number, sizeof mantissa);
    memcpy(&exponent, number + 8, sizeof exponent);
    return is_usual(exponent, mantissa == 0) && (mantissa >> 63 || mantissa == 0);
}

static bool can_be_quad(const char *number)
{
    static const char zero[14];
    uint16_t exponent;
    memcpy(&exponent, number + 14, sizeof exponent);
    return is_usual(exponent, memcmp(number, zero, sizeof zero) == 0);
}

/* Of all images: only together they may tell. */
static enum dm_status find_kind(const char *numbers, size_t count, bool *is_extended)
{
    int8_t can[2] = {1, 1};
    for (size_t i = 0; i < count; i++) {
        can[0] = can[0] && can_be_extended(numbers + i * BYTES);
        can[1] = can[1] && can_be_quad(numbers + i * BYTES);
    }
    TRY(caf_min(can, 2, CAF_INT8, 0));
    *is_extended = can[0] && !can[1];
    if (!can[0] && !can[1])
        return invalid(CAF_BAD_ARGUMENT,
                       "a collective subroutine: the compiler does not tell kind 10 "
                       "from kind 16, and these numbers are of neither's usual size; "
                       "CO_REDUCE can");
    return DM_OK;
}

/* ---- arithmetic ---- */

/* What lies behind a real of kind 10 stays: what the processor leaves there could look like
 * kind 16. */
#define COMBINE(name, number, bytes, expression)                                                   \
    static void name(const struct operation *operation, const void *in, void *inout)               \
    {                                                                                              \
        number a, b;                                                                               \
        (void)operation;                                                                           \
        memcpy(&a, in, sizeof a);                                                                  \
        memcpy(&b, inout, sizeof b);                                                               \
        b = (expression);                                                                          \
        memcpy(inout, &b, bytes);                                                                  \
    }
COMBINE(quad_sum, __float128, 16, a + b)
COMBINE(quad_min, __float128, 16, a < b ? a : b)
COMBINE(quad_max, __float128, 16, a > b ? a : b)
COMBINE(extended_sum, long double, 10, a + b)
COMBINE(extended_min, long double, 10, a < b ? a : b)
COMBINE(extended_max, long double, 10, a > b ? a : b)

enum dm_status wide_reduce(enum operation_kind kind, struct elements *elements, int result_image)
{
    static void (*const combine[2][3])(const struct operation *, const void *, void *) = {
        {quad_sum, quad_min, quad_max}, {extended_sum, extended_min, extended_max}};
    bool is_extended = false;
    size_t count = elements->bytes / BYTES;
    TRY(find_kind(elements->data, count, &is_extended));
    struct operation operation = {.combine = combine[is_extended][kind], .element_bytes = BYTES};
    return caf_reduce(elements->data, count, BYTES, operation_combine, &operation, result_image);
}
