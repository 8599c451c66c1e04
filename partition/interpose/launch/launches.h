/* launches.h: launches that were made before and need no more thought.
 *
 * Two launches are the same if kernel, grid, block, dynamic shared memory and those arguments are
 * that decide what is accessed: pointers, and integers that the kernel's accesses depend on (Klein
 * 2016, 5.7, where all arguments count). Other arguments, such as the number of a step, are handed
 * to the kernel; where a kernel is not split, no argument decides. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <datamotion/partition.h>

#include "partition/interpose/copies/device_transfers.h"

#include "accesses.h"
#include "bindings.h"

/* What the program launches. `arguments`: values at the function's offsets, the gaps are 0. */
struct launch_request {
    struct function *function;
    struct partition_shape shape;
    unsigned shared_bytes;
    const char *arguments;
};

/* A launch of the part of one device. */
struct part_launch {
    bool empty;
    unsigned blocks[3];
    struct partition_place place;
    void **parameters; /* the arguments with the device's addresses, and the place */
};

struct launch {
    struct launch *next;
    uint64_t hash;
    uint64_t used; /* when it was requested again, counted as in the table; 0: never */
    struct function *function;
    const struct partition_kernel *kernel; /* what a data base says of it, if it is split */
    struct partition_shape shape;
    unsigned shared_bytes;
    char *arguments;                   /* the key, then each device's values */
    char one_device[REASON_BYTES];     /* why it is not split; "": it is */
    bool reaches_all;                  /* then: perhaps more than its arguments point to */
    struct part_launch *parts;         /* of each device */
    void **parameters;                 /* memory of all parts' parameters */
    struct binding **bindings;         /* one for each buffer that it uses */
    struct device_transfer *transfers; /* room for one of each binding */
    const struct plan **plans;
    size_t binding_count;
};

struct launch_table {
    struct launch **slots;
    size_t slot_count; /* a power of two */
    size_t count;
    size_t limit, limit_bytes; /* of launches, and of their bindings' memory */
    uint64_t requests;         /* how often launches were requested */
    uint64_t swept;            /* ... when some were last dropped to make room */
    char *arguments; /* room for the arguments of the launch that is requested, and for its key */
    size_t argument_room;
};

struct launch_table *launches_create(void);
void launches_free(struct launch_table *table);

/* launch_arguments.c: packs the values of a launch for launch_request.arguments, which holds until
 * the next call. DM_NO_MEMORY. Either `parameters` or `extra` as for cuLaunchKernel. */
enum dm_status launches_pack(struct launch_table *table, const struct function *function,
                             void **parameters, void **extra, const char **arguments);

/* The launch, made if it is the first time, with the request's values for its parts. Where there
 * are too many, those are dropped that have not been requested again. DM_NO_MEMORY. */
enum dm_status launches_get(struct virtual_gpu *gpu, const struct launch_request *request,
                            struct launch **launch);

/* Forget launches of a kernel, that use a buffer, or (strangers) that have a pointer to no buffer;
 * or one. */
void launches_drop_function(struct launch_table *table, const struct function *function);
void launches_drop_buffer(struct launch_table *table, const struct buffer *buffer);
void launches_drop_strangers(struct launch_table *table);
void launches_drop(struct launch_table *table, struct launch *launch);

/* Bytes between the values for one device and the next, aligned for values of any type. */
static inline size_t launch_argument_room(const struct function *function)
{
    return (function->parameter_bytes / 16 + 1) * 16;
}

/* launch_arguments.c: the packed values with 0 for those that do not tell launches apart; holds
 * until the next call. */
const char *launch_key(struct launch_table *table, const struct launch_request *request);
/* Gives the parts the values of arguments that are not in the key. */
void launch_hand_on(struct launch *launch, const struct launch_request *request, int devices);

/* launch_bind.c: finds the buffers of a new launch, what it does to them, and what each device is
 * given. one_device says why it cannot be split. DM_NO_MEMORY. */
enum dm_status launch_bind(struct virtual_gpu *gpu, struct launch *launch);

#endif
