/* accelerated_internal.h: what the files of accelerated.h share. */
#ifndef COARRAYS_HETERO_ACCELERATED_INTERNAL_H
#define COARRAYS_HETERO_ACCELERATED_INTERNAL_H

#include "accelerated.h"

/* Buffers in turn between the network and the device: one piece on each of the two ways, of a
 * length at which both reach their bandwidth, and one that is done on each. */
enum { ACCELERATED_BUFFERS = 4, ACCELERATED_BUFFER_BYTES = 1 << 20 };

struct accelerated {
    enum accelerated_kind kind;
    size_t bytes;
    bool staged;              /* CAF_ACCELERATED */
    void *memory;             /* this image's part, as the device addresses it */
    struct caf_coarray *host; /* the memory itself (mapped) or its published copy; NULL: none */
    void **reached;           /* [image - 1]: that image's part as this process has it, or NULL */
    bool *registered;         /* [image - 1]: its part of `host` is page-locked here */
    struct caf_coarray *puts; /* struct accelerated_puts, where there is a published copy */
    char *buffer;             /* ACCELERATED_BUFFERS of them, page-locked; NULL: all are near */
    cudaEvent_t is_free[ACCELERATED_BUFFERS];
    unsigned turn;
};

/* What others have put into the published copy of an image since it last synchronised. */
struct accelerated_puts {
    int32_t count; /* beyond ACCELERATED_PUTS: refused */
    int32_t unused;
    struct accelerated_range {
        uint64_t offset, bytes;
    } range[ACCELERATED_PUTS];
};

/* Whether loads, stores and CUDA IPC reach that image. */
static inline bool accelerated_is_near(const struct accelerated *coarray, int image)
{
    return image == caf_this_image() || (!coarray->staged && caf_is_near(image));
}

/* Whether parts have a published copy. */
static inline bool accelerated_is_published(const struct accelerated *coarray)
{
    return coarray->puts != NULL;
}

/* The ways to reach the other images (accelerated_reach.c). open: the same status everywhere;
 * close: of what there is. */
enum dm_status accelerated_reach(struct accelerated *coarray);
enum dm_status accelerated_leave(struct accelerated *coarray);

#endif
