/* Operations on the elements of blocks that the language has no operator for. */
#include "prefetch/sip/super_internal.h"

bool super_divide(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bb", context) ||
        !super_same_shape(&arguments[0], &arguments[1], context))
        return false;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        double divisor = arguments[1].block.data[e];
        if (divisor == 0.0)
            return super_fail(context, "element %zu of the divisor, a block of %s, is 0", e,
                              arguments[1].block.array);
        arguments[0].block.data[e] /= divisor;
    }
    return true;
}

/* Changes the elements whose positions in the whole array agree. */
static bool change_diagonal(struct super_argument *arguments, int count,
                            struct super_context *context, bool keep)
{
    if (!super_expect(arguments, count, "bn", context))
        return false;
    struct super_argument *block = &arguments[0];
    if (block->block.rank != 2)
        return super_fail(context, "the block of %s has rank %d: a diagonal needs rank 2",
                          block->block.array, block->block.rank);
    size_t elements = super_elements(block);
    for (size_t e = 0; e < elements; e++)
        if (super_position(block, e, 0) == super_position(block, e, 1))
            block->block.data[e] = (keep ? block->block.data[e] : 0.0) + arguments[1].number;
    return true;
}

bool super_add_to_diagonal(struct super_argument *arguments, int count,
                           struct super_context *context)
{
    return change_diagonal(arguments, count, context, true);
}

bool super_set_diagonal(struct super_argument *arguments, int count, struct super_context *context)
{
    return change_diagonal(arguments, count, context, false);
}

/* Virtual orbital p has the energy gap/2 + step p, occupied orbital p -gap/2 - step p, so no
 * difference is 0. */
bool super_denominator(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bnn", context))
        return false;
    struct super_argument *block = &arguments[0];
    double gap = arguments[1].number, step = arguments[2].number;
    if (block->block.rank % 2 != 0)
        return super_fail(
            context, "the block of %s has rank %d: as many occupied as virtual indices are needed",
            block->block.array, block->block.rank);
    if (!(gap > 0.0) || !(step >= 0.0))
        return super_fail(context, "the gap must be above 0 and the step at least 0");
    size_t elements = super_elements(block);
    for (size_t e = 0; e < elements; e++) {
        double difference = 0.0;
        for (int d = 0; d < block->block.rank; d++)
            difference -= gap / 2.0 + step * (double)super_position(block, e, d);
        block->block.data[e] = difference;
    }
    return true;
}
