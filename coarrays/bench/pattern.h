/* pattern.h: memory in which it shows what a transfer wrote, and where.
 *
 *     guard          element 0  gap  element 1  gap ... element n-1  guard
 *     PATTERN_GUARD             stride - 1
 *
 * Elements are random numbers in [0, 1), all else is PATTERN_EMPTY. */
#ifndef COARRAYS_BENCH_PATTERN_H
#define COARRAYS_BENCH_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/* Whole cache lines, so that guards do not move the elements off them. */
enum { PATTERN_GUARD = 8 };
#define PATTERN_EMPTY 2.0

struct pattern {
    size_t elements, stride; /* both at least 1 */
};

/* Doubles that it takes, guards included. */
size_t pattern_length(struct pattern pattern);

/* No elements yet. */
void pattern_clear(double *memory, struct pattern pattern);

/* The elements that belong to the seed, and nothing else. */
void pattern_fill(double *memory, struct pattern pattern, uint64_t seed);

/* Number of doubles that differ from pattern_clear's and from pattern_fill's.
 */
long pattern_wrong_empty(const double *memory, struct pattern pattern);
long pattern_wrong(const double *memory, struct pattern pattern, uint64_t seed);

#endif
