/* buffers.h: the program's buffers: one allocation of the same size on every device. */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <datamotion/partition.h>

#include "partition/interpose/gpu/virtual_gpu.h"

/* Copies between locations of one buffer, ready to be done. */
struct copies {
    struct partition_copy *items; /* ordered by `to` */
    size_t count;
    uint64_t *needs; /* for each device: bit d: something is copied to it from device d */
    bool from_host;  /* some come from the buffer's memory on the host */
};

/* What has to be done for something, found by what it is for: `state` and the rest. */
struct plan {
    uintptr_t state;
    int location;
    int64_t begin, end;
    struct copies copies;
    const struct partition_state *next; /* NULL: the state is not followed */
};

struct plans {
    struct plan **items;
    size_t count, capacity;
    uint64_t generation; /* of the buffer's states that they name */
};

struct buffer {
    CUdeviceptr *address; /* on each device; the program knows the first */
    size_t bytes;
    struct module *module; /* a variable of that module; NULL: allocated by the program */
    char *host;            /* page-locked memory for copies that wait for their readers, or NULL */
    bool host_is_read;     /* copies from there may not be done yet */
    uint64_t *last_read;   /* readers.c: [from][to] the batch of `to` that read it on `from` last */

    /* resolution exact (and none): */
    struct partition_states *table;
    const struct partition_state *state;
    const struct partition_state *on_first; /* everything is up to date on device 0 alone */
    uint64_t generation;                    /* counts how often states were forgotten */
    size_t states_limit;                    /* bytes that they may take until then */

    /* resolution last-writer: the binding of the launch that wrote last; NULL: none since the
     * program copied to it, which reaches all devices. */
    struct binding *last_writer;

    struct plans plans; /* for copies to one location */
};

/* Adds a buffer with these addresses (copied). DM_NO_MEMORY. */
enum dm_status buffers_add(struct virtual_gpu *gpu, const CUdeviceptr *address, size_t bytes,
                           struct module *module, struct buffer **added);
/* Takes it out and frees all but the memory on the devices; launches that use it must be gone. */
void buffers_remove(struct virtual_gpu *gpu, struct buffer *buffer);

/* The buffer that holds the address; NULL if there is none. */
struct buffer *buffers_find(const struct virtual_gpu *gpu, CUdeviceptr address);

/* cuMemAlloc and cuMemFree on all devices. */
CUresult buffers_allocate(struct virtual_gpu *gpu, CUdeviceptr *address, size_t bytes);
CUresult buffers_release(struct virtual_gpu *gpu, struct buffer *buffer);

/* Forgets states that are not in use when they take much memory, and with them every plan. To be
 * called before a plan is looked for or a state is made; no plan of the buffer may be held then. */
void buffers_limit_states(struct buffer *buffer);

/* Adds a plan (owned by the list from now on); the oldest ones go when there are many.
 * DM_NO_MEMORY: the plan is then freed. */
enum dm_status plans_add(struct plans *plans, struct plan *plan);
/* Plans for states that the buffer has forgotten are freed on the way. */
struct plan *plans_find(struct plans *plans, const struct buffer *buffer, uintptr_t state,
                        int location, int64_t begin, int64_t end);
void plans_free(struct plans *plans);

/* Bytes of memory that all plans take. */
size_t plans_memory(void);

/* Takes over a list of copies (freed on failure, too). DM_NO_MEMORY. */
enum dm_status copies_make(struct copies *copies, int devices, struct partition_copy *items,
                           size_t count);
void copies_free(struct copies *copies);

#endif
