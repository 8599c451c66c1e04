#include "bench_cycle.h"

#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/random.h"

/* A random order of all entries but the first, which stays: Fisher and Yates' shuffle. */
void cycle_make(struct cycle *cycle, size_t entries, uint64_t seed)
{
    cycle->entries = entries;
    cycle->order = allocate_or_fail(entries, sizeof(unsigned));
    cycle->rank = allocate_or_fail(entries, sizeof(unsigned));
    for (size_t i = 0; i < entries; i++)
        cycle->order[i] = (unsigned)i;
    for (size_t i = entries - 1; i > 1; i--) {
        const size_t other = 1 + (size_t)random_below(seed, i, i);
        const unsigned entry = cycle->order[i];
        cycle->order[i] = cycle->order[other];
        cycle->order[other] = entry;
    }
    for (size_t i = 0; i < entries; i++)
        cycle->rank[cycle->order[i]] = (unsigned)i;
}

void cycle_free(struct cycle *cycle)
{
    free(cycle->order);
    free(cycle->rank);
}

void cycle_next(const struct cycle *cycle, unsigned *next)
{
    for (size_t i = 0; i < cycle->entries; i++)
        next[cycle->order[i]] = cycle->order[(i + 1) % cycle->entries];
}

long cycle_wrong(const struct cycle *cycle, const unsigned *starts, const unsigned *places,
                 long chains, long steps)
{
    long wrong = 0;
    for (long chain = 0; chain < chains; chain++) {
        const size_t end = cycle->rank[starts[chain]] + (size_t)steps;
        wrong += places[chain] != cycle->order[end % cycle->entries];
    }
    return wrong;
}
