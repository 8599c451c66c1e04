/* size_map.h: the free_list of algorithm 5.4: an ordered map from block size to free blocks.
 *
 * A sorted array of size classes, each with a stack of blocks. A class leaves the map with its last
 * block, so every class that is found has one. Not thread-safe. */
#ifndef PINNING_SIZE_MAP_H
#define PINNING_SIZE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct size_class {
    size_t bytes;
    void **blocks;
    size_t count, capacity;
};

struct size_map {
    struct size_class *classes; /* ascending sizes */
    size_t count, capacity;
};

/* Adds a free block; false if there is no memory. */
bool size_map_add(struct size_map *map, size_t bytes, void *block);

/* Takes a block of the smallest size that is at least `bytes` out; NULL if there is none. */
void *size_map_take(struct size_map *map, size_t bytes);

void size_map_free(struct size_map *map);

#endif
