/* fetch_add_task.h: contenders that add to a counter on image 1, which computes meanwhile: a sample
 * of it, and whether each number was handed out once. */
#ifndef COARRAYS_BENCH_FETCH_ADD_TASK_H
#define COARRAYS_BENCH_FETCH_ADD_TASK_H

#include "coarrays/hetero/tasks_counter.h"
#include "coarrays/hetero/tasks_progress.h"

struct fetch_add_task {
    int variant;
    int contenders; /* images that add, from image 2 on */
    int per_request;
    enum tasks_progress progress; /* of image 1 */
    double slice_s;               /* computation of image 1 between two probes */
    int times;                    /* requests of each contender in a sample */
    /* ---- */
    struct tasks_counter counter;
    struct tasks_counter
        ended; /* samples that contenders have ended: image 1 computes until then */
    int samples;
    /* How many numbers this image has got, and the sum of random_bits of each, which shows almost
     * certainly whether they are the right ones, and costs a nanosecond. */
    uint64_t requests, fingerprint;
};

/* The counter is in a coarray or in an MPI window. Collective, as are all of these; `task` is a
 * struct fetch_add_task. */
void fetch_add_open(struct fetch_add_task *task, bool in_coarray);
void fetch_add_close(void *task);

/* The time of one request on this image; 0 on images that make none. */
double fetch_add_sample(void *task);

/* All requests together must have got 0, k, 2 k, ..., modulo 2^32, each once, and the counter must
 * stand at the next one: 1 for either that is wrong. */
long fetch_add_errors(const struct fetch_add_task *task);

#endif
