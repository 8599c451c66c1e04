/* bench_loads.h: what blocks of a cooperative launch do that wait for one another or for memory,
 * sampled and verified. */
#ifndef BLP_BENCH_LOADS_H
#define BLP_BENCH_LOADS_H

#include "bench_cycle.h"
#include "bench_residency.h"

struct blp_bench_loads {
    struct blp_bench_cycle cycle;
    long chains, steps;
    uint64_t turn;    /* samples of chases so far */
    unsigned *starts; /* of the chains */
    /* Device memory: the cycle, where each chain is, and two words. */
    unsigned *next, *places, *words;
};

/* A launch; errors are added to those of earlier samples. */
struct blp_bench_launch {
    int blocks, threads;
    long errors;
};

/* `entries` that point to one another, and as many chains along them. Memory is that of the open
 * scope, except for the cycle: blp_bench_cycle_free. */
struct blp_bench_loads blp_bench_loads_open(size_t entries, long chains, long steps, uint64_t seed);

/* Time in s in which all blocks meet; in which they add all entries; in which they follow all
 * chains from random starts. */
double blp_bench_sample_barrier(struct blp_bench_loads *loads, struct blp_bench_launch *launch);
double blp_bench_sample_stream(struct blp_bench_loads *loads, struct blp_bench_launch *launch);
double blp_bench_sample_chase(struct blp_bench_loads *loads, struct blp_bench_launch *launch);

#endif
