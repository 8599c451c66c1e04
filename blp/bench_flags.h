/* bench_flags.h: the operations by which blocks raise and read flags in device memory, alone.
 * Source: Cui, 4.3.4, table 4.1. */
#ifndef BENCH_FLAGS_H
#define BENCH_FLAGS_H

#include <stdbool.h>

#include <datamotion/blp.h>

#ifdef __cplusplus
extern "C" {
#endif

enum flag_operation {
    FLAG_ADD,      /* atomicAdd(flag, 1) */
    FLAG_OR,       /* atomicOr(flag, a bit of the block) */
    FLAG_EXCHANGE, /* atomicExch(flag, the same) */
    FLAG_INC,      /* atomicInc(flag, no limit) */
    FLAG_AND,      /* atomicAnd(flag, all bits): reads only, as the next two */
    FLAG_CAS,      /* atomicCAS(flag, 0, 0) */
    FLAG_VOLATILE, /* load through a volatile pointer */
    FLAG_PLAIN,    /* load, add 1 and store through a volatile pointer: not atomic */
    FLAG_OPERATIONS
};

/* One thread in each of `blocks` blocks repeats the operation on the same flag. Raises *wrong by
 * the number of reads that did not give `expected` (of reading operations). */
cudaError_t flag_throughput(enum flag_operation operation, unsigned *flag, int blocks,
                            long repetitions, unsigned expected, unsigned *wrong,
                            cudaStream_t stream);

/* One thread repeats the operation on *flag; each waits for the result of the one before. *flag
 * must stay below 2^31. */
cudaError_t flag_latency(enum flag_operation operation, unsigned *flag, long repetitions,
                         unsigned expected, unsigned *wrong, cudaStream_t stream);

/* Two groups of `pairs` blocks hand random data back and forth by the flags of a persistent kernel:
 * the one stores `threads` words and raises a flag; the other waits for it, reads the words with
 * ordinary loads, compares them, and hands on their complement in the same way, which the first
 * compares. Each of the `rounds` has flags of its own, as slices have; the words are written over.
 * A block that waits for a minute stops the kernel with an error. */
struct handoff {
    enum blp_write write;
    enum blp_read read;
    int pairs, threads;
    long rounds;
    unsigned seed;
    bool early;                /* raise the flag before the data is stored, and wait */
    unsigned *ready, *done;    /* pairs * rounds flags each, all 0 */
    unsigned *there, *back;    /* pairs * threads words each */
    unsigned long long *stale; /* raised by the number of words that were not the last ones */
};

cudaError_t flag_handoff(const struct handoff *handoff, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
