#include "pattern.h"

#include "common/random.h"

size_t pattern_length(struct pattern pattern)
{
    return (pattern.elements - 1) * pattern.stride + 1 + 2 * PATTERN_GUARD;
}

void pattern_clear(double *memory, struct pattern pattern)
{
    for (size_t i = 0; i < pattern_length(pattern); i++)
        memory[i] = PATTERN_EMPTY;
}

void pattern_fill(double *memory, struct pattern pattern, uint64_t seed)
{
    pattern_clear(memory, pattern);
    for (size_t i = 0; i < pattern.elements; i++)
        memory[PATTERN_GUARD + i * pattern.stride] = random_uniform(seed, i);
}

long pattern_wrong_empty(const double *memory, struct pattern pattern)
{
    long wrong = 0;
    for (size_t i = 0; i < pattern_length(pattern); i++)
        wrong += memory[i] != PATTERN_EMPTY;
    return wrong;
}

long pattern_wrong(const double *memory, struct pattern pattern, uint64_t seed)
{
    /* Whatever is not empty is wrong but for the elements, which have their
     * values. */
    long wrong = pattern_wrong_empty(memory, pattern);
    for (size_t i = 0; i < pattern.elements; i++) {
        double value = memory[PATTERN_GUARD + i * pattern.stride];
        wrong += (value != random_uniform(seed, i)) - (value != PATTERN_EMPTY);
    }
    return wrong;
}
