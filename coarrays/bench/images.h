/* images.h: what the programs that run on several images ask about them. */
#ifndef COARRAYS_BENCH_IMAGES_H
#define COARRAYS_BENCH_IMAGES_H

#include <stdbool.h>

#include "coarrays/caf.h"
#include "common/harness/program.h"

#include "kernels.h"

/* Number of nodes that the images lie on: distinct shared-memory domains.
 * Collective. */
int images_nodes(void);

/* Sum over all images, for errors that each has counted in its part.
 * Collective. */
long images_sum(long value);

/* An option that every image sees to be wrong: the first one says so, and the
 * job ends. */
void images_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Refuses what would take more than half of the machine's memory: `bytes` are
 * those of one image in all variants, `what` begins the sentence. Collective.
 */
void images_need_memory(double bytes, const char *what);

/* Measures each of the program's sizes with the library started. A size in bytes that MPI's counts
 * cannot hold, or 0, is refused before. Collective. */
void images_each_size(struct run *run, void (*measure_size)(struct run *run, size_t bytes));

/* Loads the kernels of a variant if --variants left it on; records it as waived
 * if it cannot be had. False: it takes no part. Collective. */
bool images_load(struct run *run, const char *variant, struct kernels *kernels);

/* Ends the program unless `expression`, a call of caf.h, returns CAF_OK. */
#define check_caf(expression)                                                                      \
    do {                                                                                           \
        if ((expression) != CAF_OK)                                                                \
            fail_expression(#expression, caf_error_text(), __FILE__, __LINE__);                    \
    } while (0)

#endif
