/* overhead.h: kernels that do nothing but what is to be timed. */
#ifndef COMMON_WORKLOADS_OVERHEAD_H
#define COMMON_WORKLOADS_OVERHEAD_H

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each thread adds 1 to its element of counters[blocks * threads_per_block]. */
cudaError_t overhead_count_threads(unsigned *counters, unsigned blocks, unsigned threads_per_block,
                                   cudaStream_t stream);

/* The same, after `barriers` block-wide barriers. */
cudaError_t overhead_count_after_barriers(unsigned *counters, unsigned blocks,
                                          unsigned threads_per_block, unsigned barriers,
                                          cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
