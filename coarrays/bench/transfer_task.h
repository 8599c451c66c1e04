/* transfer_task.h: one transfer of one variant: who works with whom, a sample of it, and whether
 * the data came where they belong. */
#ifndef COARRAYS_BENCH_TRANSFER_TASK_H
#define COARRAYS_BENCH_TRANSFER_TASK_H

#include <stdbool.h>

#include "pattern.h"
#include "transfer.h"

enum transfer_operation { PUT, GET, OPERATIONS };

/* Image 1 with the last image; or each of the first half with the image that is half their number
 * further. */
enum transfer_partners { SINGLE, MULTI };

struct transfer_task {
    int variant;
    const struct transfer_kernels *kernels;
    bool local; /* within the image's own memory: there is no partner */
    enum transfer_operation operation;
    enum transfer_partners partners;
    struct pattern pattern, packed; /* in the coarray, and here */
    uint64_t seed;
    double *memory, *local_memory;
    int times; /* operations of a sample */
};

/* Allocates and fills what the members up to `seed` require; the task is a struct transfer_task.
 * Collective. */
void transfer_task_open(struct transfer_task *task);
void transfer_task_close(void *task);

/* Does the operations of a sample and returns the time of one. */
double transfer_sample(void *task);

/* Doubles of all images that are not what they should be after the samples: in the coarrays after
 * puts, in the images' own memory after gets. Collective. */
long transfer_errors(const struct transfer_task *task);

#endif
