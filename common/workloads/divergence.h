/* divergence.h: a kernel whose warps take as many branches as asked for. */
#ifndef COMMON_WORKLOADS_DIVERGENCE_H
#define COMMON_WORKLOADS_DIVERGENCE_H

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DIVERGENCE_PATHS = 32, DIVERGENCE_BLOCK = 256 };

/* The branch of a thread: lanes of a warp take `paths` branches, a power of two up to
 * DIVERGENCE_PATHS, in turn. Warps begin with another branch each, so over all threads each of the
 * DIVERGENCE_PATHS branches is taken alike, whatever `paths` is. */
static inline
#ifdef __cplusplus
    __host__ __device__
#endif
    unsigned
    divergence_path(unsigned thread, unsigned paths)
{
    unsigned warp = thread / DIVERGENCE_PATHS, lane = thread % DIVERGENCE_PATHS;
    return (lane % paths + paths * warp) % DIVERGENCE_PATHS;
}

/* Each of `threads` threads, a multiple of DIVERGENCE_BLOCK, does `steps` times
 * value = (value >> 15) ^ (value * (2 p + 3)) in the loop of its branch p, from input[thread] to
 * output[thread]. cudaErrorInvalidValue if threads or paths is none of the above. */
cudaError_t divergence_run(unsigned *output, const unsigned *input, unsigned threads,
                           unsigned paths, unsigned steps, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
