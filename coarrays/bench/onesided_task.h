/* onesided_task.h: a put to an image that comes late, or a broadcast from image 1: a sample of it,
 * and whether the data arrived. */
#ifndef COARRAYS_BENCH_ONESIDED_TASK_H
#define COARRAYS_BENCH_ONESIDED_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <mpi.h>

#include <datamotion/coarrays.h>

enum onesided_variant {
    ONESIDED_PASSIVE,    /* late target: caf_put and caf_sync_memory */
    ONESIDED_ACTIVE,     /* late target: MPI_Put between fences, to which the target comes */
    ONESIDED_COLLECTIVE, /* caf_broadcast */
    ONESIDED_PUTS        /* image 1 puts to each other image */
};

struct onesided_task {
    int variant;
    size_t bytes;
    double late_s; /* how long the target, the last image, computes before it comes */
    uint64_t seed;
    struct caf_coarray *coarray;
    char *memory; /* what arrives here */
    char *source; /* on image 1: what is sent; memory of scope.h */
    MPI_Win window;
};

bool onesided_is_late(const struct onesided_task *task);

/* Fills the members below `late_s`. Collective, as are all of these; `task` is a
 * struct onesided_task. */
void onesided_open(struct onesided_task *task, uint64_t seed);
void onesided_close(void *task);

/* A late put is timed at its origin, a broadcast everywhere. */
double onesided_sample(void *task);

/* Bytes that did not arrive, over all images. */
long onesided_errors(const struct onesided_task *task);

#endif
