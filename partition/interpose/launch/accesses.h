/* accesses.h: what the parts of a launch read and write of each argument, in elements. Kept for
 * launches that differ only in pointers and in arguments that do not decide what is accessed. */
#ifndef ACCESSES_H
#define ACCESSES_H

#include <datamotion/partition.h>

#include "partition/interpose/modules/modules.h"

/* Of one argument. */
struct argument_access {
    enum partition_extent read, write;
    struct partition_intervals *reads, *writes; /* of each device */
};

struct access_set {
    struct partition_part *parts;
    struct argument_access *arguments;
    size_t argument_count;
    int devices;
    char refusal[REASON_BYTES]; /* why the launch cannot be split; "": it can */
};

/* The accesses of a launch, worked out if it is the first time. `kernel`: what a data base says of
 * the function; `arguments`: the values at the function's offsets. Valid until the next call for
 * this function. DM_NO_MEMORY. */
enum dm_status accesses_of(struct virtual_gpu *gpu, struct function *function,
                           const struct partition_kernel *kernel,
                           const struct partition_shape *shape, const char *arguments,
                           const struct access_set **set);
void accesses_free(struct function *function);
/* One set; takes NULL. */
void access_set_free(struct access_set *set);

#endif
