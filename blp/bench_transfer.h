/* bench_transfer.h: one way to move bytes between host and device, executed and verified. */
#ifndef BENCH_TRANSFER_H
#define BENCH_TRANSFER_H

#include <stdint.h>

#include "bench_copy.h"

enum transfer_method {
    TRANSFER_MEMCPY,
    TRANSFER_MEMCPY_2D,
    TRANSFER_DIRECT,
    TRANSFER_DIRECT_CHUNK,
    TRANSFER_INTERLEAVED,
    TRANSFER_PER_ARRAY,
    TRANSFER_METHODS
};

enum transfer_direction {
    DIRECTION_IN = 1,
    DIRECTION_OUT = 2,
    DIRECTION_BOTH = DIRECTION_IN | DIRECTION_OUT
};

/* Bytes are multiples of TRANSFER_ROW_BYTES, the row of the matrix whose panels are moved. */
enum { TRANSFER_CHUNKS_MAX = 1024, TRANSFER_ROW_BYTES = 16 * TRANSFER_CHUNKS_MAX };

/* What all transfers move: random data in host memory and, the same, on the device. */
struct transfer_memory {
    size_t bytes;
    char *source, *target;               /* page-locked host memory */
    char *device_source, *device_target; /* what goes out, where comes in */
    unsigned *arrived;                   /* TRANSFER_CHUNKS_MAX counters per flow */
    cudaStream_t in, out;
};

void transfer_memory_open(struct transfer_memory *memory, size_t bytes, uint64_t seed);
void transfer_memory_close(struct transfer_memory *memory);

struct transfer {
    const struct transfer_memory *memory;
    enum transfer_method method;
    enum transfer_direction direction;
    long chunks; /* a power of two up to TRANSFER_CHUNKS_MAX */
    /* Of direct access: copy blocks of each direction (interleaved and per-array: of all arrays;
     * per-array: a multiple of these), threads of a block, bits of a word. */
    int blocks, threads, vector_bits;
    int out_blocks; /* of direct, if not as many as in; else 0 */
};

/* 1, or of interleaved and per-array 3 that come in and, with both directions, 1 that goes out. */
int transfer_arrays(const struct transfer *transfer);

/* Bytes that are moved, both directions together. */
size_t transfer_bytes(const struct transfer *transfer);

/* From the first call to the last byte, in s. Copy calls are synchronous, of both directions
 * asynchronous on two streams. */
double transfer_run(const struct transfer *transfer);

/* Clears the targets and counters, before a transfer that is to be verified. */
void transfer_clear(const struct transfer *transfer);

/* After that and one transfer: the words that are not where they belong, and the counters of pieces
 * that were not raised as often as they should be. Overwrites the host's target. */
long transfer_errors(const struct transfer *transfer);

#endif
