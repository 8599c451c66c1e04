/* launch_place.h: accessed elements of an argument as bytes of its buffer. */
#ifndef LAUNCH_PLACE_H
#define LAUNCH_PLACE_H

#include "launches.h"

/* In bytes of one buffer. */
struct placed {
    struct partition_intervals reads[PARTITION_MAX_DEVICES], writes[PARTITION_MAX_DEVICES];
};

/* What the parts read and write by the argument, which points to byte `offset` of the buffer; added
 * to `placed`, which starts from {0}. DM_UNAVAILABLE: it may reach other memory; DM_NO_MEMORY. */
enum dm_status launch_place(const struct virtual_gpu *gpu, const struct launch *launch,
                            const struct access_set *set, size_t argument,
                            const struct buffer *buffer, int64_t offset, struct placed *placed);
void launch_free_placed(struct placed *placed);

#endif
