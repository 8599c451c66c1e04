/* store_kernel.h: a kernel that stays on the GPU and moves blocks with loads and stores.
 *
 *   processor        commands, in page-locked host memory
 *      |
 *      v
 *   block 0 -------- small blocks: moves them alone, raises the flag
 *      |
 *      v  jobs, in GPU memory
 *   other blocks --- large blocks: a part each; the last one that is done raises the flag
 *
 * It leaves when it has had nothing to do for a while, and is launched anew with the next command:
 * so whatever waits for the GPU to be idle (cudaFree, the first launch of another kernel, the end
 * of a stopped program) gets its turn. */
#ifndef RDMA_STORE_KERNEL_H
#define RDMA_STORE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STORE_WAYS = 2 };

/* From where to where, and the flag of it in host memory. GPU addresses. */
struct store_way {
    const void *from;
    void *to;
    uint32_t *flag;
};

/* What outlives a launch, in GPU memory; zeroed at first. */
struct store_progress {
    uint64_t commands, jobs;    /* taken */
    uint64_t finished;          /* jobs whose flag is raised */
    uint32_t flags[STORE_WAYS]; /* blocks moved or dealt out, by way */
};

/* A block that is moved by all, in GPU memory; zeroed at first. Both words bear the number of the
 * job, so that a reader sees when it has both. */
struct store_job {
    uint64_t command, flag;
    uint32_t arrived; /* thread blocks that are done with it */
};

struct store {
    const uint64_t *commands; /* host memory, zeroed at first: command n in [n modulo slots] */
    uint32_t *left;           /* host memory: number of the launch that has ended last */
    struct store_way ways[STORE_WAYS];
    struct store_progress *progress;
    struct store_job *jobs; /* job n in [n modulo slots] */
    unsigned slots;         /* a power of two; at least as many as commands without a flag */
    long long idle_ticks;   /* of clock64(): after so long without a command it leaves */
};

/* The word that orders `bytes` (below 2^46) to be moved; `number` is that of the command. After its
 * kind and size in the low bits come 16 bits that tell it from the word that was there before. */
enum { STORE_TAG_SHIFT = 48, STORE_KIND_SHIFT = 46 };

#if defined(__CUDACC__) || defined(__cplusplus)
#define STORE_FUNCTION static inline __host__ __device__
#else
#define STORE_FUNCTION static inline
#endif

STORE_FUNCTION uint64_t store_tag(uint64_t number)
{
    return (number + 1) << STORE_TAG_SHIFT;
}

STORE_FUNCTION uint64_t store_command(uint64_t number, int way, size_t bytes)
{
    return store_tag(number) | (uint64_t)way << STORE_KIND_SHIFT | bytes;
}

/* Launch number `launch` (1, 2, ...) with so many thread blocks, after the end of the one before
 * (same stream). */
cudaError_t store_launch(const struct store *store, uint32_t launch, int blocks,
                         cudaStream_t stream);

/* How many thread blocks the current GPU can have at once. Also loads the kernel: a later first
 * launch would wait until the GPU is idle. */
cudaError_t store_blocks_max(int *blocks);

#ifdef __cplusplus
}
#endif
#endif
