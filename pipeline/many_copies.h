/* many_copies.h: many copies of one length to the device, contiguous or of panels of columns: a
 * task of compare.h. */
#ifndef PIPELINE_MANY_COPIES_H
#define PIPELINE_MANY_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

struct run; /* program.h */

/* COPY_2D: a panel of a row-major matrix of nearly as many rows as floats in a row. */
enum { COPY_1D, COPY_2D };

struct many_copies {
    int variant;
    size_t bytes;       /* of one copy */
    size_t total_bytes; /* of the page-locked memory from which all are taken */
    size_t count_max;   /* copies that are enqueued without waiting, at most */
    uint64_t seed;      /* of what is copied */

    /* Set by many_copies_open. */
    size_t count, rows, pitch;
    char *host, *device; /* of the innermost scope (scope.h) */
    cudaStream_t stream;
};

/* False if the memory cannot be cut into copies of that length: a panel has at least one float per
 * row. Ends the program if there is no memory. */
bool many_copies_open(struct run *run, void *copies);
void many_copies_close(void *copies);

/* Enqueues all copies, each from another place, on one stream and waits for them; returns the time
 * in s. */
double many_copies_sample(void *copies);

/* Bytes that did not arrive in their place. */
long many_copies_verify(struct run *run, void *copies);

#endif
