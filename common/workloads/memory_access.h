/* memory_access.h: kernels that do nothing but read, and STREAM's triad: how fast a GPU's memory
 * is, by the order in which threads touch it. */
#ifndef COMMON_WORKLOADS_MEMORY_ACCESS_H
#define COMMON_WORKLOADS_MEMORY_ACCESS_H

#include <stddef.h>

#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which element the i-th read is of. Each order reads each element of the array once. */
enum access_order {
    ACCESS_COALESCED, /* the i-th: consecutive threads, consecutive elements */
    ACCESS_STRIDED,   /* consecutive threads, consecutive lines of ACCESS_LINE_BYTES */
    ACCESS_RANDOM     /* a permutation without pattern */
};

enum {
    ACCESS_LINE_BYTES = 128,   /* what the threads of a warp read at once, 4 bytes each */
    ACCESS_THREADS = 1 << 20,  /* of a launch, at most; one sum each */
    ACCESS_SMALLEST = 1 << 16, /* bytes of an array; a power of two between these two */
};
#define ACCESS_LARGEST ((size_t)8 << 30)

/* Reads all of an array in elements of 4, 8 or 16 bytes. sums[ACCESS_THREADS] gets the sum of the
 * 32-bit words that each thread has read; those of threads that are not there stay as they are.
 * cudaErrorInvalidValue if size or element is none of the above. */
cudaError_t access_read(const void *array, size_t bytes, unsigned element_bytes,
                        enum access_order order, unsigned *sums, cudaStream_t stream);

/* Reads the lines lines[0..count) of an array, each by a warp; the rest as for access_read. count
 * is a power of two, at least ACCESS_SMALLEST / ACCESS_LINE_BYTES. */
cudaError_t access_lines(const unsigned *array, const unsigned *lines, unsigned count,
                         unsigned *sums, cudaStream_t stream);

/* a = b + scalar c. Source: McCalpin, "Memory bandwidth and machine balance in current high
 * performance computers", 1995. */
cudaError_t access_triad(double *a, const double *b, const double *c, double scalar, size_t count,
                         cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
