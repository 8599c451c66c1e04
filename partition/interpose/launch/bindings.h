/* bindings.h: what a launch reads and writes of one buffer. */
#ifndef BINDINGS_H
#define BINDINGS_H

#include "partition/interpose/memory/buffers.h"

struct binding {
    int holders;
    size_t bytes;    /* that its sets take, as noted */
    uint64_t serial; /* never used twice */
    struct buffer *buffer;
    int devices;
    struct partition_intervals *reads, *writes; /* of each device, in bytes of the buffer */
    bool writes_any;
    enum partition_reduction reduction; /* each device updates a copy of its own */
    int64_t unit;                       /* bytes of an element, for copies one by one */
    struct plans plans;                 /* what to copy before the launch, by the buffer's state */
};

/* A binding that reads and writes nothing yet, held by the caller. DM_NO_MEMORY. */
enum dm_status binding_make(struct virtual_gpu *gpu, struct buffer *buffer, struct binding **made);
void binding_release(struct binding *binding);
/* Its sets are complete: notes how much memory they take. */
void binding_note_memory(struct binding *binding);
/* Bytes of memory that all bindings take, as far as noted, and all plans. */
size_t bindings_memory(void);

/* What has to be copied before the launch; worked out, if it is the first time. DM_INVALID: the
 * launch cannot be split; DM_NO_MEMORY. */
enum dm_status binding_plan(struct virtual_gpu *gpu, struct binding *binding,
                            const struct plan **plan);
/* The launch has been given to the devices after these copies. */
void binding_launched(struct virtual_gpu *gpu, struct binding *binding, const struct plan *plan);

#endif
