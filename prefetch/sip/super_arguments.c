#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "prefetch/sip/super_internal.h"

bool super_fail(struct super_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->error, context->error_bytes, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_number(const struct super_argument *argument)
{
    return argument->kind != SIAL_ARGUMENT_BLOCK && argument->kind != SIAL_ARGUMENT_STRING;
}

static bool expect_one(const struct super_argument *argument, int position, char kind,
                       struct super_context *context)
{
    switch (kind) {
    case SUPER_BLOCK:
        return argument->kind == SIAL_ARGUMENT_BLOCK ||
               super_fail(context, "argument %d must be a block", position);
    case SUPER_SCALAR:
        return argument->kind == SIAL_ARGUMENT_SCALAR ||
               super_fail(context, "argument %d must be the name of a scalar, for the result",
                          position);
    case SUPER_WHOLE:
        if (is_number(argument) && argument->number == floor(argument->number) &&
            fabs(argument->number) < 0x1p53)
            return true;
        return super_fail(context, "argument %d must be a whole number below 2^53", position);
    default:
        return is_number(argument) || super_fail(context, "argument %d must be a number", position);
    }
}

bool super_expect(const struct super_argument *arguments, int count, const char *kinds,
                  struct super_context *context)
{
    int expected = (int)strlen(kinds);
    if (count != expected)
        return super_fail(context, "it takes %d arguments, not %d", expected, count);
    for (int i = 0; i < count; i++)
        if (!expect_one(&arguments[i], i + 1, kinds[i], context))
            return false;
    return true;
}

size_t super_elements(const struct super_argument *block)
{
    size_t elements = 1;
    for (int d = 0; d < block->block.rank; d++)
        elements *= (size_t)block->block.extent[d];
    return elements;
}

bool super_same_shape(const struct super_argument *a, const struct super_argument *b,
                      struct super_context *context)
{
    bool same = a->block.rank == b->block.rank;
    for (int d = 0; same && d < a->block.rank; d++)
        same = a->block.extent[d] == b->block.extent[d];
    return same || super_fail(context, "blocks of %s and %s differ in shape", a->block.array,
                              b->block.array);
}

int64_t super_position(const struct super_argument *block, size_t element, int dimension)
{
    for (int d = block->block.rank - 1; d > dimension; d--)
        element /= (size_t)block->block.extent[d];
    int64_t extent = block->block.extent[dimension];
    return (block->block.segment[dimension] - 1) * extent + (int64_t)(element % (size_t)extent);
}
