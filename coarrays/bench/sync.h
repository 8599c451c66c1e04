/* sync.h: what coarrays_sync times and checks, by variant. */
#ifndef COARRAYS_BENCH_SYNC_H
#define COARRAYS_BENCH_SYNC_H

#include "kernels.h"

/* The Fortran variants have these procedures in bench/sync_coarray.f90 and
 * sync_mpi.f90. Each image has an atomic word, a counter, a lock and an event;
 * open makes them, all zero. */
struct sync_kernels {
    void (*open)(void);
    void (*close)(void);

    /* ---- timed; each does its operation `times` times ---- */

    void (*all)(int times);                                 /* sync all */
    void (*images)(int times, int count, const int *image); /* sync images */
    /* Post to the partner and wait for its post, or the other way round if not
     * `first`. */
    void (*event)(int times, int partner, int first);
    void (*lock)(int times, int image); /* lock and unlock that image's lock */
    void (*critical)(int times);        /* enter and leave the critical section */
    void (*add)(int times, int image);  /* atomic add of 1, complete after the last */
    /* Atomic fetch and add of 1; the sum of what was fetched. */
    double (*fetch_add)(int times, int image);
    double (*sum)(int times, double value);       /* co_sum of it; the result */
    double (*broadcast)(int times, double value); /* co_broadcast from image 1; the result */
    void (*allocate)(int times);                  /* allocate and deallocate a coarray of
                                                     SYNC_ALLOCATED doubles */

    /* ---- for the checks ---- */

    void (*define)(int image, int value);     /* atomic define of that image's word */
    int (*word)(void);                        /* this image's word */
    void (*locked_add)(int times, int image); /* add 1, not atomic, to its counter under its lock */
    void (*critical_add)(int times);          /* the same to image 1's in the critical section */
    int (*counter)(void);                     /* this image's counter */
    void (*post)(int times, int image);       /* posts to that image's event */
    int (*posted)(void);                      /* posts that have come and are not waited for */
    void (*take)(int count);                  /* waits for that many posts */
    /* Allocates a coarray, puts `value` into that image's last element, sync all,
     * deallocates; what came into this image's. */
    double (*allocated)(int image, double value);
};

enum { SYNC_ALLOCATED = 1024 };

struct sync_kernels sync_of(const struct kernels *kernels);

/* caf.h, which is always there. */
extern const struct sync_kernels sync_caf;

#endif
