/* overlap.h: do a copy and a kernel run at the same time, and in order within a stream? */
#ifndef PIPELINE_OVERLAP_H
#define PIPELINE_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

/* A copy to the device and a kernel that takes about as long, with events around each. */
struct overlap {
    size_t bytes;
    unsigned barriers; /* that make up the kernel's time */
    char *host, *device;
    unsigned *counters;
    cudaStream_t streams[2];
    cudaEvent_t begin, start[2], end[2];
};

/* Calibrates the kernel. Ends the program if there is no memory. */
void overlap_open(struct overlap *overlap, size_t bytes, uint64_t seed);
void overlap_close(struct overlap *overlap);

/* Runs both, on two streams or both on the default stream, and waits for them. *overlap_s is the
 * time in s during which both ran, by events on the device, at least 0. Returns the host's time in
 * s. */
double overlap_run(struct overlap *overlap, bool default_stream, double *overlap_s);

/* A chain on one stream: copy in, kernel, copy out, and again, without waiting. */
struct chain {
    unsigned *host_in, *host_out, *device;
    cudaStream_t stream;
    cudaEvent_t begin;
    cudaEvent_t *start, *end; /* of each operation */
    uint64_t seed;
};

/* Operations of the chain, and integers that each copies. */
enum { CHAIN_LINKS = 16, CHAIN_OPERATIONS = 3 * CHAIN_LINKS, CHAIN_ELEMENTS = 1 << 14 };

void chain_open(struct chain *chain, uint64_t seed);
void chain_close(struct chain *chain);

/* Runs the chain and waits; returns the host's time in s. */
double chain_run(struct chain *chain);

/* Operations that started before the one before them had ended, by events, and elements that are
 * not what an execution in order gives. */
long chain_violations(const struct chain *chain);

#endif
