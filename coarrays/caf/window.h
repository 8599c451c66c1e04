/* window.h: what memory.c and the conduits know of one another. */
#ifndef COARRAYS_CAF_WINDOW_H
#define COARRAYS_CAF_WINDOW_H

#include "memory.h"

static inline char *segment_own_part(const struct segment *segment)
{
    return segment->shared.part[runtime.place_of[runtime.image]];
}

/* Whether opening the conduit mpi also makes the memory: then shared.part is a table from malloc,
 * which its close leaves to the caller, and the memory ends with the window. */
bool window_brings_memory(void);

/* Whether no put has started since the last memory_flush. */
bool memory_is_flushed(void);

#endif
