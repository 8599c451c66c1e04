/* disturb.h: takes the cores away in bursts, as the other guests of a virtual machine's host
 * do: the CPU becomes unstable, on purpose and from a seed.
 *
 * Every core that the process may use has a thread bound to it, which sleeps and computes by a
 * common plan: pauses and bursts between 2 ms and 0.4 s (log-uniform), in each burst another share
 * of the cores. */
#ifndef SPMV_BENCH_DISTURB_H
#define SPMV_BENCH_DISTURB_H

#include <stdbool.h>
#include <stdint.h>

struct spmv_disturb;

/* Ends the program if a thread cannot be started. */
struct spmv_disturb *spmv_disturb_start(uint64_t seed);

/* Whether bursts take place; the plan goes on meanwhile. They do after the start. */
void spmv_disturb_enable(struct spmv_disturb *disturb, bool enabled);

/* Ends the threads, within some 10 ms. */
void spmv_disturb_stop(struct spmv_disturb *disturb);

#endif
