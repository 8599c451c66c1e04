/* wait_sample.h: what one run of a loop says about its waits, over all workers. */
#ifndef PREFETCH_WAIT_SAMPLE_H
#define PREFETCH_WAIT_SAMPLE_H

#include <datamotion/prefetch.h>

enum { LONGEST_INDEX = 16 };

struct wait_sample {
    double get_s[LONGEST_INDEX], blocked_s[LONGEST_INDEX]; /* by iteration: sums over its visits */
    long visits[LONGEST_INDEX];
    double shortest_later_s;
    double hit_ratio;
    int64_t gets, prefetches, unused_prefetches;
};

/* Of the waits and the counters of all workers; ends the program if a wait is of a later iteration
 * than LONGEST_INDEX. */
void wait_summarise(struct wait_sample *sample, const struct prefetch_wait *waits,
                    size_t wait_count, const struct prefetch_counters *workers, int worker_count);

/* Means over the visits of the iterations from .. to - 1; NaN: there are none. */
double wait_mean_of(const struct wait_sample *sample, const double *sums, int from, int to);
double wait_mean(const struct wait_sample *sample, int from, int to);

#endif
