/* sync_task.h: one operation of one variant: who takes part in it, a sample of it, and whether it
 * did what it is for. */
#ifndef COARRAYS_BENCH_SYNC_TASK_H
#define COARRAYS_BENCH_SYNC_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "sync.h"

enum sync_operation {
    SYNC_ALL,     /* all images */
    SYNC_PAIR,    /* sync images of pairs half the number of images apart */
    SYNC_RING,    /* sync images with both neighbours */
    EVENT,        /* the same pairs: a post and the wait for it */
    LOCK,         /* the last image, a lock of image 1 */
    CRITICAL,     /* all images */
    ATOMIC_ADD,   /* the last image to a word of image 1 */
    FETCH_ADD,    /* the same with the old value */
    CO_SUM,       /* one double */
    CO_BROADCAST, /* one double from image 1 */
    ALLOCATE,     /* and deallocate, SYNC_ALLOCATED doubles */
    OPERATIONS
};
extern const char *const sync_operation_names[]; /* ended by NULL */

struct sync_task {
    int variant;
    enum sync_operation operation;
    const struct sync_kernels *kernels;
    int times;        /* operations of a sample */
    int image;        /* the partner, or the image that is worked on */
    int neighbour[2]; /* for sync images */
    int neighbours;
    bool active;          /* this image takes part */
    uint32_t word_before; /* this image's word before all samples */
    uint32_t added;       /* by this image to the word of `image` in all samples */
};

/* Fills the members below `operation`. Collective. */
void sync_task_open(struct sync_task *task, const struct sync_kernels *kernels);

/* A sample of measure(); `context` is a struct sync_task. */
double sync_sample(void *context);

/* Checks the samples, as far as they leave something, and the operation itself: what was written
 * before a sync is there after it, counts and sums are exact, additions in a critical section do
 * not get lost. The number of errors of all images. Collective. */
long sync_errors(const struct sync_task *task);

/* Whether atomic_fetch_add gives the old values. Collective. */
bool sync_fetches(const struct sync_task *task);

#endif
