/* bench_companion.h: a thread that runs beside a piece of work and sees what that takes. */
#ifndef BENCH_COMPANION_H
#define BENCH_COMPANION_H

#include <stddef.h>

typedef void companion_work(void *context);

/* Executes the work on the core where the caller is, beside a loop that only computes and is bound
 * to the same core. Returns the share of the time in which the loop could run: 1 if the work left
 * the core free, about 0.5 if it took all it could get. Source: Cui, 4.1 (the CPU is free for other
 * work). */
double companion_free_share(companion_work *work, void *context);

/* Executes the work and returns the maximum of bytes of the current device's memory that were in
 * use meanwhile, seen at the end at the latest, whoever used them. */
size_t companion_peak_in_use(companion_work *work, void *context);

#endif
