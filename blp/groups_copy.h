/* groups_copy.h: direct access by some blocks in each direction, both directions at once. */
#ifndef BLP_GROUPS_COPY_H
#define BLP_GROUPS_COPY_H

#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first in_blocks blocks copy from host_in to device_in, the other out_blocks from device_out
 * to host_out; `bytes` in each direction, a multiple of 16, with addresses aligned to that. They
 * move pieces, and wait and raise flags, as copy blocks do; words: two, zeros at first. After the
 * kernel begin_ns[b] and end_ns[b] are the times of block b. */
cudaError_t groups_copy(void *host_in, void *device_in, void *host_out, void *device_out,
                        size_t bytes, int in_blocks, int out_blocks, int threads, unsigned *words,
                        long long *begin_ns, long long *end_ns, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
