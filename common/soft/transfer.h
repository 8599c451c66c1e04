/* transfer.h: a copy or fill whose arguments were checked (copy.c), ready to be executed
 * (transfer.c). */
#ifndef SOFT_TRANSFER_H
#define SOFT_TRANSFER_H

#include "runtime.h"

/* A rectangle of bytes: `height` rows (of the transfer's width) that start `pitch` bytes apart. */
struct plane {
    char *base;
    size_t pitch;
    struct managed_region *managed; /* NULL unless it lies in managed memory */
};

enum transfer_path {
    STRAIGHT,  /* the engine copies from the source to the destination */
    STAGE_IN,  /* pageable source: the caller fills the bounce buffer, the engine drains it */
    STAGE_OUT, /* pageable destination: the engine fills, the caller drains */
    FILL       /* cudaMemset, cuMemset */
};

struct transfer {
    struct operation base;
    enum transfer_path path;
    struct plane destination, source;
    size_t width, height;      /* bytes, rows; neither is 0 */
    unsigned fill, fill_bytes; /* a value of 1, 2 or 4 bytes */
    struct staging *staging;
};

/* Executes *transfer in stream order and returns when it is done. */
cudaError_t transfer_now(stream_t *stream, const struct transfer *transfer);
/* Submits it. Page-locked and device memory: returns at once. Pageable source: returns when the
 * source was read. Pageable destination: returns when it was written. */
cudaError_t transfer_later(stream_t *stream, const struct transfer *transfer);

#endif
