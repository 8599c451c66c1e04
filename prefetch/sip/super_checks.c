/* Programs check themselves: an assertion that fails ends the run. */
#include <math.h>

#include "prefetch/sip/super_internal.h"

/* Relative to the larger number, absolute below 1. Written so that NaN is never close. */
static bool close_enough(double a, double b, double tolerance)
{
    double scale = fmax(1.0, fmax(fabs(a), fabs(b)));
    return fabs(a - b) <= tolerance * scale;
}

bool super_assert_close(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "nnn", context))
        return false;
    double a = arguments[0].number, b = arguments[1].number, tolerance = arguments[2].number;
    return close_enough(a, b, tolerance) ||
           super_fail(context, "%.17g and %.17g differ by more than the tolerance %g", a, b,
                      tolerance);
}

bool super_assert_below(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "nn", context))
        return false;
    double value = arguments[0].number, bound = arguments[1].number;
    return value < bound || super_fail(context, "%.17g is not below %.17g", value, bound);
}

bool super_assert_block(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bbn", context) ||
        !super_same_shape(&arguments[0], &arguments[1], context))
        return false;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        double a = arguments[0].block.data[e], b = arguments[1].block.data[e];
        if (!close_enough(a, b, arguments[2].number))
            return super_fail(context,
                              "element %zu of block %lld of %s is %.17g, and of %s %.17g: they "
                              "differ by more than "
                              "the tolerance %g",
                              e, (long long)arguments[0].block.number, arguments[0].block.array, a,
                              arguments[1].block.array, b, arguments[2].number);
    }
    return true;
}

bool super_norm(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bs", context))
        return false;
    double sum = 0.0;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        sum += arguments[0].block.data[e] * arguments[0].block.data[e];
    arguments[1].number = sqrt(sum);
    return true;
}

bool super_maxabs(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bs", context))
        return false;
    double largest = 0.0;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        double size = fabs(arguments[0].block.data[e]);
        if (!(size <= largest)) /* keeps NaN, which fmax would lose */
            largest = size;
    }
    arguments[1].number = largest;
    return true;
}

bool super_sum(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bs", context))
        return false;
    double sum = 0.0;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        sum += arguments[0].block.data[e];
    arguments[1].number = sum;
    return true;
}

/* One line per run of the last dimension. */
bool super_print(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "b", context))
        return false;
    if (!context->output)
        return true;
    const struct super_argument *block = &arguments[0];
    size_t elements = super_elements(block);
    size_t line = block->block.rank ? (size_t)block->block.extent[block->block.rank - 1] : 1;
    fprintf(context->output, "block %lld of %s\n", (long long)block->block.number,
            block->block.array);
    for (size_t e = 0; e < elements; e++)
        fprintf(context->output, "%.9g%c", block->block.data[e], e % line == line - 1 ? '\n' : ' ');
    return true;
}
