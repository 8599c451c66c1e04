/* Blocks filled with data that depend on the block alone, so on neither worker nor order. */
#include "common/random.h"
#include "common/error.h"
#include "prefetch/sip/super_internal.h"

enum { LARGEST_IN_CYCLE = 20 };

enum dm_status super_fill_cyclic(struct prefetch_argument *arguments, int count,
                                 struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bn"));
    double next = arguments[1].number;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        arguments[0].block.data[e] = next;
        next = next + 1.0 > LARGEST_IN_CYCLE ? 1.0 : next + 1.0;
    }
    return DM_OK;
}

enum dm_status super_fill_sequential(struct prefetch_argument *arguments, int count,
                                     struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bn"));
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        arguments[0].block.data[e] = arguments[1].number + (double)e;
    return DM_OK;
}

static uint64_t key_of(const struct prefetch_context *context, double own_seed)
{
    return random_bits(context->seed, (uint64_t)(int64_t)own_seed);
}

static double uniform(uint64_t key, uint64_t index)
{
    return 2.0 * random_uniform(key, index) - 1.0;
}

enum dm_status super_fill_random(struct prefetch_argument *arguments, int count,
                                 struct prefetch_context *context)
{
    TRY(super_expect(arguments, count, "bi"));
    uint64_t key = key_of(context, arguments[1].number);
    for (const char *letter = arguments[0].block.array; *letter; letter++)
        key = random_bits(key, (unsigned char)*letter);
    key = random_bits(key, (uint64_t)arguments[0].block.number);
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        arguments[0].block.data[e] = uniform(key, e);
    return DM_OK;
}

/* The same for every order of the positions: they enter as the sum of their random bits. */
enum dm_status super_fill_symmetric(struct prefetch_argument *arguments, int count,
                                    struct prefetch_context *context)
{
    TRY(super_expect(arguments, count, "bi"));
    uint64_t key = key_of(context, arguments[1].number);
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        uint64_t sum = 0;
        for (int d = 0; d < arguments[0].block.rank; d++)
            sum += random_bits(key, (uint64_t)super_position(&arguments[0], e, d));
        arguments[0].block.data[e] = uniform(key, sum);
    }
    return DM_OK;
}

enum dm_status super_fill_position(struct prefetch_argument *arguments, int count,
                                   struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "bi"));
    int rank = arguments[0].block.rank;
    if (arguments[1].number < 1 || arguments[1].number > rank)
        return dm_fail(DM_INVALID, "argument 2 must be a dimension of the block, 1 to %d", rank);
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        arguments[0].block.data[e] =
            (double)super_position(&arguments[0], e, (int)arguments[1].number - 1) + 1.0;
    return DM_OK;
}
