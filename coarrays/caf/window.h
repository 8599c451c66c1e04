/* window.h: the MPI windows of segments. Collective, and in the same order on all images. */
#ifndef COARRAYS_CAF_WINDOW_H
#define COARRAYS_CAF_WINDOW_H

#include "memory.h"

static inline char *segment_own_part(const struct segment *segment)
{
    return segment->shared.part[runtime.place_of[runtime.image]];
}

/* Whether window_open also makes the memory: then shared.part is a table from malloc, which
 * window_close leaves to the caller, and the memory ends with the window. */
bool window_brings_memory(void);

/* The same status on all images; after a failure there is no window. */
enum dm_status window_open(struct segment *segment, size_t bytes);
enum dm_status window_close(struct segment *segment);

/* Whether no put has started since the last memory_flush. */
bool memory_is_flushed(void);

#endif
