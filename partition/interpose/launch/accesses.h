/* accesses.h: what the parts of a launch read and write of each argument, in elements. Kept for
 * launches that differ only in pointers and in arguments that do not decide what is accessed. */
#ifndef ACCESSES_H
#define ACCESSES_H

#include "partition/access.h"
#include "partition/interpose/modules/modules.h"

/* Of one argument. */
struct argument_access {
    enum access_outcome read, write;
    struct intervals *reads, *writes; /* of each device */
};

struct access_set {
    struct grid_part *parts;
    struct argument_access *arguments;
    size_t argument_count;
    int devices;
    char refusal[PARTITION_REASON]; /* why the launch cannot be split; "": it can */
};

/* The accesses of a launch, worked out if it is the first time. `arguments`: the values at the
 * function's offsets. Valid until the next call for this function. NULL without memory. */
const struct access_set *accesses_of(struct virtual_gpu *gpu, struct function *function,
                                     const struct launch_shape *shape, const char *arguments);
void accesses_free(struct function *function);

#endif
