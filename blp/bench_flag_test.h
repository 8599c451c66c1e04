/* bench_flag_test.h: one test of flag operations, sampled and verified. */
#ifndef BENCH_FLAG_TEST_H
#define BENCH_FLAG_TEST_H

#include <stddef.h>
#include <stdint.h>

#include "bench_flags.h"

enum flag_kind { FLAG_THROUGHPUT, FLAG_LATENCY, FLAG_HANDOFF, FLAG_LOST_UPDATES, FLAG_KINDS };

/* What one sample found. */
struct flag_finding {
    long lost;   /* counts that are missing in the end */
    long stale;  /* words that a reader found not to be the last ones */
    long errors; /* wrong last values, wrong reads, stale words */
};

struct flag_test {
    enum flag_kind kind;
    enum flag_operation operation; /* unless a hand-off */
    struct handoff handoff;        /* of a hand-off */
    int writers;                   /* blocks that use the flag */
    long repetitions;              /* operations of each */
    uint64_t seed;
    unsigned *flag, *wrong; /* device memory: FLAG_BYTES, and one word */
    /* Zeros at first. */
    size_t samples;
    struct flag_finding last; /* of the last sample */
    long errors;              /* of all samples */
};

enum { FLAG_BYTES = 256 };

/* The time of all operations or hand-offs in s, with the launch; notes what it found. */
double flag_sample(struct flag_test *test);

/* Whether a flag's last value is what the operations of all blocks must leave of its first. */
bool flag_value_is_right(const struct flag_test *test, unsigned first, unsigned last);

/* Device memory for the hand-offs of `pairs` blocks in each of two groups. */
struct handoff handoff_open(int pairs, int threads, long rounds);
void handoff_close(const struct handoff *handoff);

#endif
