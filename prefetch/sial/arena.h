/* arena.h: memory that is taken piece by piece and freed at once, so that no error path leaks. */
#ifndef PREFETCH_SIAL_ARENA_H
#define PREFETCH_SIAL_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena {
    struct arena_chunk *chunks; /* the newest first */
};

/* Zeroed bytes, aligned for any type; NULL if there is no memory. */
void *arena_take(struct arena *arena, size_t bytes);

void arena_free(struct arena *arena);

#endif
