#include "divergence.h"

#include "common/gpu.h"

/* A loop with a constant of its own, so that branches cannot share instructions, and with steps
 * that no compiler can contract into fewer. */
#define BRANCH(p)                                                                                  \
    case p:                                                                                        \
        for (unsigned i = 0; i < steps; i++)                                                       \
            value = (value >> 15) ^ (value * (2 * (p) + 3));                                       \
        break;
#define BRANCHES_4(p)  BRANCH(p) BRANCH(p + 1) BRANCH(p + 2) BRANCH(p + 3)
#define BRANCHES_16(p) BRANCHES_4(p) BRANCHES_4(p + 4) BRANCHES_4(p + 8) BRANCHES_4(p + 12)

static __global__ void branches_kernel(unsigned *output, const unsigned *input, unsigned paths,
                                       unsigned steps)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = input[thread];
    switch (divergence_path(thread, paths)) {
        BRANCHES_16(0)
        BRANCHES_16(16)
    }
    output[thread] = value;
}

cudaError_t divergence_run(unsigned *output, const unsigned *input, unsigned threads,
                           unsigned paths, unsigned steps, cudaStream_t stream)
{
    if (!threads || threads % DIVERGENCE_BLOCK || !paths || paths > DIVERGENCE_PATHS ||
        (paths & (paths - 1)))
        return cudaErrorInvalidValue;
    dm_launch(branches_kernel, threads / DIVERGENCE_BLOCK, DIVERGENCE_BLOCK, 0, stream, output,
              input, paths, steps);
    return cudaGetLastError();
}
