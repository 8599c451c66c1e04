/* Programs check themselves: an assertion that fails ends the run. */
#include <math.h>
#include <stdbool.h>

#include "common/error.h"
#include "prefetch/sip/super_internal.h"

/* Relative to the larger number, absolute below 1. Written so that NaN is never close. */
static bool close_enough(double a, double b, double tolerance)
{
    double scale = fmax(1.0, fmax(fabs(a), fabs(b)));
    return fabs(a - b) <= tolerance * scale;
}

enum dm_status super_assert_close(struct prefetch_argument *arguments, int count,
                                  struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "nnn"));
    double a = arguments[0].number, b = arguments[1].number, tolerance = arguments[2].number;
    if (close_enough(a, b, tolerance))
        return DM_OK;
    return dm_fail(DM_INVALID, "%.17g and %.17g differ by more than the tolerance %g", a, b,
                   tolerance);
}

enum dm_status super_assert_below(struct prefetch_argument *arguments, int count,
                                  struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "nn"));
    double value = arguments[0].number, bound = arguments[1].number;
    if (value < bound)
        return DM_OK;
    return dm_fail(DM_INVALID, "%.17g is not below %.17g", value, bound);
}

enum dm_status super_assert_block(struct prefetch_argument *arguments, int count,
                                  struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bbn"));
    TRY(super_same_shape(&arguments[0], &arguments[1]));
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        double a = arguments[0].block.data[e], b = arguments[1].block.data[e];
        if (!close_enough(a, b, arguments[2].number))
            return dm_fail(DM_INVALID,
                           "element %zu of block %lld of %s is %.17g, and of %s %.17g: they "
                           "differ by more than "
                           "the tolerance %g",
                           e, (long long)arguments[0].block.number, arguments[0].block.array, a,
                           arguments[1].block.array, b, arguments[2].number);
    }
    return DM_OK;
}

enum dm_status super_norm(struct prefetch_argument *arguments, int count,
                          struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bs"));
    double sum = 0.0;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        sum += arguments[0].block.data[e] * arguments[0].block.data[e];
    arguments[1].number = sqrt(sum);
    return DM_OK;
}

enum dm_status super_maxabs(struct prefetch_argument *arguments, int count,
                            struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bs"));
    double largest = 0.0;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        double size = fabs(arguments[0].block.data[e]);
        if (!(size <= largest)) /* keeps NaN, which fmax would lose */
            largest = size;
    }
    arguments[1].number = largest;
    return DM_OK;
}

enum dm_status super_sum(struct prefetch_argument *arguments, int count,
                         struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bs"));
    double sum = 0.0;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        sum += arguments[0].block.data[e];
    arguments[1].number = sum;
    return DM_OK;
}

/* One line per run of the last dimension. */
enum dm_status super_print(struct prefetch_argument *arguments, int count,
                           struct prefetch_context *context)
{
    TRY(super_expect(arguments, count, "b"));
    if (!context->output)
        return DM_OK;
    const struct prefetch_argument *block = &arguments[0];
    size_t elements = super_elements(block);
    size_t line = block->block.rank ? (size_t)block->block.extent[block->block.rank - 1] : 1;
    fprintf(context->output, "block %lld of %s\n", (long long)block->block.number,
            block->block.array);
    for (size_t e = 0; e < elements; e++)
        fprintf(context->output, "%.9g%c", block->block.data[e], e % line == line - 1 ? '\n' : ' ');
    return DM_OK;
}
