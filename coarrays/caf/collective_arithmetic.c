/* Sums, minima and maxima of numbers, as functions and as MPI has them. */
#include <string.h>

#include "collective_internal.h"
#include "error.h"

#define COMBINE(name, number, expression)                                                          \
    static void name(const void *in, void *inout, size_t count, void *context)                     \
    {                                                                                              \
        const number *restrict a = in;                                                             \
        number *restrict b = inout;                                                                \
        (void)context;                                                                             \
        for (size_t i = 0; i < count; i++)                                                         \
            b[i] = (number)(expression);                                                           \
    }
#define COMBINE_ORDER(name, number)                                                                \
    COMBINE(min_##name, number, a[i] < b[i] ? a[i] : b[i])                                         \
    COMBINE(max_##name, number, a[i] > b[i] ? a[i] : b[i])

/* Unsigned, so that sums wrap around as MPI's do. */
COMBINE(sum_int8, uint8_t, a[i] + b[i])
COMBINE(sum_int16, uint16_t, a[i] + b[i])
COMBINE(sum_int32, uint32_t, a[i] + b[i])
COMBINE(sum_int64, uint64_t, a[i] + b[i])
COMBINE(sum_float, float, a[i] + b[i])
COMBINE(sum_double, double, a[i] + b[i])
COMBINE_ORDER(int8, int8_t)
COMBINE_ORDER(int16, int16_t)
COMBINE_ORDER(int32, int32_t)
COMBINE_ORDER(int64, int64_t)
COMBINE_ORDER(float, float)
COMBINE_ORDER(double, double)

struct number {
    const char *name;
    size_t bytes;
    int parts; /* numbers that an element consists of */
    MPI_Datatype type;
    caf_combine *sum, *min, *max;
};

static const struct number *find_number(enum caf_type type)
{
    static const struct number numbers[] = {
        [CAF_INT8] = {"8-bit integers", 1, 1, MPI_INT8_T, sum_int8, min_int8, max_int8},
        [CAF_INT16] = {"16-bit integers", 2, 1, MPI_INT16_T, sum_int16, min_int16, max_int16},
        [CAF_INT32] = {"32-bit integers", 4, 1, MPI_INT32_T, sum_int32, min_int32, max_int32},
        [CAF_INT64] = {"64-bit integers", 8, 1, MPI_INT64_T, sum_int64, min_int64, max_int64},
        [CAF_FLOAT] = {"floats", 4, 1, MPI_FLOAT, sum_float, min_float, max_float},
        [CAF_DOUBLE] = {"doubles", 8, 1, MPI_DOUBLE, sum_double, min_double, max_double},
        [CAF_COMPLEX_FLOAT] = {"complex floats", 4, 2, MPI_FLOAT, sum_float, NULL, NULL},
        [CAF_COMPLEX_DOUBLE] = {"complex doubles", 8, 2, MPI_DOUBLE, sum_double, NULL, NULL},
    };
    return (size_t)type < sizeof numbers / sizeof *numbers ? &numbers[type] : NULL;
}

enum dm_status arithmetic_find(struct reduction *reduction, enum arithmetic operation,
                               enum caf_type type, size_t count)
{
    const struct number *number = find_number(type);
    if (!number)
        return invalid(CAF_BAD_ARGUMENT, "%s: there is no type %d", caf_statement, (int)type);
    reduction->combine = operation == ARITHMETIC_SUM   ? number->sum
                         : operation == ARITHMETIC_MIN ? number->min
                                                       : number->max;
    if (!reduction->combine)
        return invalid(CAF_BAD_ARGUMENT, "%s: %s have no order", caf_statement, number->name);
    if (count > SIZE_MAX / 2 / number->bytes / (size_t)number->parts)
        return invalid(CAF_BAD_ARGUMENT, "%s: there cannot be %zu %s", caf_statement, count,
                       number->name);
    reduction->count = count * (size_t)number->parts;
    reduction->element_bytes = number->bytes;
    reduction->type = number->type;
    reduction->operation = operation == ARITHMETIC_SUM   ? MPI_SUM
                           : operation == ARITHMETIC_MIN ? MPI_MIN
                                                         : MPI_MAX;
    return DM_OK;
}
