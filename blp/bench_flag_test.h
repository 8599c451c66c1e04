/* bench_flag_test.h: one test of flag operations, sampled and verified. */
#ifndef BLP_BENCH_FLAG_TEST_H
#define BLP_BENCH_FLAG_TEST_H

#include <stddef.h>
#include <stdint.h>

#include "bench_flags.h"

enum blp_bench_flag_kind {
    BLP_BENCH_THROUGHPUT,
    BLP_BENCH_LATENCY,
    BLP_BENCH_HANDOFF,
    BLP_BENCH_LOST_UPDATES,
    BLP_BENCH_FLAG_KINDS
};

/* What one sample found. */
struct blp_bench_finding {
    long lost;   /* counts that are missing in the end */
    long stale;  /* words that a reader found not to be the last ones */
    long errors; /* wrong last values, wrong reads, stale words */
};

struct blp_bench_flag_test {
    enum blp_bench_flag_kind kind;
    enum blp_bench_operation operation; /* unless a hand-off */
    struct blp_bench_handoff handoff;   /* of a hand-off */
    int writers;                        /* blocks that use the flag */
    long repetitions;                   /* operations of each */
    uint64_t seed;
    unsigned *flag, *wrong; /* device memory: BLP_BENCH_FLAG_BYTES, and one word */
    /* Zeros at first. */
    size_t samples;
    struct blp_bench_finding last; /* of the last sample */
    long errors;                   /* of all samples */
};

enum { BLP_BENCH_FLAG_BYTES = 256 };

/* The time of all operations or hand-offs in s, with the launch; notes what it found. */
double blp_bench_flag_sample(struct blp_bench_flag_test *test);

/* Whether a flag's last value is what the operations of all blocks must leave of its first. */
bool blp_bench_right_value(const struct blp_bench_flag_test *test, unsigned first, unsigned last);

/* Device memory for the hand-offs of `pairs` blocks in each of two groups. */
struct blp_bench_handoff blp_bench_handoff_open(int pairs, int threads, long rounds);
void blp_bench_handoff_close(const struct blp_bench_handoff *handoff);

#endif
