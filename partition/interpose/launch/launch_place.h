/* launch_place.h: accessed elements of an argument as bytes of its buffer. */
#ifndef LAUNCH_PLACE_H
#define LAUNCH_PLACE_H

#include "launches.h"

struct placed {
    struct intervals reads[PARTITION_MAX_DEVICES], writes[PARTITION_MAX_DEVICES];
};

/* Why the launch runs on one device; false so that callers can return it. */
bool launch_refuse(struct launch *launch, const char *why, const char *argument);
bool launch_no_memory(struct launch *launch);

/* What the parts read and write by the argument, which points to byte `offset` of the buffer; added
 * to `placed`, which starts from {0}. False with the launch's reason: it may reach other memory. */
bool launch_place(const struct virtual_gpu *gpu, struct launch *launch,
                  const struct access_set *set, size_t argument, const struct buffer *buffer,
                  int64_t offset, struct placed *placed);
void launch_free_placed(struct placed *placed);

#endif
