#include "address_map.h"

#include <stdlib.h>

bool address_map_set(struct address_map *map, const void *address, void *value)
{
    uintptr_t granule = (uintptr_t)address >> GRANULE_SHIFT;
    uintptr_t root = granule >> (MAP_LEAF_BITS + MAP_MIDDLE_BITS);
    if (root >> MAP_ROOT_BITS)
        return false;
    struct map_middle *middle = atomic_load_explicit(&map->middles[root], memory_order_relaxed);
    if (!middle) {
        middle = calloc(1, sizeof *middle);
        if (!middle)
            return false;
        atomic_store_explicit(&map->middles[root], middle, memory_order_release);
    }
    _Atomic(struct map_leaf *) *place =
        &middle->leaves[granule >> MAP_LEAF_BITS & ((1u << MAP_MIDDLE_BITS) - 1)];
    struct map_leaf *leaf = atomic_load_explicit(place, memory_order_relaxed);
    if (!leaf) {
        leaf = calloc(1, sizeof *leaf);
        if (!leaf)
            return false;
        atomic_store_explicit(place, leaf, memory_order_release);
    }
    atomic_store_explicit(&leaf->entries[granule & ((1u << MAP_LEAF_BITS) - 1)], value,
                          memory_order_release);
    return true;
}

void address_map_clear(struct address_map *map)
{
    for (size_t root = 0; root < 1u << MAP_ROOT_BITS; root++) {
        struct map_middle *middle = map->middles[root];
        for (size_t i = 0; middle && i < 1u << MAP_MIDDLE_BITS; i++)
            free(middle->leaves[i]);
        free(middle);
        map->middles[root] = NULL;
    }
}
