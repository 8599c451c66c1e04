/* many_copies.h: many copies of one length to the device, contiguous or of panels of columns.
 */
#ifndef PIPELINE_MANY_COPIES_H
#define PIPELINE_MANY_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/gpu.h"

/* Page-locked memory of total_bytes: for panels a row-major matrix of nearly as many rows as floats
 * in a row. */
struct many_copies {
    bool panels;
    size_t bytes; /* of one copy */
    size_t count; /* copies that are enqueued without waiting */
    size_t total_bytes, rows, pitch;
    uint64_t seed;
    char *host, *device;
    cudaStream_t stream;
};

/* Whether the memory can be cut into copies of that length: a panel has at least one float per row.
 */
bool many_copies_possible(bool panels, size_t bytes, size_t total_bytes);

/* Fills host memory with random bytes. At most `most` copies, each from another place. Ends the
 * program if there is no memory. */
void many_copies_open(struct many_copies *copies, bool panels, size_t bytes, size_t total_bytes,
                      size_t most, uint64_t seed);
void many_copies_close(struct many_copies *copies);

/* Enqueues all copies on one stream and waits for them; returns the time in s. For measure(). */
double many_copies_sample(void *copies);

/* Bytes that did not arrive in their place. */
long many_copies_errors(const struct many_copies *copies);

#endif
