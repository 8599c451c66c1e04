/* bench_cycle.h: entries that point to one another in one random cycle, as work that waits for
 * memory. */
#ifndef BENCH_CYCLE_H
#define BENCH_CYCLE_H

#include <stddef.h>
#include <stdint.h>

struct cycle {
    size_t entries;  /* at least 2, less than 2^32 */
    unsigned *order; /* the entries in the cycle's order, from entry 0 */
    unsigned *rank;  /* the place of each in that order */
};

void cycle_make(struct cycle *cycle, size_t entries, uint64_t seed);
void cycle_free(struct cycle *cycle);

/* next[i]: the entry behind entry i. */
void cycle_next(const struct cycle *cycle, unsigned *next);

/* How many chains that began at starts[i] are not, after that many steps, at places[i]. */
long cycle_wrong(const struct cycle *cycle, const unsigned *starts, const unsigned *places,
                 long chains, long steps);

#endif
