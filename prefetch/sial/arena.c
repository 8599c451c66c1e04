#include "prefetch/sial/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, capacity;
    alignas(max_align_t) unsigned char bytes[];
};

enum { CHUNK_BYTES = 16 << 10 };

static struct arena_chunk *add_chunk(struct arena *arena, size_t bytes)
{
    size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + capacity);
    if (!chunk)
        return NULL;
    chunk->capacity = capacity;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

void *arena_take(struct arena *arena, size_t bytes)
{
    size_t unit = alignof(max_align_t);
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + unit - 1) / unit * unit;
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->capacity - chunk->used < bytes)
        chunk = add_chunk(arena, bytes);
    if (!chunk)
        return NULL;
    void *taken = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return taken;
}

void arena_free(struct arena *arena)
{
    while (arena->chunks) {
        struct arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        free(chunk);
    }
}
