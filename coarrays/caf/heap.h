/* heap.h: cuts a segment's part into small coarrays.
 *
 * First fit over a bit map of 64-byte granules; free neighbours become one by themselves. What it
 * returns depends on the order of calls alone, so images that allocate and free in the same order
 * find the same offsets without talking. It needs no memory of its own that could be missing on
 * one image. */
#ifndef COARRAYS_CAF_HEAP_H
#define COARRAYS_CAF_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"

enum { GRANULE_BYTES = 64, GRANULES = MEMORY_SEGMENT / GRANULE_BYTES };

struct granule_map {
    size_t used; /* granules */
    uint64_t taken[GRANULES / 64];
};

/* Takes the first run of granules that holds `bytes` (0 takes one granule). False if none does. */
bool granules_take(struct granule_map *map, size_t bytes, size_t *offset);

/* Gives back what granules_take took with the same `bytes`. */
void granules_give(struct granule_map *map, size_t bytes, size_t offset);

#endif
