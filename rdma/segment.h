/* segment.h: memory that both ranks of one host map, zeroed at first. All its pages are allocated
 * when it is opened: one that is missing later is no error that could be reported, but SIGBUS. */
#ifndef RDMA_SEGMENT_H
#define RDMA_SEGMENT_H

#include "contact.h"

struct segment {
    char *base; /* NULL: not open */
    size_t bytes;
    bool is_registered;
    void *device_base; /* where a device sees it; NULL if it is not registered */
};

/* Both ranks call it; the lower rank makes it. It has no name any more when this returns, so that
 * it goes away with the processes. It may be larger than /dev/shm. Registered with CUDA
 * (page-locked, mapped) if `device` is one. Exchanges are the same at both ranks, whatever fails;
 * close it after a failure, too. */
enum dm_status segment_open(struct segment *segment, struct contact *contact, int device,
                            size_t bytes);
void segment_close(struct segment *segment);

#endif
