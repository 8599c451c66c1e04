/* bench_cycle.h: entries that point to one another in one random cycle, as work that waits for
 * memory. */
#ifndef BLP_BENCH_CYCLE_H
#define BLP_BENCH_CYCLE_H

#include <stddef.h>
#include <stdint.h>

struct blp_bench_cycle {
    size_t entries;  /* at least 2, less than 2^32 */
    unsigned *order; /* the entries in the cycle's order, from entry 0 */
    unsigned *rank;  /* the place of each in that order */
};

void blp_bench_cycle_make(struct blp_bench_cycle *cycle, size_t entries, uint64_t seed);
void blp_bench_cycle_free(struct blp_bench_cycle *cycle);

/* next[i]: the entry behind entry i. */
void blp_bench_cycle_next(const struct blp_bench_cycle *cycle, unsigned *next);

/* How many chains that began at starts[i] are not, after that many steps, at places[i]. */
long blp_bench_cycle_wrong(const struct blp_bench_cycle *cycle, const unsigned *starts,
                           const unsigned *places, long chains, long steps);

#endif
