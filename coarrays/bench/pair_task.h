/* pair_task.h: one block between the images of each pair, all pairs at once: a sample of it, and
 * whether the block is the partner's. Image i works with image i + images / 2. */
#ifndef COARRAYS_BENCH_PAIR_TASK_H
#define COARRAYS_BENCH_PAIR_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <mpi.h>

#include <datamotion/coarrays.h>

enum pair_variant {
    PAIR_SENDRECV, /* both send, one after the other */
    PAIR_MPI_GET,  /* the first of the pair gets */
    PAIR_CAF_GET   /* likewise */
};

struct pair_task {
    int variant;
    size_t bytes; /* of a block */
    int times;    /* transfers of a sample */
    int partner;  /* rank */
    bool is_first;
    uint64_t seed;
    struct caf_coarray *coarray;
    MPI_Win window;
    char *source;  /* this image's block, in the window or coarray of the variants that get */
    char *arrived; /* the partner's; both in memory of scope.h elsewhere */
};

/* Fills all members but `variant`, `bytes` and `times`. Collective, as are all of these; `task` is
 * a struct pair_task. */
void pair_open(struct pair_task *task, uint64_t seed);
void pair_close(void *task);

/* The time of one block on this image; 0 on images that only wait. */
double pair_sample(void *task);

/* Bytes that are not the partner's, over all images that receive. */
long pair_errors(const struct pair_task *task);

#endif
