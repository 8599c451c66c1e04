/* measure.h: repetitions until the noise is small enough or the time is used up.
 *
 * Several subjects (variants of one configuration) are sampled interleaved, one after the other in
 * each repetition, so that a drift of the machine hits them alike; in another random order each
 * time, so that none profits or suffers from always following the same one. */
#ifndef COMMON_MEASURE_H
#define COMMON_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include "common/statistics.h"

struct run; /* program.h */

/* One thing to be timed. */
struct subject {
    const char *variant;
    double (*sample)(void *context); /* does the operation, returns its time in s */
    void (*before)(void *context);   /* untimed, before each sample; may be NULL */
    /* Untimed, after each sample that counts, with the time that is kept; may be NULL. */
    void (*after)(void *context, double time_s);
    void *context;
    double *times_s; /* filled by measure(), in order of measurement; measure_free() releases */
    size_t count;
};

/* Warm-up (-w, per subject), barrier, then samples: exactly -n of each subject, or, with -n 0 (the
 * default), at least 10 and until every subject's 95 % interval lies within --noise of its median
 * at three looks in a row, with at least 10 effective samples, or --min-time has passed. All ranks
 * take the same number of samples; times are the maximum over ranks. */
void measure(struct run *run, struct subject *subjects, size_t count);

void measure_free(struct subject *subjects, size_t count);

/* The order of a repetition, counted from 0: a random permutation of 0 to count - 1, a function of
 * the seed and the repetition, so that all ranks agree. Source: the "inside-out" shuffle of Knuth,
 * The Art of Computer Programming 2, 3.4.2, algorithm P. */
void measure_permutation(size_t *order, size_t count, uint64_t seed, size_t repetition);

/* Median and 95 % interval of a measured subject: statistics_interval(). */
struct interval measure_interval(const struct subject *subject);

#endif
