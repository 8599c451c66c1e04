/* segments.h: where coarray.c finds room. Collective and in the same order on all images. */
#ifndef COARRAYS_CAF_SEGMENTS_H
#define COARRAYS_CAF_SEGMENTS_H

#include "memory.h"

struct team;

/* Room for a coarray; zero. With SHARED_ALIKE it is a segment of its own, whatever its size. The
 * same status on all images. */
enum dm_status segments_take(size_t bytes, enum shared_addresses addresses,
                             struct segment **segment, size_t *offset);

/* Gives it back, when no image uses it any more. */
enum dm_status segments_give(struct segment *segment, size_t bytes, size_t offset);

/* Frees all coarrays and segments of a team, the current one. Collective over it. */
enum dm_status segments_give_all(struct team *team);

/* Frees the records of all coarrays of a team that are left (coarray.c, for memory_end). */
void coarrays_forget(const struct team *team);

#endif
