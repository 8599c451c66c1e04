/* stealing_internal.h: what a struct stealing holds. */
#ifndef COARRAYS_HETERO_STEALING_INTERNAL_H
#define COARRAYS_HETERO_STEALING_INTERNAL_H

#include <datamotion/coarrays.h>

#include "stealing.h"

/* What the others see of an image, in a coarray; changed by atomic steps only. */
struct part {
    int32_t next;     /* task that is taken next; from `tasks` on there is none left */
    int32_t task_ns;  /* smoothed time of the image's own tasks; 0: none is finished */
    int32_t threads;  /* with which it computes; 0: it has handed them on */
    int32_t finished; /* images that compute no more, counted at each image */
};

/* In a coarray of the owner, put there by whoever computed it. */
struct result {
    uint64_t sum;
    int64_t image; /* 0: not computed */
};

struct stealing {
    struct stealing_problem problem;
    int image, images;
    size_t count; /* numbers of data per task */
    struct caf_coarray *parts, *data, *results;
    uint64_t *own_data;
    struct result *own_results;
    uint64_t *stolen_data;
    uint64_t *expected; /* sums of the own tasks, or NULL */
    /* of the last run, by this image */
    int64_t steps_done, tasks_done, threads_handed;
    int threads_max;
};

#endif
