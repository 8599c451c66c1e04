/* intervals_test.h: sets as one flag per element, against which sets of
 * intervals are checked. */
#ifndef INTERVALS_TEST_H
#define INTERVALS_TEST_H

#include <string.h>

#include "common/random.h"
#include "partition/intervals.h"

enum { FLAGS = 96 };

/* A random number below `bound`; each call gives another one. */
static inline int64_t next_random(uint64_t bound)
{
    static uint64_t calls;
    return (int64_t)random_below(2016, calls++, bound);
}

/* Runs of ones and zeros of 1 to `longest` elements. */
static inline void random_flags(bool flags[FLAGS], uint64_t longest)
{
    bool flag = next_random(2);
    for (int i = 0; i < FLAGS; flag = !flag)
        for (int64_t run = 1 + next_random(longest); run > 0 && i < FLAGS; run--)
            flags[i++] = flag;
}

/* Pushed element by element from the last to the first, so that normalising has
 * work to do. */
static inline enum dm_status set_of_flags(struct partition_intervals *set, const bool flags[FLAGS])
{
    set->count = 0;
    for (int i = FLAGS - 1; i >= 0; i--)
        if (flags[i] && partition_intervals_push(set, i, i + 1) != DM_OK)
            return DM_NO_MEMORY;
    partition_intervals_normalise(set);
    return DM_OK;
}

static inline bool is_normal(const struct partition_intervals *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].begin >= set->items[i].end ||
            (i > 0 && set->items[i].begin <= set->items[i - 1].end))
            return false;
    return true;
}

/* Whether the set is in normal form and has exactly the elements with a flag.
 */
static inline bool has_flags(const struct partition_intervals *set, const bool flags[FLAGS])
{
    bool found[FLAGS] = {0};
    for (size_t i = 0; i < set->count; i++)
        for (int64_t k = set->items[i].begin; k < set->items[i].end; k++) {
            if (k < 0 || k >= FLAGS)
                return false;
            found[k] = true;
        }
    return is_normal(set) && memcmp(found, flags, FLAGS * sizeof *flags) == 0;
}

#endif
