/* bench_transfer.h: one way to move bytes between host and device, executed and verified. */
#ifndef BLP_BENCH_TRANSFER_H
#define BLP_BENCH_TRANSFER_H

#include <stdint.h>

#include "bench_copy.h"

enum blp_bench_method {
    BLP_BENCH_MEMCPY,
    BLP_BENCH_MEMCPY_2D,
    BLP_BENCH_DIRECT,
    BLP_BENCH_DIRECT_CHUNK,
    BLP_BENCH_INTERLEAVED,
    BLP_BENCH_PER_ARRAY,
    BLP_BENCH_METHODS
};

enum blp_bench_direction {
    BLP_BENCH_IN = 1,
    BLP_BENCH_OUT = 2,
    BLP_BENCH_BOTH = BLP_BENCH_IN | BLP_BENCH_OUT
};

/* Bytes are multiples of BLP_BENCH_ROW_BYTES, the row of the matrix whose panels are moved. */
enum { BLP_BENCH_CHUNKS_MAX = 1024, BLP_BENCH_ROW_BYTES = 16 * BLP_BENCH_CHUNKS_MAX };

/* What all transfers move: random data in host memory and, the same, on the device. */
struct blp_bench_memory {
    size_t bytes;
    char *source, *target;               /* page-locked host memory */
    char *device_source, *device_target; /* what goes out, where comes in */
    unsigned *arrived;                   /* BLP_BENCH_CHUNKS_MAX counters per flow */
    cudaStream_t in, out;
};

void blp_bench_memory_open(struct blp_bench_memory *memory, size_t bytes, uint64_t seed);
void blp_bench_memory_close(struct blp_bench_memory *memory);

struct blp_bench_transfer {
    const struct blp_bench_memory *memory;
    enum blp_bench_method method;
    enum blp_bench_direction direction;
    long chunks; /* a power of two up to BLP_BENCH_CHUNKS_MAX */
    /* Of direct access: copy blocks of each direction (interleaved and per-array: of all arrays;
     * per-array: a multiple of these), threads of a block, bits of a word. */
    int blocks, threads, vector_bits;
};

/* 1, or of interleaved and per-array 3 that come in and, with both directions, 1 that goes out. */
int blp_bench_arrays(const struct blp_bench_transfer *transfer);

/* Bytes that are moved, both directions together. */
size_t blp_bench_bytes(const struct blp_bench_transfer *transfer);

/* From the first call to the last byte, in s. Copy calls are synchronous, of both directions
 * asynchronous on two streams. */
double blp_bench_transfer(const struct blp_bench_transfer *transfer);

/* Clears the targets and counters, before a transfer that is to be verified. */
void blp_bench_transfer_clear(const struct blp_bench_transfer *transfer);

/* After that and one transfer: the words that are not where they belong, and the counters of pieces
 * that were not raised as often as they should be. Overwrites the host's target. */
long blp_bench_transfer_errors(const struct blp_bench_transfer *transfer);

#endif
