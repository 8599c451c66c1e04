/* asian_kernels.h: kernels of asian_device.c. Both return when the kernel is
 * enqueued. */
#ifndef COARRAYS_HETERO_ASIAN_KERNELS_H
#define COARRAYS_HETERO_ASIAN_KERNELS_H

#include "common/gpu.h"

#include "asian_path.h"

#ifdef __cplusplus
extern "C" {
#endif

/* parts[i * blocks + b] = the sums of block b of the paths of the option of walks[i], for i < count
 * (at most 65535) and all `blocks` of them; both arrays on the device. */
cudaError_t asian_launch_blocks(const struct asian_walk *walks, size_t count, int64_t paths,
                                int64_t blocks, struct asian_sums *parts, cudaStream_t stream);

/* sums[i] = the sums of all paths of the option of walks[i], for i < count; both arrays on the
 * device. */
cudaError_t asian_launch_options(const struct asian_walk *walks, size_t count, int64_t paths,
                                 int64_t blocks, struct asian_sums *sums, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
