#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "prefetch/sip/super_internal.h"

static bool is_number(const struct prefetch_argument *argument)
{
    return argument->kind != PREFETCH_ARGUMENT_BLOCK && argument->kind != PREFETCH_ARGUMENT_STRING;
}

static bool is_whole(const struct prefetch_argument *argument)
{
    return is_number(argument) && argument->number == floor(argument->number) &&
           fabs(argument->number) < 0x1p53;
}

/* What the argument must be, and is not; NULL: it is. */
static const char *find_fault(const struct prefetch_argument *argument, char kind)
{
    switch (kind) {
    case SUPER_BLOCK:
        return argument->kind == PREFETCH_ARGUMENT_BLOCK ? NULL : "a block";
    case SUPER_SCALAR:
        return argument->kind == PREFETCH_ARGUMENT_SCALAR ? NULL
                                                          : "the name of a scalar, for the result";
    case SUPER_WHOLE:
        return is_whole(argument) ? NULL : "a whole number below 2^53";
    default:
        return is_number(argument) ? NULL : "a number";
    }
}

enum dm_status super_expect(const struct prefetch_argument *arguments, int count, const char *kinds)
{
    int expected = (int)strlen(kinds);
    if (count != expected)
        return dm_fail(DM_INVALID, "it takes %d arguments, not %d", expected, count);
    for (int i = 0; i < count; i++) {
        const char *fault = find_fault(&arguments[i], kinds[i]);
        if (fault)
            return dm_fail(DM_INVALID, "argument %d must be %s", i + 1, fault);
    }
    return DM_OK;
}

size_t super_elements(const struct prefetch_argument *block)
{
    size_t elements = 1;
    for (int d = 0; d < block->block.rank; d++)
        elements *= (size_t)block->block.extent[d];
    return elements;
}

enum dm_status super_same_shape(const struct prefetch_argument *a,
                                const struct prefetch_argument *b)
{
    bool same = a->block.rank == b->block.rank;
    for (int d = 0; same && d < a->block.rank; d++)
        same = a->block.extent[d] == b->block.extent[d];
    if (same)
        return DM_OK;
    return dm_fail(DM_INVALID, "blocks of %s and %s differ in shape", a->block.array,
                   b->block.array);
}

int64_t super_position(const struct prefetch_argument *block, size_t element, int dimension)
{
    for (int d = block->block.rank - 1; d > dimension; d--)
        element /= (size_t)block->block.extent[d];
    int64_t extent = block->block.extent[dimension];
    return (block->block.segment[dimension] - 1) * extent + (int64_t)(element % (size_t)extent);
}
