/* images.h: what the programs that run on several images share. */
#ifndef COARRAYS_BENCH_IMAGES_H
#define COARRAYS_BENCH_IMAGES_H

#include <stdbool.h>

#include <datamotion/coarrays.h>

#include "common/harness/program.h"

#include "kernels.h"

/* Number of nodes that the images lie on: distinct shared-memory domains. The first call is
 * collective. */
int images_nodes(void);

/* Sum over all images, for errors that each has counted in its part. Collective. */
long images_sum(long value);

/* Ends the job for a reason that every image sees: the first one states it. */
void images_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Refuses fewer images than `count`. */
void images_need(const struct run *run, int count);

/* The largest of the program's sizes; refuses those above `limit`. `what` begins the sentence: "a
 * block". */
size_t images_largest_size(const struct run *run, const char *what, size_t limit);

/* Refuses what would take more than half of the machine's memory: `bytes` are those of one image in
 * all variants, `what` begins the sentence. Collective. */
void images_need_memory(double bytes, const char *what);

/* Measures each of the program's sizes, in bytes, with the library started. Those that MPI's counts
 * may not hold are refused before. Collective. */
void images_each_size(struct run *run, void (*measure_size)(struct run *run, size_t bytes));

/* Loads the Fortran kernels of the program's variants, an element of `kernels` for each. The handle
 * is NULL for variants in C, for those that --variants left out, and for those that are not
 * available: that is recorded as waived, once. Collective, as is unloading. */
void images_load(struct run *run, const char *group, struct kernels *kernels);
void images_unload(const struct run *run, struct kernels *kernels);

#endif
