/* bench_residency.h: persistent kernels with several blocks per multiprocessor. Source: Cui, 4.2.2
 * and 4.3.8. */
#ifndef BENCH_RESIDENCY_H
#define BENCH_RESIDENCY_H

#include <stddef.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All blocks of a cooperative launch raise *arrived and wait until all others have. Raises *met by
 * the number of blocks that saw all of them; a block gives up after a second or more. */
cudaError_t residency_meet(int blocks, int threads, unsigned *arrived, unsigned *met,
                           cudaStream_t stream);

/* Maximum of blocks of so many threads that residency_meet can have at once, on the current device.
 */
cudaError_t residency_meet_limit(int threads, int *blocks);

struct residency_chase {
    int blocks, threads;
    const unsigned *next; /* entries that point to one another in one cycle */
    size_t entries;
    unsigned *place; /* chains: where each starts; where it has arrived, afterwards */
    long chains, steps;
};

/* Cooperative; the threads share the chains round-robin and go `steps` steps along each: every load
 * waits for the one before. */
cudaError_t residency_chase(const struct residency_chase *chase, cudaStream_t stream);

/* Cooperative; adds all entries to *sum: loads that wait for nothing. */
cudaError_t residency_sum(const struct residency_chase *chase, unsigned *sum, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
