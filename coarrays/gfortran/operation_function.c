/* operation_function.c: calls of a procedure of the program that combines two elements.
 *
 * What the compiler tells is the elements' type and size, so the C type that is passed and returned
 * in the same way is chosen by them. */
#include <complex.h>
#include <fenv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf/error.h"

#include "operation.h"
#include "operation_registers.h"

typedef void combine(const struct operation *operation, const void *in, void *inout);

#define DEFINE_CALLS(name, type)                                                                   \
    static void name##_by_reference(const struct operation *operation, const void *in,             \
                                    void *inout)                                                   \
    {                                                                                              \
        type result = ((type(*)(const void *, void *))operation->function)(in, inout);             \
        memcpy(inout, &result, sizeof result);                                                     \
    }                                                                                              \
    static void name##_by_value(const struct operation *operation, const void *in, void *inout)    \
    {                                                                                              \
        type a, b;                                                                                 \
        memcpy(&a, in, sizeof a);                                                                  \
        memcpy(&b, inout, sizeof b);                                                               \
        a = ((type(*)(type, type))operation->function)(a, b);                                      \
        memcpy(inout, &a, sizeof a);                                                               \
    }
DEFINE_CALLS(int8, int8_t)
DEFINE_CALLS(int16, int16_t)
DEFINE_CALLS(int32, int32_t)
DEFINE_CALLS(int64, int64_t)
DEFINE_CALLS(int128, __int128)
DEFINE_CALLS(float, float)
DEFINE_CALLS(double, double)
DEFINE_CALLS(quad, __float128)
DEFINE_CALLS(extended, long double)
DEFINE_CALLS(complex_float, float complex)
DEFINE_CALLS(complex_double, double complex)
#undef DEFINE_CALLS

/* The arguments' lengths follow them; a procedure that does not expect them does not look. */
static void character_by_reference(const struct operation *operation, const void *in, void *inout)
{
    size_t length = operation->length;
    ((void (*)(void *, size_t, const void *, void *, size_t, size_t))operation->function)(
        operation->result, length, in, inout, length, length);
    memcpy(inout, operation->result, operation->element_bytes);
}

#ifdef __x86_64__
/* More than 16 bytes are returned in memory whose address comes first, whatever they are. */
static void structure_by_reference(const struct operation *operation, const void *in, void *inout)
{
    ((void *(*)(void *, const void *, void *))operation->function)(operation->result, in, inout);
    memcpy(inout, operation->result, operation->element_bytes);
}

static unsigned x87_top(void)
{
    uint16_t status;
    __asm__ volatile("fnstsw %0" : "=a"(status));
    return status >> 11 & 7;
}

/* Reals of kinds 10 and 16 both have 16 bytes. The procedure, which is pure, shows which it is:
 * kind 10 is returned on the x87 stack, kind 16 in an SSE register, where arguments by value are
 * expected, too; those of kind 10 lie in memory. So a call with both is right for either. */
static __attribute__((noinline)) bool returns_extended(operation_function *function, bool by_value,
                                                       const void *element)
{
    typedef __float128 value_call(__float128, __float128, long double, long double);
    typedef __float128 reference_call(const void *, const void *);
    __float128 quad;
    long double extended;
    memcpy(&quad, element, sizeof quad);
    memcpy(&extended, element, sizeof extended);
    fenv_t environment;
    feholdexcept(&environment); /* no exception of this call is the program's */
    unsigned top = x87_top();
    if (by_value)
        ((value_call *)function)(quad, quad, extended, extended);
    else
        ((reference_call *)function)(element, element);
    bool is_extended = x87_top() != top;
    if (is_extended)
        __asm__ volatile("fstp %st(0)");
    fesetenv(&environment);
    return is_extended;
}
#endif

struct calls {
    int type;
    size_t bytes;
    combine *by_reference, *by_value;
};

static const struct calls calls[] = {
    {TYPE_INTEGER, 1, int8_by_reference, int8_by_value},
    {TYPE_INTEGER, 2, int16_by_reference, int16_by_value},
    {TYPE_INTEGER, 4, int32_by_reference, int32_by_value},
    {TYPE_INTEGER, 8, int64_by_reference, int64_by_value},
    {TYPE_INTEGER, 16, int128_by_reference, int128_by_value},
    {TYPE_REAL, 4, float_by_reference, float_by_value},
    {TYPE_REAL, 8, double_by_reference, double_by_value},
    {TYPE_REAL, 16, quad_by_reference, quad_by_value},
    {TYPE_COMPLEX, 8, complex_float_by_reference, complex_float_by_value},
    {TYPE_COMPLEX, 16, complex_double_by_reference, complex_double_by_value},
};

static combine *find(int type, size_t bytes, bool by_value)
{
    /* Logicals are passed as integers of their size. */
    int same = type == TYPE_LOGICAL ? TYPE_INTEGER : type;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].type == same && calls[i].bytes == bytes)
            return by_value ? calls[i].by_value : calls[i].by_reference;
    if (type == TYPE_CHARACTER && !by_value)
        return character_by_reference;
#ifdef __x86_64__
    if (type == TYPE_DERIVED && bytes > 16 && !by_value)
        return structure_by_reference;
#endif
    return NULL;
}

enum dm_status operation_of_function(struct operation *operation, operation_function *function,
                                     int flags, const struct elements *elements,
                                     int character_length)
{
    int type = elements->array->type.type;
    size_t bytes = elements->array->type.element_bytes;
    bool by_value = flags & OPERATION_ARGUMENTS_BY_VALUE;
    *operation = (struct operation){
        .combine = find(type, bytes, by_value),
        .function = function,
        .element_bytes = bytes,
        .length = (size_t)character_length,
    };
    bool found = false;
    if (type == TYPE_DERIVED && bytes > 0 && bytes <= 16 && !by_value)
        TRY(registers_find(operation, elements->count > 0 ? elements->data : NULL, &found));
    if (found)
        operation->combine = registers_combine;
    if (!operation->combine || flags & OPERATION_ARGUMENTS_BY_DESCRIPTOR)
        return invalid(CAF_BAD_ARGUMENT,
                       "CO_REDUCE: how the procedure returns a result of type %d, %zu bytes, is "
                       "not known; a derived type needs arguments without VALUE",
                       type, bytes);
#ifdef __x86_64__
    if (operation->combine == quad_by_reference || operation->combine == quad_by_value)
        if (elements->count > 0 && returns_extended(function, by_value, elements->data))
            operation->combine = by_value ? extended_by_value : extended_by_reference;
#endif
    operation->result = malloc(bytes + 1); /* not NULL for 0 bytes */
    return operation->result ? DM_OK : dm_fail(DM_NO_MEMORY, "CO_REDUCE: no memory for an element");
}
