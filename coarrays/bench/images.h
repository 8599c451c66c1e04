/* images.h: what the programs that run on several images share. */
#ifndef COARRAYS_BENCH_IMAGES_H
#define COARRAYS_BENCH_IMAGES_H

#include <stdbool.h>

#include "coarrays/caf.h"
#include "common/harness/program.h"

#include "kernels.h"

/* Number of nodes that the images lie on: distinct shared-memory domains. The first call is
 * collective. */
int images_nodes(void);

/* Sum over all images, for errors that each has counted in its part. Collective. */
long images_sum(long value);

/* Ends the job for a reason that every image sees: the first one states it. */
void images_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Start and end this library. Collective. */
void images_start(void);
void images_end(void);

/* Refuses fewer images than `count`. */
void images_need(const struct run *run, int count);

/* Refuses what would take more than half of the machine's memory: `bytes` are those of one image in
 * all variants, `what` begins the sentence. Collective. */
void images_need_memory(double bytes, const char *what);

/* Measures each of the program's sizes with the library started. A size in bytes that MPI's counts
 * cannot hold is refused before. Collective. */
void images_each_size(struct run *run, void (*measure_size)(struct run *run, size_t bytes));

/* Loads the Fortran kernels of the program's variants, an element of `kernels` for each. The handle
 * is NULL for variants in C, for those that --variants left out, and for those that are not
 * available: that is recorded as waived, once. Collective, as is unloading. */
void images_load(struct run *run, const char *group, struct kernels *kernels);
void images_unload(const struct run *run, struct kernels *kernels);

/* Ends the program unless `expression`, a call of caf.h, returns CAF_OK. */
#define check_caf(expression)                                                                      \
    do {                                                                                           \
        if ((expression) != CAF_OK)                                                                \
            fail_expression(#expression, caf_error_text(), __FILE__, __LINE__);                    \
    } while (0)

#endif
