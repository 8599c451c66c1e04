/* rounds.h: how two ranks send blocks to one another while they are timed.
 *
 *     latency          bandwidth              both
 *     0 ---> 1         0 ===> 1  window       0 ===> 1   window of blocks
 *     0 <--- 1         0 <--- 1  4 bytes      0 <=== 1   at the same time
 *
 * These are the patterns of the OSU benchmarks osu_latency, osu_bw and osu_bibw. */
#ifndef RDMA_ROUNDS_H
#define RDMA_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/rdma.h>

enum mode { MODE_LATENCY, MODE_BANDWIDTH, MODE_BOTH, MODES };

struct rounds {
    enum mode mode;
    size_t bytes; /* of a block */
    int window;   /* blocks that are in flight at once; 1 for MODE_LATENCY */
    int count;    /* rounds, one after the other */
};

/* Seconds per block: half of a round trip; or a round divided by its window (MODE_BOTH: per pair
 * of blocks). Ranks 0 and 1 of MPI_COMM_WORLD call it. 0 at rank 1 where rank 0 has the clock. */
double rounds_time(struct rdma_end *end, const struct rounds *rounds);

/* Another round, with random data that were never there before: bytes that arrived wrong at this
 * rank. Both ranks call it with the same seed. */
long rounds_wrong(struct rdma_end *end, const struct rounds *rounds, uint64_t seed);

/* Fills a block, of any place, with random_fill_bytes. */
void rounds_fill(void *block, size_t bytes, uint64_t seed);

#endif
