/* Blocks filled with data that depend on the block alone, so on neither worker nor order. */
#include "common/random.h"
#include "prefetch/sip/super_internal.h"

enum { LARGEST_IN_CYCLE = 20 };

bool super_fill_cyclic(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bn", context))
        return false;
    double next = arguments[1].number;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        arguments[0].block.data[e] = next;
        next = next + 1.0 > LARGEST_IN_CYCLE ? 1.0 : next + 1.0;
    }
    return true;
}

bool super_fill_sequential(struct super_argument *arguments, int count,
                           struct super_context *context)
{
    if (!super_expect(arguments, count, "bn", context))
        return false;
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        arguments[0].block.data[e] = arguments[1].number + (double)e;
    return true;
}

static uint64_t key_of(const struct super_context *context, double own_seed)
{
    return random_bits(context->seed, (uint64_t)(int64_t)own_seed);
}

static double uniform(uint64_t key, uint64_t index)
{
    return 2.0 * random_uniform(key, index) - 1.0;
}

bool super_fill_random(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bi", context))
        return false;
    uint64_t key = key_of(context, arguments[1].number);
    for (const char *letter = arguments[0].block.array; *letter; letter++)
        key = random_bits(key, (unsigned char)*letter);
    key = random_bits(key, (uint64_t)arguments[0].block.number);
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        arguments[0].block.data[e] = uniform(key, e);
    return true;
}

/* The same for every order of the positions: they enter as the sum of their random bits. */
bool super_fill_symmetric(struct super_argument *arguments, int count,
                          struct super_context *context)
{
    if (!super_expect(arguments, count, "bi", context))
        return false;
    uint64_t key = key_of(context, arguments[1].number);
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++) {
        uint64_t sum = 0;
        for (int d = 0; d < arguments[0].block.rank; d++)
            sum += random_bits(key, (uint64_t)super_position(&arguments[0], e, d));
        arguments[0].block.data[e] = uniform(key, sum);
    }
    return true;
}

bool super_fill_position(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "bi", context))
        return false;
    int rank = arguments[0].block.rank;
    if (arguments[1].number < 1 || arguments[1].number > rank)
        return super_fail(context, "argument 2 must be a dimension of the block, 1 to %d", rank);
    size_t elements = super_elements(&arguments[0]);
    for (size_t e = 0; e < elements; e++)
        arguments[0].block.data[e] =
            (double)super_position(&arguments[0], e, (int)arguments[1].number - 1) + 1.0;
    return true;
}
