/* collective_task.h: a sum or a broadcast of doubles over all images, or a barrier, by this library
 * or MPI. */
#ifndef COARRAYS_BENCH_COLLECTIVE_TASK_H
#define COARRAYS_BENCH_COLLECTIVE_TASK_H

#include <stddef.h>

enum collective_variant { COLLECTIVE_CAF, COLLECTIVE_MPI };
enum collective_operation { COLLECTIVE_SUM, COLLECTIVE_BROADCAST, COLLECTIVE_BARRIER };

struct collective_task {
    int variant; /* enum collective_variant */
    enum collective_operation operation;
    size_t count;
    double *values; /* memory of scope.h */
    int times;      /* operations of a sample */
};

/* Fills the members below `count`. Collective, as are all of these. */
void collective_open(struct collective_task *task);

/* Seconds of one operation on this image; `task` is a struct collective_task. */
double collective_sample(void *task);

/* Wrong results of one more operation on other values, over all images; of a barrier on one node,
 * how many left it before the last had come. */
long collective_errors(struct collective_task *task);

#endif
