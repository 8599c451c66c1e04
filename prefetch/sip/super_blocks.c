/* Operations on the elements of blocks that the language has no operator for. */
#include <stdbool.h>

#include "common/error.h"
#include "prefetch/sip/super_internal.h"

enum dm_status super_divide(struct prefetch_argument *arguments, int count,
                            struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bb"));
    TRY(super_same_shape(&arguments[0], &arguments[1]));
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        double divisor = arguments[1].block.data[e];
        if (divisor == 0.0)
            return dm_fail(DM_INVALID, "element %zu of the divisor, a block of %s, is 0", e,
                           arguments[1].block.array);
        arguments[0].block.data[e] /= divisor;
    }
    return DM_OK;
}

/* Changes the elements whose positions in the whole array agree. */
static enum dm_status change_diagonal(struct prefetch_argument *arguments, int count, bool keep)
{
    TRY(super_expect(arguments, count, "bn"));
    struct prefetch_argument *block = &arguments[0];
    if (block->block.rank != 2)
        return dm_fail(DM_INVALID, "the block of %s has rank %d: a diagonal needs rank 2",
                       block->block.array, block->block.rank);
    size_t elements = super_elements(block);
    for (size_t e = 0; e < elements; e++)
        if (super_position(block, e, 0) == super_position(block, e, 1))
            block->block.data[e] = (keep ? block->block.data[e] : 0.0) + arguments[1].number;
    return DM_OK;
}

enum dm_status super_add_to_diagonal(struct prefetch_argument *arguments, int count,
                                     struct prefetch_context *context)
{
    (void)context;
    return change_diagonal(arguments, count, true);
}

enum dm_status super_set_diagonal(struct prefetch_argument *arguments, int count,
                                  struct prefetch_context *context)
{
    (void)context;
    return change_diagonal(arguments, count, false);
}

/* Virtual orbital p has the energy gap/2 + step p, occupied orbital p -gap/2 - step p, so no
 * difference is 0. */
enum dm_status super_denominator(struct prefetch_argument *arguments, int count,
                                 struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bnn"));
    struct prefetch_argument *block = &arguments[0];
    double gap = arguments[1].number, step = arguments[2].number;
    if (block->block.rank % 2 != 0)
        return dm_fail(
            DM_INVALID,
            "the block of %s has rank %d: as many occupied as virtual indices are needed",
            block->block.array, block->block.rank);
    if (!(gap > 0.0) || !(step >= 0.0))
        return dm_fail(DM_INVALID, "the gap must be above 0 and the step at least 0");
    size_t elements = super_elements(block);
    for (size_t e = 0; e < elements; e++) {
        double difference = 0.0;
        for (int d = 0; d < block->block.rank; d++)
            difference -= gap / 2.0 + step * (double)super_position(block, e, d);
        block->block.data[e] = difference;
    }
    return DM_OK;
}
