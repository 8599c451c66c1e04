#include "wait_sample.h"

#include <math.h>

#include "common/harness/exit.h"

static void add_waits(struct wait_sample *sample, const struct prefetch_wait *waits, size_t count)
{
    sample->shortest_later_s = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct prefetch_wait *wait = &waits[i];
        if (wait->iteration < 0 || wait->iteration >= LONGEST_INDEX)
            fail("the wait of iteration %d was noted, and there are at most %d", wait->iteration,
                 LONGEST_INDEX);
        sample->get_s[wait->iteration] += wait->get_s;
        sample->blocked_s[wait->iteration] += wait->wait_s;
        sample->visits[wait->iteration]++;
        if (wait->iteration > 0 && wait->get_s + wait->wait_s < sample->shortest_later_s)
            sample->shortest_later_s = wait->get_s + wait->wait_s;
    }
}

static void add_counters(struct wait_sample *sample, const struct prefetch_counters *workers,
                         int count)
{
    uint64_t hits = 0, accesses = 0;
    for (int i = 0; i < count; i++) {
        hits += workers[i].hits;
        accesses += workers[i].accesses;
        sample->gets += workers[i].gets;
        sample->prefetches += workers[i].prefetches;
        sample->unused_prefetches += workers[i].unused_prefetches;
    }
    sample->hit_ratio = (double)hits / (double)accesses;
}

void wait_summarise(struct wait_sample *sample, const struct prefetch_wait *waits,
                    size_t wait_count, const struct prefetch_counters *workers, int worker_count)
{
    *sample = (struct wait_sample){0};
    add_waits(sample, waits, wait_count);
    add_counters(sample, workers, worker_count);
}

double wait_mean_of(const struct wait_sample *sample, const double *sums, int from, int to)
{
    double sum = 0.0;
    long count = 0;
    for (int i = from; i < to; i++) {
        sum += sums[i];
        count += sample->visits[i];
    }
    return sum / (double)count;
}

double wait_mean(const struct wait_sample *sample, int from, int to)
{
    return wait_mean_of(sample, sample->get_s, from, to) +
           wait_mean_of(sample, sample->blocked_s, from, to);
}
