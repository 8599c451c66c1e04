/* bench_loads.h: what blocks of a cooperative launch do that wait for one another or for memory,
 * sampled and verified. */
#ifndef BENCH_LOADS_H
#define BENCH_LOADS_H

#include "bench_cycle.h"
#include "bench_residency.h"

struct loads {
    struct cycle cycle;
    long chains, steps;
    uint64_t turn;    /* samples of chases so far */
    unsigned *starts; /* of the chains */
    /* Device memory: the cycle, where each chain is, and two words. */
    unsigned *next, *places, *words;
};

/* A launch; errors are added to those of earlier samples. */
struct loads_launch {
    int blocks, threads;
    long errors;
};

/* `entries` that point to one another, and as many chains along them. Memory is that of the open
 * scope, except for the cycle: cycle_free. */
struct loads loads_open(size_t entries, long chains, long steps, uint64_t seed);

/* Time in s in which all blocks meet; in which they add all entries; in which they follow all
 * chains from random starts. */
double loads_sample_barrier(struct loads *loads, struct loads_launch *launch);
double loads_sample_stream(struct loads *loads, struct loads_launch *launch);
double loads_sample_chase(struct loads *loads, struct loads_launch *launch);

#endif
