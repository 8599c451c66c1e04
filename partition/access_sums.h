/* access_sums.h: sums of variables that lie between bounds, for access_direct.c. */
#ifndef ACCESS_SUMS_H
#define ACCESS_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access_internal.h"

/* Variables: for each dimension of the grid the thread in the grid, the thread in its block, and
 * the block; one for each index that has two bounds instead of a value; and quotients. */
enum {
    SUM_THREADS = 0,
    SUM_INSIDE = 3,
    SUM_BLOCKS = 6,
    SUM_FREE = 9,
    SUM_QUOTIENTS = SUM_FREE + ACCESS_MAX_DIMS,
    SUM_QUOTIENTS_MAX = 4,
    SUM_VARIABLES = SUM_QUOTIENTS + SUM_QUOTIENTS_MAX
};

/* low, low + 1 ... high; empty if low > high. */
struct range {
    int64_t low, high;
};

/* factors * variables + indices * (the indices of the array) + constant. As a constraint it is 0,
 * or at least 0. */
struct sum {
    bool is_equality;
    int64_t factors[SUM_VARIABLES], indices[ACCESS_MAX_DIMS], constant;
};

/* *sum += factor * value; false: that is too large. */
bool sum_add_number(int64_t *sum, int64_t factor, int64_t value);
/* The same of all but the indices. */
bool sum_add(struct sum *to, int64_t factor, const struct sum *sum);

/* The place of the only number that is not 0; -1: there is none, -2: there are several. */
int sum_only_one(const int64_t *numbers, int count);
static inline bool sum_is_constant(const struct sum *sum)
{
    return sum_only_one(sum->factors, SUM_VARIABLES) == -1;
}
/* Whether each number has a negative, and can be added to another. */
bool sum_is_small(const struct sum *sum);

/* The smallest and the largest value without the indices; false: a number is too large. */
bool sum_bounds(const struct sum *sum, const struct range *variables, struct range *bounds);

int64_t floor_divide(int64_t number, int64_t divisor); /* divisor > 0 */
/* Narrows the range to where factor * value + constant >= 0, factor != 0. */
void range_bound(struct range *range, int64_t factor, int64_t constant);

#endif
