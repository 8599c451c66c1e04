/* triad.h: STREAM's triad, the yardstick for what a program gets from the CPU's memory.
 *
 * Source: McCalpin, "Memory bandwidth and machine balance in current high performance computers",
 * IEEE TCCA Newsletter, 1995. As there: doubles, ordinary stores, 24 bytes counted per element
 * although the processor also reads the line that it writes, arrays that no cache can keep. */
#ifndef SPMV_BENCH_TRIAD_H
#define SPMV_BENCH_TRIAD_H

#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

struct spmv_triad {
    size_t elements;
    uint64_t seed;
    double scalar;
    double *a, *b, *c;
};

/* Random b and c; each array has four times the bytes of the last-level caches. Each thread touches
 * first what it computes with. Ends the program if there is no memory. */
void spmv_triad_open(struct spmv_triad *triad, uint64_t seed);
void spmv_triad_close(struct spmv_triad *triad);

/* a <- b + scalar c by all OpenMP threads: the operation of struct spmv_repeat. */
void spmv_triad_operate(void *triad, size_t turn, cudaStream_t stream);

/* Bytes that STREAM counts for one operation. */
double spmv_triad_bytes(const struct spmv_triad *triad);

/* Computes it anew, over an a full of NaN, and counts the elements that are wrong. */
long spmv_triad_verify(struct spmv_triad *triad);

#endif
