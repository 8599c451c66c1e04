/* address_map.h: from the address of a block to its descriptor.
 *
 * A radix tree of three levels over the 47 bits of a user address, one entry per granule. Look-ups
 * take no lock and may run beside insertions. Entries are never taken out: whoever looks one up
 * compares the descriptor's own address, so a stale entry can do no harm as long as descriptors
 * are not returned to the system. Memory: 32 KiB per 2 MiB in which a block starts. */
#ifndef PINNING_ADDRESS_MAP_H
#define PINNING_ADDRESS_MAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap.h"

enum {
    MAP_LEAF_BITS = 12,
    MAP_MIDDLE_BITS = 13,
    MAP_ROOT_BITS = 47 - GRANULE_SHIFT - MAP_LEAF_BITS - MAP_MIDDLE_BITS
};

struct map_leaf {
    _Atomic(void *) entries[1 << MAP_LEAF_BITS];
};
struct map_middle {
    _Atomic(struct map_leaf *) leaves[1 << MAP_MIDDLE_BITS];
};
struct address_map {
    _Atomic(struct map_middle *) middles[1 << MAP_ROOT_BITS];
};

/* The value last set for exactly this granule, or NULL. Any pointer may be asked for. */
static inline void *address_map_get(struct address_map *map, const void *address)
{
    uintptr_t granule = (uintptr_t)address >> GRANULE_SHIFT;
    uintptr_t root = granule >> (MAP_LEAF_BITS + MAP_MIDDLE_BITS);
    if (root >> MAP_ROOT_BITS)
        return NULL;
    struct map_middle *middle = atomic_load_explicit(&map->middles[root], memory_order_acquire);
    if (!middle)
        return NULL;
    struct map_leaf *leaf = atomic_load_explicit(
        &middle->leaves[granule >> MAP_LEAF_BITS & ((1u << MAP_MIDDLE_BITS) - 1)],
        memory_order_acquire);
    if (!leaf)
        return NULL;
    return atomic_load_explicit(&leaf->entries[granule & ((1u << MAP_LEAF_BITS) - 1)],
                                memory_order_acquire);
}

/* Sets the entry of the granule that holds `address`. False if there is no memory for the tree or
 * the address has more than 47 bits. One caller at a time. */
bool address_map_set(struct address_map *map, const void *address, void *value);

/* Frees the tree's nodes, not the map itself; it is empty afterwards. */
void address_map_clear(struct address_map *map);

#endif
